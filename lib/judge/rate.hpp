#pragma once
/// One measurement against its target: what it reached, how surely, and whether that passes.

#include <optional>

#include "judge/batches.hpp"
#include "judge/shape.hpp"
#include "judge/statistics.hpp"
#include "judge/verdict.hpp"
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
  double request_bytes = 0;  ///< for each I/O as the device saw or the vendor counts it
};

struct Rate {
  double value = 0;         ///< in the target's metric, of what counts
  double percent = 0;       ///< of the target
  Batches batches{};        ///< as shares of the target
  Shape shape{};            ///< of the batches
  MeanInterval interval{};  ///< of the batches that count
  Threshold threshold{};
  Decision decision = Decision::Open;
  std::optional<Plateau> plateau{};  ///< where not all of the window counts
};

/// What the measurement reached in the target's metric, over the whole window.
double value_of(const Job& job, const Measurement& measurement);

/// Requires a target.
Rate rate_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance);

}  // namespace diskaudit
