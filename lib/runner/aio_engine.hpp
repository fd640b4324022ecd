#pragma once
/// Submits through the kernel's native AIO, the interface of libaio, where io_uring is not to be
/// had.

#include <linux/aio_abi.h>

#include <vector>

#include "runner/buffers.hpp"

namespace diskaudit {

/// Same shape as UringEngine, so that one worker loop serves both.
class AioEngine {
 public:
  static constexpr const char* name = "libaio";

  AioEngine() = default;
  AioEngine(const AioEngine&) = delete;
  AioEngine& operator=(const AioEngine&) = delete;
  ~AioEngine();

  /// 0 or -errno. `wanted` is io_uring's and ignored.
  int open(int fd, unsigned depth, const Buffers& buffers, unsigned wanted);
  unsigned features() const { return 0; }

  void prepare(unsigned slot, bool write, std::size_t buffer, std::uint64_t offset);
  int submit_and_wait(unsigned wait_nr);
  template <typename Take>
  void reap(Take&& take) {
    for (unsigned i = 0; i < reaped_; ++i) {
      take(static_cast<unsigned>(events_[i].data), static_cast<int>(events_[i].res));
    }
    reaped_ = 0;
    for (const io_event& event : refused_) {
      take(static_cast<unsigned>(event.data), static_cast<int>(event.res));
    }
    refused_.clear();
  }

 private:
  aio_context_t context_ = 0;
  int fd_ = -1;
  const Buffers* buffers_ = nullptr;
  std::vector<iocb> requests_;  ///< one a slot
  std::vector<iocb*> pending_;  ///< prepared and not yet taken by the kernel
  std::vector<io_event> events_;
  std::vector<io_event> refused_;  ///< by io_submit
  unsigned submitted_ = 0;
  unsigned reaped_ = 0;
};

}  // namespace diskaudit
