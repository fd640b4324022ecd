#pragma once
/// One measurement against its target: what it reached, how surely, and whether that passes.

#include <vector>

#include "judge/statistics.hpp"
#include "measure/measurement.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

enum class Decision { Pass, Fail, Open };

/// What passes, in the target's metric. For a sequential scenario the IOPS quota may allow less
/// than the target.
struct Threshold {
  double percent = 0;  ///< of the target
  double value = 0;
  double target_percent = 0;  ///< what would pass if the target alone counted
  bool by_iops = false;
  double request_bytes = 0;  ///< as the device saw them; where `by_iops`
};

struct Rate {
  double value = 0;       ///< in the target's metric
  double percent = 0;     ///< of the target
  MeanInterval interval;  ///< as a share of the target
  Threshold threshold;
  Decision decision = Decision::Open;
};

/// Times at which an `auto` runtime may end, seconds of window. The error is split between them.
inline constexpr double looks[] = {30, 60, 120};

/// The last look that a window of `seconds` has reached; 0 before the first.
double last_look(double seconds);

/// What the measurement reached in the target's metric, over the whole window.
double value_of(const Job& job, const Measurement& measurement);

/// Requires a target.
Rate rate_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance);

}  // namespace diskaudit
