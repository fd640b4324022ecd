#include "judge/batches.hpp"

#include <algorithm>
#include <cmath>

namespace diskaudit {
namespace {

constexpr std::size_t fewest_batches = 10;

double amount(Metric metric, const Series& series, std::size_t bin) {
  switch (metric) {
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
  std::size_t stored = std::min(series.ios.size(), series.bytes.size());
  if (job.target->metric == Metric::LatencyUs) {
    stored = std::min(stored, series.latency_mean_us.size());
  }
  // The last bin may be cut short by the end of the window; a rounding error must not drop it.
  const double bins = std::max(0.0, seconds / series.interval_seconds + 1e-6);
  return bins < static_cast<double>(stored) ? static_cast<std::size_t>(bins) : stored;
}

std::size_t bins_a_batch(const Series& series, std::size_t bins) {
  // Compared as it is, since a record of anybody may state an interval of next to nothing.
  const double second = std::round(1 / series.interval_seconds);
  const std::size_t most = std::max<std::size_t>(1, bins / fewest_batches);
  return second < static_cast<double>(most) ? std::max<std::size_t>(1, std::size_t(second)) : most;
}

bool lies_in_void(const Measurement& measurement, double begin, double end) {
  return std::ranges::any_of(measurement.voids, [&](const VoidSpan& span) {
    return span.begin_seconds < end && span.end_seconds > begin;
  });
}

}  // namespace

double last_look(double seconds) {
  double last = 0;
  for (const double look : looks) {
    if (seconds >= look - 1e-6) last = look;
  }
  return last;
}

bool is_auto(const Job& job) { return job.runtime_seconds <= 0; }

Batches batches_of(const Job& job, const Measurement& measurement) {
  const Series& series = measurement.all.series;
  const std::size_t bins = whole_bins(job, measurement);
  const std::size_t width = bins_a_batch(series, bins);
  Batches batches;
  batches.seconds = static_cast<double>(width) * series.interval_seconds;
  const bool latency = job.target->metric == Metric::LatencyUs;
  for (std::size_t first = 0; first + width <= bins; first += width) {
    const double begin = static_cast<double>(first) * series.interval_seconds;
    if (lies_in_void(measurement, begin, begin + batches.seconds)) {
      batches.complete = false;
      continue;
    }
    double sum = 0;
    double ios = 0;
    for (std::size_t bin = first; bin < first + width; ++bin) {
      sum += amount(job.target->metric, series, bin);
      ios += static_cast<double>(series.ios[bin]);
    }
    // A second without completions has no latency.
    if (latency && ios <= 0) continue;
    batches.values.push_back(sum / (latency ? ios : batches.seconds));
    batches.begin_seconds.push_back(begin);
  }
  return batches;
}

}  // namespace diskaudit
