#include <algorithm>
#include <cmath>

#include "judge/limiter.hpp"

namespace diskaudit {
namespace {

// Half the depth must give this share of the whole. A noisy pair may miss it by as much as its own
// uncertainty, within bounds: a disk short of depth loses a tenth or more.
constexpr double saturated_ratio = 0.97;
constexpr double most_allowance = 0.02;

// Mean of a measurement and its standard error, in the target's metric.
struct Estimate {
  double mean = 0;
  double error = 0;
  double low = 0;  ///< of the interval
};

Estimate estimate_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance) {
  const Rate rate = rate_of(job, measurement, tolerance);
  Estimate estimate{rate.value, 0, 0};
  const MeanInterval& interval = rate.interval;
  if (interval.batches < 3) return estimate;
  const double factor = (1 + interval.autocorrelation) / (1 - interval.autocorrelation);
  const double n = static_cast<double>(interval.batches);
  estimate.error = interval.deviation * std::sqrt(factor / n) * job.target->value;
  estimate.low = interval.low() * job.target->value;
  return estimate;
}

// All attempts at the judged depth together.
Estimate estimate_at_full_depth(const Job& job, const Evidence& evidence,
                                const Tolerance& tolerance) {
  Estimate sum = estimate_of(job, *evidence.judged, tolerance);
  double count = 1;
  double variance = sum.error * sum.error;
  for (const Measurement& attempt : evidence.attempts) {
    if (attempt.iodepth != evidence.judged->iodepth) continue;
    const Estimate estimate = estimate_of(job, attempt, tolerance);
    sum.mean += estimate.mean;
    variance += estimate.error * estimate.error;
    ++count;
  }
  return {sum.mean / count, std::sqrt(variance) / count, 0};
}

// The measurement at the largest depth that is at most half of the judged one.
const Measurement* half_depth_of(const Evidence& evidence) {
  const unsigned half = evidence.judged->iodepth / 2;
  const Measurement* best = nullptr;
  const auto consider = [&](const Measurement& measurement) {
    if (measurement.iodepth > half || measurement.interrupted || measurement.hung) return;
    if (!best || measurement.iodepth > best->iodepth) best = &measurement;
  };
  for (const Measurement& attempt : evidence.attempts) consider(attempt);
  for (const Probe& probe : evidence.probes) {
    if (probe.purpose == Purpose::HalfDepth) consider(probe.measurement);
  }
  return best;
}

}  // namespace

Saturation saturation_of(const Job& job, const Evidence& evidence, const Tolerance& tolerance) {
  Saturation saturation;
  const Measurement* half = half_depth_of(evidence);
  if (!half) return saturation;
  const Estimate at_half = estimate_of(job, *half, tolerance);
  const Estimate at_full = estimate_at_full_depth(job, evidence, tolerance);
  saturation.half_depth = half->iodepth;
  saturation.half_value = at_half.mean;
  saturation.half_passes = at_half.low >= rate_of(job, *evidence.judged, tolerance).threshold.value;
  if (at_full.mean <= 0) {
    // Nothing moves at any depth.
    saturation.tested = saturation.saturated = true;
    saturation.ratio = 1;
    return saturation;
  }
  saturation.ratio = at_half.mean / at_full.mean;
  const double error = std::hypot(at_half.error, at_full.error) / at_full.mean;
  const double allowance = std::min(most_allowance, 2 * error);
  saturation.saturated = saturation.ratio >= saturated_ratio - allowance;
  // Less than half the depth proves saturation, but not the lack of it.
  saturation.tested = saturation.saturated || half->iodepth == evidence.judged->iodepth / 2;
  return saturation;
}

}  // namespace diskaudit
