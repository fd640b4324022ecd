#include "judge/rate.hpp"

#include <algorithm>
#include <cmath>

#include "judge/witness.hpp"

namespace diskaudit {
namespace {

// One-sided error of a verdict; an `auto` runtime looks three times and splits it.
constexpr double alpha = 0.005;

// The least half-width, as a share of the target: clock, window edges and token buckets.
constexpr double floor_width = 0.002;

Threshold threshold_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance) {
  const double target = job.target->value;
  if (job.target->metric == Metric::LatencyUs) return {100, target, 100};
  Threshold threshold{tolerance.min_percent, target * tolerance.min_percent / 100,
                      tolerance.min_percent};
  if (job.scenario.pattern != Pattern::Sequential || !job.iops_ceiling) return threshold;
  const double size = counted_bytes(job, measurement);
  const double allowed = job.iops_ceiling->value * size;
  if (allowed >= target) return threshold;
  threshold.percent = allowed / target * tolerance.min_percent;
  threshold.value = allowed * tolerance.min_percent / 100;
  threshold.by_iops = true;
  threshold.request_bytes = size;
  return threshold;
}

Decision decide(const MeanInterval& interval, double threshold, bool less_is_better) {
  if (interval.batches < 3) return Decision::Open;
  if (less_is_better) {
    if (interval.high() <= threshold) return Decision::Pass;
    return interval.low() > threshold ? Decision::Fail : Decision::Open;
  }
  if (interval.low() >= threshold) return Decision::Pass;
  return interval.high() < threshold ? Decision::Fail : Decision::Open;
}

// What lies beyond this share of the target says nothing of whether it is reached.
constexpr double ample = 1.25;

// A mean is at least the mean of the same values cut off above: a disk that delivers many times its
// quota, or takes many times its latency, is not to be doubted for being uneven.
double least_mean(std::span<const double> batches, double error) {
  std::vector<double> cut(batches.begin(), batches.end());
  for (double& value : cut) value = std::min(value, ample);
  return mean_interval(cut, error, floor_width).low();
}

// A slope that begins on one side of the threshold and ends on the other has no level to judge.
bool crosses(const Shape& shape, double threshold) {
  if (shape.form != Form::Trending) return false;
  return (shape.line.begin >= threshold) != (shape.line.end >= threshold);
}

}  // namespace

double value_of(const Job& job, const Measurement& measurement) {
  const Metric metric = job.target ? job.target->metric : job.scenario.metric;
  if (metric == Metric::LatencyUs) return measurement.all.latency.mean;
  if (metric == Metric::BytesPerSecond) return bytes_per_second(measurement);
  return iops(measurement) * counted_ratio(job, measurement);
}

Rate rate_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance) {
  const double target = job.target->value;
  const bool latency = job.target->metric == Metric::LatencyUs;
  Rate rate;
  rate.threshold = threshold_of(job, measurement, tolerance);
  rate.batches = batches_of(job, measurement);
  const double scale = job.target->metric == Metric::Iops ? counted_ratio(job, measurement) : 1;
  for (double& value : rate.batches.values) value = value * scale / target;
  const std::span<const double> batches = rate.batches.values;
  rate.shape.end = batches.size();
  if (!latency && rate.batches.seconds >= least_batch_seconds) rate.shape = shape_of(batches);
  const double error = is_auto(job) ? alpha / std::size(looks) : alpha;
  const std::size_t counted = rate.shape.end - rate.shape.begin;
  const std::span<const double> judged = batches.subspan(rate.shape.begin, counted);
  rate.interval = mean_interval(judged, error, floor_width);
  rate.interval.least = least_mean(judged, error);
  if (rate.shape.begin > 0) {
    rate.plateau = {rate.batches.begin_seconds[rate.shape.begin],
                    rate.batches.begin_seconds.back() + rate.batches.seconds};
  }
  const bool all_counts = !rate.plateau && rate.batches.complete;
  rate.value = all_counts ? value_of(job, measurement) : rate.interval.mean * target;
  rate.percent = rate.value / target * 100;
  rate.decision = decide(rate.interval, rate.threshold.percent / 100, latency);
  if (crosses(rate.shape, rate.threshold.percent / 100)) rate.decision = Decision::Open;
  return rate;
}

}  // namespace diskaudit
