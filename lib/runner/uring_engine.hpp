#pragma once
/// Submits through io_uring, with as many of its features as this kernel accepts.

#include <liburing.h>

#include <string>
#include <vector>

#include "runner/buffers.hpp"

namespace diskaudit {

/// Bits of what can be switched off; all of it is tried otherwise.
enum UringFeature : unsigned {
  deferred_taskrun = 1,  ///< with SINGLE_ISSUER, which it needs
  coop_taskrun = 2,
  submit_all = 4,
  registered_ring = 8,
  registered_buffers = 16,
  registered_file = 32,
  all_uring_features = 63,
};

std::vector<std::string> names_of_uring_features(unsigned bits);
unsigned uring_features_named(const std::vector<std::string>& names);

/// Tries the newest flags first and drops them step by step; 0 or -errno. `flags` is what was
/// accepted. Probed, never read off a version number: vendors backport.
int set_up_ring(io_uring& ring, unsigned entries, unsigned wanted, unsigned& flags);

/// One ring, used by the thread that opened it and by no other (DEFER_TASKRUN demands it).
class UringEngine {
 public:
  static constexpr const char* name = "io_uring";

  UringEngine() = default;
  UringEngine(const UringEngine&) = delete;
  UringEngine& operator=(const UringEngine&) = delete;
  ~UringEngine();

  /// 0 or -errno.
  int open(int fd, unsigned depth, const Buffers& buffers, unsigned wanted);
  unsigned features() const { return features_; }

  void prepare(unsigned slot, bool write, std::size_t buffer, std::uint64_t offset);
  /// Submits what was prepared and waits for `wait_nr` completions or a signal; 0 or -errno.
  int submit_and_wait(unsigned wait_nr);
  /// Calls `take(slot, result)` for every completion that is there.
  template <typename Take>
  void reap(Take&& take) {
    unsigned head = 0, count = 0;
    io_uring_cqe* cqe = nullptr;
    io_uring_for_each_cqe(&ring_, head, cqe) {
      ++count;
      take(static_cast<unsigned>(cqe->user_data), cqe->res);
    }
    io_uring_cq_advance(&ring_, count);
  }

 private:
  bool has(UringFeature feature) const { return (features_ & feature) != 0; }

  io_uring ring_{};
  bool open_ = false;
  unsigned features_ = 0;
  int fd_ = -1;
  const Buffers* buffers_ = nullptr;
};

}  // namespace diskaudit
