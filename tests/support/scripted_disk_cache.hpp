#pragma once
/// The caches of a scripted disk: what lets it answer at once.

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "support/scripted_disk_request.hpp"

namespace diskaudit {

/// Blocks last read or written, first in, first out.
class ReadCache {
 public:
  ReadCache() = default;
  ReadCache(std::uint64_t bytes, std::uint64_t disk_size)
      : capacity_(bytes / block), inserted_(bytes > 0 ? disk_size / block + 1 : 0) {}

  /// Whether all of the request is there; its blocks are there afterwards.
  bool touch(const DiskRequest& request) {
    if (inserted_.empty()) return false;
    bool is_hit = true;
    const auto end = (request.offset + request.length + block - 1) / block;
    for (auto i = request.offset / block; i < end; ++i) {
      if (inserted_[i] != 0 && count_ - inserted_[i] < capacity_) continue;
      is_hit = false;
      inserted_[i] = ++count_;
    }
    return is_hit;
  }

 private:
  static constexpr std::uint64_t block = 4096;
  std::uint64_t capacity_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> inserted_{};  ///< the how manieth insertion a block was; 0: never
};

/// Accepts writes while it has room; they leave it when they have been written back.
class WriteCache {
 public:
  explicit WriteCache(std::uint64_t bytes = 0) : capacity_(bytes) {}

  bool is_on() const { return capacity_ > 0; }
  /// In the order of arrival: nobody overtakes one that waits for room.
  void push(const DiskRequest& request) { waiting_.push_back(request); }
  /// Whether the next one finds room; a write larger than the whole cache needs an empty one.
  bool has_room() const {
    return !waiting_.empty() && (dirty_ == 0 || dirty_ + waiting_.front().length <= capacity_);
  }
  DiskRequest accept() {
    const auto request = waiting_.front();
    waiting_.pop_front();
    dirty_ += request.length;
    return request;
  }
  void written_back(std::uint32_t length) { dirty_ -= length; }
  std::deque<DiskRequest> take_waiting() { return std::exchange(waiting_, {}); }

 private:
  std::uint64_t capacity_ = 0;
  std::uint64_t dirty_ = 0;
  std::deque<DiskRequest> waiting_{};
};

}  // namespace diskaudit
