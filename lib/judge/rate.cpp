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

constexpr std::size_t fewest_batches = 10;

bool is_auto(const Job& job) { return job.runtime_seconds <= 0; }

// Sums of neighbouring bins of one series.
struct Batches {
  double seconds = 1;          ///< of each
  std::vector<double> values;  ///< in the target's metric
};

double amount(const Job& job, const Series& series, std::size_t bin) {
  switch (job.target->metric) {
    case Metric::Iops:
      return static_cast<double>(series.ios[bin]);
    case Metric::BytesPerSecond:
      return static_cast<double>(series.bytes[bin]);
    case Metric::LatencyUs:
      return static_cast<double>(series.ios[bin]) * series.latency_mean_us[bin];
  }
  return 0;
}

std::size_t whole_bins(const Job& job, const Measurement& measurement) {
  const Series& series = measurement.all.series;
  if (series.interval_seconds <= 0) return 0;
  double seconds = measurement.seconds;
  const double look = last_look(seconds);
  if (is_auto(job) && look > 0) seconds = look;
  // The last bin may be cut short by the end of the window; a rounding error must not drop it.
  const auto bins = static_cast<std::size_t>(seconds / series.interval_seconds + 1e-6);
  std::size_t stored = std::min(series.ios.size(), series.bytes.size());
  if (job.target->metric == Metric::LatencyUs) {
    stored = std::min(stored, series.latency_mean_us.size());
  }
  return std::min(bins, stored);
}

// One second each; ten equal ones where the window is shorter than ten seconds.
Batches batches_of(const Job& job, const Measurement& measurement) {
  const Series& series = measurement.all.series;
  const std::size_t bins = whole_bins(job, measurement);
  const auto second =
      static_cast<std::size_t>(std::max(1.0, std::round(1 / series.interval_seconds)));
  const std::size_t width = std::max<std::size_t>(1, std::min(second, bins / fewest_batches));
  Batches batches{.seconds = static_cast<double>(width) * series.interval_seconds, .values = {}};
  const bool latency = job.target->metric == Metric::LatencyUs;
  for (std::size_t begin = 0; begin + width <= bins; begin += width) {
    double sum = 0;
    double ios = 0;
    for (std::size_t bin = begin; bin < begin + width; ++bin) {
      sum += amount(job, series, bin);
      ios += static_cast<double>(series.ios[bin]);
    }
    if (!latency) batches.values.push_back(sum / batches.seconds);
    if (latency && ios > 0) batches.values.push_back(sum / ios);
  }
  return batches;
}

Threshold threshold_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance) {
  const double target = job.target->value;
  if (job.target->metric == Metric::LatencyUs) return {100, target, 100};
  Threshold threshold{tolerance.min_percent, target * tolerance.min_percent / 100,
                      tolerance.min_percent};
  if (job.scenario.pattern != Pattern::Sequential || !job.iops_ceiling) return threshold;
  const double size = request_bytes(job, measurement);
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

}  // namespace

double last_look(double seconds) {
  double last = 0;
  for (const double look : looks) {
    if (seconds >= look - 1e-6) last = look;
  }
  return last;
}

double value_of(const Job& job, const Measurement& measurement) {
  const Metric metric = job.target ? job.target->metric : job.scenario.metric;
  if (metric == Metric::LatencyUs) return measurement.all.latency.mean;
  if (metric == Metric::BytesPerSecond) return bytes_per_second(measurement);
  return iops(measurement) * split_ratio(job, measurement);
}

Rate rate_of(const Job& job, const Measurement& measurement, const Tolerance& tolerance) {
  const double target = job.target->value;
  Rate rate;
  rate.value = value_of(job, measurement);
  rate.percent = rate.value / target * 100;
  rate.threshold = threshold_of(job, measurement, tolerance);
  Batches batches = batches_of(job, measurement);
  const bool latency = job.target->metric == Metric::LatencyUs;
  const double scale = job.target->metric == Metric::Iops ? split_ratio(job, measurement) : 1;
  for (double& value : batches.values) value = value * scale / target;
  const double error = is_auto(job) ? alpha / std::size(looks) : alpha;
  rate.interval = mean_interval(batches.values, error, floor_width);
  rate.decision = decide(rate.interval, rate.threshold.percent / 100, latency);
  return rate;
}

}  // namespace diskaudit
