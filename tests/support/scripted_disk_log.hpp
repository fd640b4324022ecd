#pragma once
/// The log of a scripted disk: every request that it answered, in shared memory, in the order of
/// completion.

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "support/scripted_disk_request.hpp"

namespace diskaudit {

/// Times are CLOCK_MONOTONIC, in nanoseconds.
struct LogEntry {
  std::int64_t completion = 0;  ///< just before the answer was given
  std::int64_t arrival = 0;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  DiskDirection direction = DiskDirection::Read;
  std::uint8_t error = 0;  ///< errno, or 0
  std::uint16_t reserved = 0;
};
static_assert(sizeof(LogEntry) == 32);

struct LogHeader {
  char magic[8] = {'s', 'd', 'i', 's', 'k', 'l', 'o', 'g'};
  std::atomic<std::uint64_t> count = 0;    ///< entries that are complete
  std::atomic<std::int64_t> start = 0;     ///< when the script took effect; 0 before
  std::atomic<std::uint64_t> changes = 0;  ///< made to it while it ran
};

/// Maps the log of a file descriptor: whole for the one writer, as it stands for any reader.
class DiskLog {
 public:
  /// Makes a log in memory that ends with its last user.
  static DiskLog create();
  /// Opens the log of a running disk. Throws when it cannot be read.
  static DiskLog open(const std::string& path);
  DiskLog(DiskLog&& other) noexcept;
  ~DiskLog();

  int fd() const { return fd_; }
  std::int64_t start() const { return header_->start.load(std::memory_order_acquire); }
  void set_start(std::int64_t now) { header_->start.store(now, std::memory_order_release); }
  std::uint64_t changes() const { return header_->changes.load(std::memory_order_acquire); }
  void count_change() { header_->changes.fetch_add(1, std::memory_order_release); }
  void append(const LogEntry& entry);
  /// All entries so far; stays valid while the log lives.
  std::span<const LogEntry> entries() const;

 private:
  DiskLog(int fd, bool writable);

  int fd_ = -1;
  LogHeader* header_ = nullptr;
  LogEntry* entries_ = nullptr;
};

}  // namespace diskaudit
