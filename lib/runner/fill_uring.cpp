#include <liburing.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "runner/fill.hpp"

namespace diskaudit {

namespace {

using Clock = std::chrono::steady_clock;

/// One chunk on its way. A write may come back short; then the rest follows.
struct Slot {
  Chunk memory{};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t done = 0;
  Clock::time_point since{};
  bool busy = false;
};

class UringFill {
 public:
  explicit UringFill(const FillJob& job) : job_(job) {}
  ~UringFill() {
    if (!open_) return;
    // The kernel may still read from the memory of a request that never returned.
    for (Slot& slot : slots_)
      if (slot.busy) (void)slot.memory.release();
    io_uring_queue_exit(&ring_);
  }
  UringFill(const UringFill&) = delete;
  UringFill& operator=(const UringFill&) = delete;

  bool open() {
    for (Slot& slot : slots_)
      if (!(slot.memory = allocate_chunk())) return false;
    open_ = io_uring_queue_init(fill_depth, &ring_, 0) == 0;
    return open_;
  }

  FillEnd run() {
    auto next_report = Clock::now() + progress_interval;
    while (submit_free_slots() > 0) {
      reap();
      const auto now = Clock::now();
      if (now >= next_report) {
        if (!stopped_ && job_.progress && !job_.progress(Bytes{end_.written})) stop();
        next_report = now + progress_interval;
      }
      if (give_up(now)) break;
    }
    return end_;
  }

 private:
  void stop() {
    stopped_ = true;
    stopped_at_ = Clock::now();
  }

  void submit(Slot& slot) {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    const char* data = reinterpret_cast<const char*>(slot.memory.get()) + slot.done;
    io_uring_prep_write(sqe, job_.fd, data, static_cast<unsigned>(slot.length - slot.done),
                        slot.offset + slot.done);
    io_uring_sqe_set_data(sqe, &slot);
  }

  /// How many are on their way after it.
  unsigned submit_free_slots() {
    unsigned busy = 0;
    for (Slot& slot : slots_) {
      if (!slot.busy && !stopped_ && next_ < job_.size) {
        slot.offset = next_;
        slot.length = std::min(fill_chunk, job_.size - next_);
        slot.done = 0;
        slot.busy = true;
        slot.since = Clock::now();
        next_ += slot.length;
        make_data(slot.memory.get(), slot.length, slot.offset, job_.seed);
        submit(slot);
        io_uring_submit(&ring_);
      }
      busy += slot.busy ? 1 : 0;
    }
    return busy;
  }

  void reap() {
    __kernel_timespec limit{.tv_sec = 0, .tv_nsec = 100'000'000};
    io_uring_cqe* cqe = nullptr;
    if (io_uring_wait_cqe_timeout(&ring_, &cqe, &limit) != 0) return;
    do {
      Slot& slot = *static_cast<Slot*>(io_uring_cqe_get_data(cqe));
      const int result = cqe->res;
      io_uring_cqe_seen(&ring_, cqe);
      finish(slot, result);
    } while (io_uring_peek_cqe(&ring_, &cqe) == 0);
    io_uring_submit(&ring_);  // the rests of short writes
  }

  void finish(Slot& slot, int result) {
    if (result == -EAGAIN || result == -EINTR) return submit(slot);
    if (result <= 0) {
      slot.busy = false;
      if (end_.error == 0) end_ = {end_.written, result == 0 ? EIO : -result, slot.offset, false};
      return stop();
    }
    slot.done += static_cast<unsigned>(result);
    if (slot.done < slot.length) return submit(slot);
    slot.busy = false;
    end_.written += slot.length;
  }

  bool give_up(Clock::time_point now) {
    for (const Slot& slot : slots_) {
      if (!slot.busy) continue;
      if (stopped_ && now - stopped_at_ > longest_drain) return true;
      if (now - slot.since <= longest_request) continue;
      end_.overdue = true;
      end_.offset = slot.offset;
      return true;
    }
    return false;
  }

  const FillJob& job_;
  io_uring ring_{};
  bool open_ = false;
  std::array<Slot, fill_depth> slots_{};
  std::uint64_t next_ = 0;
  bool stopped_ = false;
  Clock::time_point stopped_at_{};
  FillEnd end_{};
};

}  // namespace

std::optional<FillEnd> fill_by_uring(const FillJob& job) {
  UringFill fill(job);
  if (!fill.open()) return std::nullopt;
  return fill.run();
}

}  // namespace diskaudit
