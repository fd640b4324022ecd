#include "runner/worker.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <vector>

#include "runner/aio_engine.hpp"
#include "runner/buffers.hpp"
#include "runner/clock.hpp"
#include "runner/offsets.hpp"
#include "runner/pinning.hpp"
#include "runner/uring_engine.hpp"

namespace diskaudit {

namespace {

constexpr std::uint64_t report_interval = 50'000'000;
constexpr unsigned most_retries = 1000;

void pause(long nanoseconds) {
  const timespec time{.tv_sec = 0, .tv_nsec = nanoseconds};
  ::nanosleep(&time, nullptr);
}

template <typename Kind>
class Loop {
 public:
  Loop(const WorkOrder& order, unsigned index, const Window& window, WorkerState& state)
      : scenario_(order.job.scenario),
        window_(window),
        state_(state),
        depth_(static_cast<unsigned>(state.slots.size())),
        mixed_(scenario_.direction == Direction::Mixed),
        buffers_(depth_ * (mixed_ ? 2 : 1), scenario_.block_size.value),
        random_(order.job.seed, index),
        offsets_(scenario_.pattern, order.span, scenario_.block_size.value, index,
                 order.job.threads),
        stamp_(mix(order.job.seed), index),
        writes_(depth_) {}

  void run(const WorkOrder& order) {
    if (!buffers_) return fail("allocate buffers", ENOMEM);
    if (scenario_.direction != Direction::Read) buffers_.fill(random_);
    const int error = engine_.open(order.fd, depth_, buffers_, order.uring_features);
    if (error != 0) return fail("set up the queue", -error);
    state_.features.set(engine_.features());
    state_.thread.set(static_cast<std::uint64_t>(::gettid()));
    state_.stage = Stage::Ready;
    while (window_.begin.load() == std::numeric_limits<std::uint64_t>::max()) pause(200'000);

    for (unsigned slot = 0; slot < depth_; ++slot) free_.push_back(slot);
    rate_since_ = now_ns();
    while (issue()) {
      const int failure = engine_.submit_and_wait(wait_nr());
      if (failure != 0) return fail("submit requests", -failure);
      take_completions(now_ns());
    }
    report(now_ns());
    state_.stage = Stage::Done;
  }

 private:
  void fail(const char* step, int error) {
    state_.failed_step = step;
    state_.failure = error;
    state_.stage = Stage::Failed;
  }

  /// Refills the free slots while the window lasts; false when nothing is left to wait for.
  bool issue() {
    for (const unsigned slot : again_) {
      engine_.prepare(slot, writes_[slot], buffer_of(slot), state_.slots[slot].offset.get());
    }
    again_.clear();
    if (over_) return inflight_ != 0;
    for (const unsigned slot : free_) prepare(slot);
    const std::uint64_t now = now_ns();
    for (const unsigned slot : free_) state_.slots[slot].submitted.set(now);
    inflight_ += static_cast<unsigned>(free_.size());
    free_.clear();
    state_.recorder.outstanding(now, inflight_);
    return true;
  }

  void prepare(unsigned slot) {
    const bool write = mixed_ ? random_.below(100) >= scenario_.read_percent
                              : scenario_.direction == Direction::Write;
    const std::uint64_t offset = offsets_.next(random_);
    state_.slots[slot].offset.set(offset);
    writes_[slot] = write;
    if (write) stamp_.apply(buffers_.at(buffer_of(slot)), buffers_.block_size());
    engine_.prepare(slot, write, buffer_of(slot), offset);
  }

  // In a mixed job writes have buffers of their own: what was read may repeat or compress.
  std::size_t buffer_of(unsigned slot) const {
    return mixed_ && writes_[slot] ? depth_ + slot : slot;
  }

  /// Enough completions at once to be lean, few enough that the first of them waits 100 µs at most.
  unsigned wait_nr() const {
    const auto batch = static_cast<unsigned>(rate_ * 100e-6);
    return std::min(std::clamp(batch, 1U, std::clamp(depth_ / 8, 1U, 32U)), inflight_);
  }

  void take_completions(std::uint64_t now) {
    state_.looked.set(now);
    std::array<Batch, 2> batches{};
    // The clock was read before the window's end is: see Window.
    const bool inside = window_.holds(now);
    engine_.reap([&](unsigned slot, int result) {
      const unsigned track = mixed_ && writes_[slot] ? 1 : 0;
      if ((result == -EAGAIN || result == -EINTR) && retries_++ < most_retries) {
        again_.push_back(slot);
        return;
      }
      if (result == static_cast<int>(scenario_.block_size.value)) {
        const std::uint64_t latency = now - state_.slots[slot].submitted.get();
        if (inside) {
          state_.recorder.latency(track, latency);
          ++batches[track].ios;
          batches[track].latency_sum += latency;
          batches[track].latency_max = std::max(batches[track].latency_max, latency);
        }
      } else {
        ++batches[track].errors;
        note_fault(now, slot, result);
      }
      state_.slots[slot].submitted.set(0);
      free_.push_back(slot);
      --inflight_;
    });
    completed_ += free_.size();
    if (inside) {
      for (unsigned track = 0; track < 2; ++track) state_.recorder.add(track, now, batches[track]);
    }
    state_.recorder.outstanding(now, inflight_);
    if (now - reported_ >= report_interval) report(now);
    if (!over_ && now >= window_.end.load()) {
      over_ = true;
      free_.clear();
    }
  }

  void note_fault(std::uint64_t now, unsigned slot, int result) {
    const unsigned count = state_.fault_count.load();
    if (count == state_.faults.size()) return;
    FaultNote& note = state_.faults[count];
    note.at.set(now);
    note.offset.set(state_.slots[slot].offset.get());
    note.error.set(result < 0 ? static_cast<std::uint64_t>(-result) : 0);
    state_.fault_count.store(count + 1);
  }

  void report(std::uint64_t now) {
    if (!over_) {
      rate_ = static_cast<double>(completed_) * 1e9 / static_cast<double>(now - rate_since_ + 1);
      completed_ = 0;
      rate_since_ = now;
    }
    reported_ = now;
    if (now < window_.begin.load() || over_) return;
    const std::uint64_t cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    if (state_.cpu_first_at.get() == 0) {
      state_.cpu_first.set(cpu);
      state_.cpu_first_at.set(now);
      first_usage_ = usage;
    }
    state_.cpu_last.set(cpu);
    state_.cpu_last_at.set(now);
    state_.voluntary_switches.set(
        static_cast<std::uint64_t>(usage.ru_nvcsw - first_usage_.ru_nvcsw));
    state_.involuntary_switches.set(
        static_cast<std::uint64_t>(usage.ru_nivcsw - first_usage_.ru_nivcsw));
  }

  const Scenario& scenario_;
  const Window& window_;
  WorkerState& state_;
  unsigned depth_;
  bool mixed_;
  Buffers buffers_;
  // After the buffers, so that it goes before them: the kernel writes into them until it is closed.
  Kind engine_;
  Random random_;
  Offsets offsets_;
  Stamp stamp_;
  std::vector<char> writes_;  ///< direction of each slot's request
  std::vector<unsigned> free_;
  std::vector<unsigned> again_;
  unsigned inflight_ = 0;
  unsigned retries_ = 0;
  bool over_ = false;
  double rate_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t rate_since_ = 0;
  std::uint64_t reported_ = 0;
  rusage first_usage_{};
};

}  // namespace

void run_worker(const WorkOrder& order, unsigned index, const Window& window, WorkerState& state) {
  pin_worker(index, order.job.threads);
  if (order.engine == Engine::IoUring) {
    Loop<UringEngine>(order, index, window, state).run(order);
  } else {
    Loop<AioEngine>(order, index, window, state).run(order);
  }
}

}  // namespace diskaudit
