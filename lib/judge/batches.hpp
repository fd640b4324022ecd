#pragma once
/// The series of a measurement as batches long enough for statistics: seconds, where it has ten.

#include <vector>

#include "measure/measurement.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// Sums of neighbouring bins; what lies in a void is left out.
struct Batches {
  double seconds = 1;                   ///< of each
  std::vector<double> values{};         ///< per second, in the target's metric
  std::vector<double> begin_seconds{};  ///< into the window
  bool complete = true;                 ///< nothing was left out
};

/// Batches of less than a second follow the disk's own ticking, and have no shape to speak of.
inline constexpr double least_batch_seconds = 0.99;

/// Times at which an `auto` runtime may end, seconds of window. The error is split between them.
inline constexpr double looks[] = {30, 60, 120};

/// The last look that a window of `seconds` has reached; 0 before the first.
double last_look(double seconds);

/// Whether the runtime ends when the verdict is settled.
bool is_auto(const Job& job);

/// An `auto` job's window counts up to its last look alone, so that a verdict does not depend on
/// when the window was closed. Requires a target.
Batches batches_of(const Job& job, const Measurement& measurement);

}  // namespace diskaudit
