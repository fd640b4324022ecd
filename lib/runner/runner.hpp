#pragma once
/// Runs one Job on a real disk and returns what was measured.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "device/inspect.hpp"
#include "error.hpp"
#include "measure/measurement.hpp"
#include "plan/plan.hpp"
#include "runner/test_area.hpp"

namespace diskaudit {

/// Called about ten times a second from the caller's thread with what the window holds so far
/// (empty during the ramp); returns true when that is enough.
using Watch = std::function<bool(const Measurement& so_far)>;

enum class EngineChoice { Auto, IoUring, Libaio };

struct RunnerOptions {
  EngineChoice engine = EngineChoice::Auto;
  SystemRoot root{};
  BlockDevice device{};                      ///< whose counters, and those below, are the witness
  const std::atomic<int>* signal = nullptr;  ///< not 0: stop, drain, return what there is
  double patience_seconds = 60;              ///< with a request; 5 at most after a signal
  std::vector<std::string> without_features{};  ///< of io_uring that are not to be tried
};

/// Ramp, window, drain. Blocks until done; an I/O error is part of the measurement, not an Error.
Result<Measurement> run_job(const TestArea& area, const Job& job, const RunnerOptions& options,
                            const Watch& watch);

}  // namespace diskaudit
