#include "runner/aio_engine.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace diskaudit {

// The system calls themselves: libaio adds nothing to them that is used here.

AioEngine::~AioEngine() {
  if (context_ != 0) ::syscall(SYS_io_destroy, context_);
}

int AioEngine::open(int fd, unsigned depth, const Buffers& buffers, unsigned /*wanted*/) {
  fd_ = fd;
  buffers_ = &buffers;
  requests_.resize(depth);
  events_.resize(depth);
  pending_.reserve(depth);
  return ::syscall(SYS_io_setup, depth, &context_) == 0 ? 0 : -errno;
}

void AioEngine::prepare(unsigned slot, bool write, std::size_t buffer, std::uint64_t offset) {
  iocb& request = requests_[slot];
  request = iocb{};
  request.aio_data = slot;
  request.aio_lio_opcode = write ? IOCB_CMD_PWRITE : IOCB_CMD_PREAD;
  request.aio_fildes = static_cast<std::uint32_t>(fd_);
  request.aio_buf = reinterpret_cast<std::uintptr_t>(buffers_->at(buffer));
  request.aio_nbytes = buffers_->block_size();
  request.aio_offset = static_cast<std::int64_t>(offset);
  pending_.push_back(&request);
}

int AioEngine::submit_and_wait(unsigned wait_nr) {
  while (!pending_.empty()) {
    const long taken = ::syscall(SYS_io_submit, context_, pending_.size(), pending_.data());
    if (taken < 0 && errno == EINTR) continue;
    // Short of resources: the rest goes in after some completions.
    if (taken < 0 && errno == EAGAIN && submitted_ != 0) break;
    if (taken < 0) {
      // The first request itself is refused: its failure is reaped like any other.
      refused_.push_back({.data = pending_.front()->aio_data, .obj = 0, .res = -errno, .res2 = 0});
      pending_.erase(pending_.begin());
      continue;
    }
    pending_.erase(pending_.begin(), pending_.begin() + taken);
    submitted_ += static_cast<unsigned>(taken);
  }
  if (!refused_.empty()) wait_nr = 0;
  const long got = ::syscall(SYS_io_getevents, context_, std::min(wait_nr, submitted_),
                             events_.size(), events_.data(), nullptr);
  if (got < 0 && errno != EINTR) return -errno;
  reaped_ = got > 0 ? static_cast<unsigned>(got) : 0;
  submitted_ -= reaped_;
  return 0;
}

}  // namespace diskaudit
