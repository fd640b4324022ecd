#include "judge/findings.hpp"

#include <algorithm>
#include <cmath>

#include "judge/witness.hpp"

namespace diskaudit {
namespace {

constexpr double worth_noting = 0.01;  // foreign I/O, of ours
constexpr double noted_spread = 0.02;
constexpr double unstable_spread = 0.10;
constexpr double noted_stall_seconds = 1;

// From here a window is long enough to ask what became of its first minute.
constexpr double decline_seconds = 180;
constexpr std::size_t decline_batches = 60;
constexpr double noted_decline = 0.05;

// Accounting by Little's law, beside what the edges of the window explain.
constexpr double little_tolerance = 0.03;

void add(Verdict& verdict, ReasonCode code, std::vector<std::pair<std::string, double>> values) {
  verdict.reasons.push_back({code, std::move(values)});
}

double seconds_of(const Rate& rate, const Step& step) {
  return rate.batches.begin_seconds[step.at];
}

void note_burst(const Job& job, const Rate& rate, Verdict& verdict) {
  const Step& first = rate.shape.steps.front();
  const Step& last = rate.shape.steps.back();
  const double excess = (first.before - last.after) * job.target->value;
  // The ramp has drawn on the bucket as the window did.
  const double bucket = excess * (seconds_of(rate, first) + job.ramp_seconds);
  add(verdict, ReasonCode::BurstEnded,
      {{"at", seconds_of(rate, last)},
       {"burst", first.before * 100},
       {"level", last.after * 100},
       {"bucket", bucket}});
}

void note_steps(const Job& job, const Rate& rate, Verdict& verdict) {
  const Shape& shape = rate.shape;
  if (shape.form == Form::Trending) {
    add(verdict, ReasonCode::Trend, {{"percent", (shape.line.end / shape.line.begin - 1) * 100}});
  }
  if (shape.form == Form::Alternating) {
    const auto [low, high] = std::ranges::minmax(shape.steps, {}, &Step::after);
    const double first = shape.steps.front().before;
    add(verdict, ReasonCode::Alternating,
        {{"low", std::min(first, low.after) * 100}, {"high", std::max(first, high.after) * 100}});
  }
  for (const Step& step : shape.steps) {
    const ReasonCode code = shape.form == Form::WarmUp ? ReasonCode::WarmUp : ReasonCode::Step;
    add(verdict, code,
        {{"at", seconds_of(rate, step)},
         {"before", step.before * 100},
         {"after", step.after * 100}});
  }
  if (is_burst_ended(rate)) note_burst(job, rate, verdict);
  if (!rate.plateau) return;
  add(verdict, ReasonCode::Plateau,
      {{"begin", rate.plateau->begin_seconds},
       {"end", rate.plateau->end_seconds},
       {"percent", rate.percent}});
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void note_saw_tooth(const Job& job, const Measurement& measurement, Verdict& verdict) {
  const Series& series = measurement.all.series;
  std::vector<double> bins;
  for (std::size_t i = 0; i < series.ios.size() && i < series.bytes.size(); ++i) {
    const bool in_bytes = job.target->metric == Metric::BytesPerSecond;
    bins.push_back(static_cast<double>(in_bytes ? series.bytes[i] : series.ios[i]));
  }
  const SawTooth saw_tooth = saw_tooth_of(bins);
  if (saw_tooth.period == 0) return;
  add(verdict, ReasonCode::SawTooth,
      {{"period", static_cast<double>(saw_tooth.period) * series.interval_seconds},
       {"swing", saw_tooth.swing * 100}});
}

// In a closed loop the mean latency is what is outstanding by the rate; anything else is an error
// in the accounting, or figures that are not of one run.
void note_impossible_latency(const Measurement& measurement, Verdict& verdict) {
  const double rate = iops(measurement);
  const double latency_us = measurement.all.latency.mean;
  const double inflight =
      measurement.inflight_mean > 0 ? measurement.inflight_mean : measurement.iodepth;
  if (rate <= 0 || latency_us <= 0) return;
  const double implied_us = inflight / rate * 1e6;
  const double edges = 2 * implied_us / 1e6 / measurement.seconds;
  if (std::abs(latency_us - implied_us) <= (little_tolerance + edges) * implied_us) return;
  verdict.flags.push_back("latency_impossible");
  add(verdict, ReasonCode::LatencyImpossible,
      {{"latency_us", latency_us}, {"implied_us", implied_us}, {"inflight", inflight}});
}

}  // namespace

bool is_burst_ended(const Rate& rate) {
  return rate.shape.form == Form::BurstEnded &&
         rate.shape.steps.front().before >= rate.threshold.percent / 100;
}

void note_decline(const Rate& rate, Verdict& verdict) {
  if (std::ranges::count(verdict.reasons, ReasonCode::Decline, &Reason::code) > 0) return;
  const std::span<const double> batches = rate.batches.values;
  if (static_cast<double>(batches.size()) * rate.batches.seconds < decline_seconds) return;
  if (batches.size() < decline_batches) return;
  const double first = mean_of(batches.first(decline_batches));
  const double last = mean_of(batches.last(decline_batches));
  if (last >= first * (1 - noted_decline)) return;
  add(verdict, ReasonCode::Decline, {{"first", first * 100}, {"last", last * 100}});
}

void note_shape(const Job& job, const Measurement& measurement, const Rate& rate,
                Verdict& verdict) {
  if (measurement.longest_gap_seconds >= noted_stall_seconds) {
    add(verdict, ReasonCode::Stall, {{"seconds", measurement.longest_gap_seconds}});
  }
  if (job.target->metric == Metric::LatencyUs) return;
  note_steps(job, rate, verdict);
  note_decline(rate, verdict);
  note_saw_tooth(job, measurement, verdict);
  const bool wanders = rate.shape.form == Form::Alternating || rate.shape.form == Form::Trending;
  if (wanders) verdict.flags.push_back("unstable");
  // Shorter batches spread as a token bucket ticks.
  if (rate.batches.seconds < least_batch_seconds) return;
  const std::span<const double> counted =
      std::span(rate.batches.values).subspan(rate.shape.begin, rate.shape.end - rate.shape.begin);
  const Outliers outliers = outliers_of(counted);
  if (outliers.count > 0) {
    add(verdict, ReasonCode::OutlierSeconds,
        {{"count", static_cast<double>(outliers.count)}, {"worst", outliers.worst * 100}});
  }
  const double spread = rate.interval.mean > 0 ? rate.interval.deviation / rate.interval.mean : 0;
  if (spread > noted_spread) add(verdict, ReasonCode::Spread, {{"percent", spread * 100}});
  if (!wanders && spread > unstable_spread) verdict.flags.push_back("unstable");
}

void note_counts(const Job& job, const Measurement& measurement, Verdict& verdict) {
  const double ratio = split_ratio(job, measurement);
  if (ratio > 1) add(verdict, ReasonCode::RequestsSplit, {{"ratio", ratio}});
  const bool is_rate = job.scenario.metric != Metric::LatencyUs;
  const double own = value_of(job, measurement);
  const double foreign = foreign_rate(job, measurement);
  if (is_rate && own > 0 && foreign > worth_noting * own) {
    add(verdict, ReasonCode::Foreign, {{"value", foreign}, {"percent", foreign / own * 100}});
  }
  if (is_rate && measurement.iodepth > 1 && iops(measurement) > 0) {
    add(verdict, ReasonCode::SaturationLatency,
        {{"latency_us", measurement.iodepth / iops(measurement) * 1e6}});
  }
  note_impossible_latency(measurement, verdict);
}

}  // namespace diskaudit
