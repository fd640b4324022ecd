#pragma once
/// The loop that keeps one worker's share of the queue full and books what completes.

#include "plan/plan.hpp"
#include "runner/shared_run.hpp"

namespace diskaudit {

enum class Engine { IoUring, Libaio };

/// What a worker needs to know; the same for all of a run but `index`.
struct WorkOrder {
  Job job{};
  Engine engine = Engine::IoUring;
  unsigned uring_features = 0;  ///< to be tried
  int fd = -1;
  std::uint64_t span = 0;
};

/// Opens its engine, waits until the window's begin is set, and runs until its requests are back
/// after the window's end. What happens is in `state`.
void run_worker(const WorkOrder& order, unsigned index, const Window& window, WorkerState& state);

}  // namespace diskaudit
