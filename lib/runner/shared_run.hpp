#pragma once
/// What the supervising process and the workers share while a job runs: window, accounts, slots.

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "error.hpp"
#include "measure/recorder.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// One place in the queue; owns a buffer for ever. `submitted` is 0 while it is free.
struct Slot {
  Counter submitted;
  Counter offset;
};

/// A failed request as the worker notes it; `error` is an errno, 0 = a short transfer.
struct FaultNote {
  Counter at, offset, error;
};

enum class Stage : unsigned { Starting, Ready, Done, Failed };

/// One worker's side of the run. Written by the worker alone.
struct WorkerState {
  WorkerState(const Window& window, std::array<Track, 2> tracks, std::span<Slot> own_slots)
      : recorder(window, tracks), slots(own_slots) {}

  Recorder recorder;
  std::span<Slot> slots;
  std::atomic<Stage> stage{Stage::Starting};
  std::atomic<int> failure{0};  ///< errno, of what `failed_step` says
  std::atomic<const char*> failed_step{""};
  Counter features{};
  Counter thread{};  ///< its id
  Counter looked{};  ///< when it last looked for completions
  std::array<FaultNote, 8> faults{};
  std::atomic<unsigned> fault_count{0};
  /// The thread's CPU time, and when it was read: at the first look inside the window, and last.
  Counter cpu_first{}, cpu_first_at{}, cpu_last{}, cpu_last_at{};
  Counter voluntary_switches{}, involuntary_switches{};  ///< between those two
};

/// Memory that stays shared across fork(), at the same address on both sides.
class SharedRun {
 public:
  /// Room for a window of `bins` tenths of a second.
  static Result<SharedRun> create(const Job& job, std::size_t bins);

  Window& window() const { return *window_; }
  WorkerState& worker(std::size_t index) const { return *workers_[index]; }
  std::size_t workers() const { return workers_.size(); }
  std::vector<const Recorder*> recorders() const;

 private:
  std::shared_ptr<std::byte> memory_{};
  Window* window_ = nullptr;
  std::vector<WorkerState*> workers_;
};

}  // namespace diskaudit
