#include "judge/judge.hpp"

#include <algorithm>

#include "judge/findings.hpp"
#include "judge/hints.hpp"
#include "judge/limiter.hpp"
#include "judge/rate.hpp"

namespace diskaudit {
namespace {

// A low end beyond this share of the quota is worth asking why.
constexpr double over_percent = 105;

// Seconds that spread wider than this leave no level to be near a border.
constexpr double unsteady_spread = 0.10;

constexpr double confidence = 0.99;

// An interval this narrow, as a share of the target, tells one factor from another.
constexpr double sharp = 0.005;

using Values = std::vector<std::pair<std::string, double>>;

void add(Verdict& verdict, ReasonCode code, Values values) {
  verdict.reasons.push_back({code, std::move(values)});
}

Verdict& conclude(Verdict& verdict, Outcome outcome, std::optional<Cause> cause) {
  verdict.outcome = outcome;
  verdict.cause = cause;
  return verdict;
}

std::vector<const Measurement*> all_of(const Evidence& evidence) {
  std::vector<const Measurement*> all;
  for (const Measurement& attempt : evidence.attempts) all.push_back(&attempt);
  for (const Probe& probe : evidence.probes) all.push_back(&probe.measurement);
  if (evidence.judged) all.push_back(&*evidence.judged);
  return all;
}

// A disk that returns errors or loses requests has failed, whatever its rate.
bool has_failed(const Evidence& evidence, Verdict& verdict) {
  double errors = 0;
  double faults = 0;
  for (const Measurement* measurement : all_of(evidence)) {
    errors += static_cast<double>(measurement->all.errors);
    faults += static_cast<double>(measurement->faults.size());
    if (!measurement->hung) continue;
    add(verdict, ReasonCode::Hung, {{"gap_seconds", measurement->longest_gap_seconds}});
  }
  if (errors > 0) add(verdict, ReasonCode::Errors, {{"errors", errors}, {"faults", faults}});
  return !verdict.reasons.empty();
}

bool was_interrupted(const Evidence& evidence, Verdict& verdict) {
  const auto all = all_of(evidence);
  const auto found = std::ranges::find_if(all, &Measurement::interrupted);
  if (found == all.end()) return false;
  add(verdict, ReasonCode::Interrupted, {{"seconds", (*found)->seconds}});
  return true;
}

void state(const Job& job, const Rate& rate, double seconds, const Circumstances& circumstances,
           Verdict& verdict) {
  verdict.bound_by = job.target->bound_by;
  verdict.percent = rate.percent;
  add(verdict, ReasonCode::Measured, {{"value", rate.value}, {"target", job.target->value}});
  add(verdict, ReasonCode::Threshold,
      {{"percent", rate.threshold.percent}, {"value", rate.threshold.value}});
  if (rate.threshold.by_iops) {
    add(verdict, ReasonCode::ThresholdByIops,
        {{"value", rate.threshold.value},
         {"iops", job.iops_ceiling->value},
         {"request_bytes", rate.threshold.request_bytes}});
  }
  verdict.plateau = rate.plateau;
  if (job.target->metric != Metric::LatencyUs) {
    state_availability(rate, circumstances.promised_time_percent, verdict);
  }
  if (rate.interval.batches < 3) {
    add(verdict, ReasonCode::ShortWindow, {{"seconds", seconds}});
    return;
  }
  const bool is_sharp =
      rate.interval.half_width <= sharp && job.target->metric != Metric::LatencyUs;
  const auto ratio = is_sharp ? mix_up_ratio(rate.percent / 100) : std::nullopt;
  if (ratio) add(verdict, ReasonCode::UnitMixUp, {{"ratio", *ratio}});
  verdict.interval = {rate.interval.low() * 100, rate.interval.high() * 100, confidence};
}

// What other attempts at the judged depth came to.
struct Repetitions {
  bool burst_ended = false;
  bool passed = false;
  bool failed = false;
  bool open = false;
};

Repetitions repetitions_of(const Job& job, const Evidence& evidence, const Tolerance& tolerance,
                           Verdict& verdict) {
  Repetitions repetitions;
  for (const Measurement& attempt : evidence.attempts) {
    if (attempt.iodepth != evidence.judged->iodepth) continue;
    const Rate rate = rate_of(job, attempt, tolerance);
    add(verdict, ReasonCode::Repeated, {{"value", rate.value}});
    repetitions.passed |= rate.decision == Decision::Pass;
    repetitions.failed |= rate.decision == Decision::Fail;
    repetitions.open |= rate.decision == Decision::Open;
    repetitions.burst_ended |= is_burst_ended(rate);
    // A disk that has sunk begins its repetition where the first attempt ended.
    if (job.target->metric != Metric::LatencyUs) note_decline(rate, verdict);
  }
  return repetitions;
}

// The findings about depth; none for latencies, which are asked at a depth of their own.
Saturation state_saturation(const Job& job, const Evidence& evidence, const Tolerance& tolerance,
                            Verdict& verdict) {
  const Saturation saturation = saturation_of(job, evidence, tolerance);
  const double iodepth = evidence.judged->iodepth;
  if (saturation.half_depth == 0) {
    add(verdict, ReasonCode::NoHalfDepth, {{"iodepth", iodepth}});
    return saturation;
  }
  add(verdict, ReasonCode::HalfDepth,
      {{"iodepth", static_cast<double>(saturation.half_depth)},
       {"value", saturation.half_value},
       {"ratio", saturation.ratio}});
  if (!saturation.saturated) {
    add(verdict, ReasonCode::DeepestTried,
        {{"iodepth", iodepth}, {"max_iodepth", static_cast<double>(job.max_iodepth)}});
  }
  return saturation;
}

bool wanders(const Rate& rate) {
  return rate.shape.form == Form::Alternating || rate.shape.form == Form::Trending;
}

Cause undecided_cause(const Rate& rate) {
  if (rate.interval.batches < 3) return Cause::Borderline;
  const bool spreads = rate.interval.deviation > unsteady_spread * rate.interval.mean;
  return wanders(rate) || spreads ? Cause::Unsteady : Cause::Borderline;
}

// A declared burst that lasts beyond the window shows the burst's level, and nothing of the target.
bool is_burst_only(const Job& job, const Rate& rate, const Circumstances& circumstances,
                   Verdict& verdict) {
  if (!circumstances.burst || rate.plateau) return false;
  const double target = job.target->value;
  const double drawn_each_second = std::min(rate.value, circumstances.burst->rate) - target;
  if (drawn_each_second <= (over_percent / 100 - 1) * target) return false;
  const double window = rate.batches.seconds * static_cast<double>(rate.batches.values.size());
  const double lasting = circumstances.burst->bucket / drawn_each_second;
  const double remaining = lasting - job.ramp_seconds - window;
  if (remaining <= 0) return false;
  add(verdict, ReasonCode::BurstRemaining, {{"seconds", remaining}});
  return true;
}

void judge_pass(const Repetitions& repetitions, const Job& job, const Rate& rate,
                const Circumstances& circumstances, Verdict& verdict) {
  // It failed and then passed at the same depth: neither stands.
  if (repetitions.failed) {
    conclude(verdict, Outcome::Inconclusive, Cause::Unsteady);
    return;
  }
  if (is_burst_only(job, rate, circumstances, verdict)) {
    conclude(verdict, Outcome::Inconclusive, Cause::BurstOnly);
    return;
  }
  conclude(verdict, Outcome::Pass, std::nullopt);
  if (job.target->metric == Metric::LatencyUs) return;
  if (rate.threshold.by_iops && rate.percent < rate.threshold.target_percent) {
    verdict.bound_by = "iops";
  }
  if (rate.interval.low() * 100 <= over_percent) return;
  verdict.flags.push_back("over");
  add(verdict, ReasonCode::OverQuota, {{"percent", rate.percent}});
}

// Nobody else limits it: the disk is short of depth, near the border, unsteady or below its quota.
void judge_the_disk(const Job& job, const Evidence& evidence, const Rate& rate,
                    const Tolerance& tolerance, const Repetitions& repetitions, Verdict& verdict) {
  if (job.target->metric == Metric::LatencyUs) {
    const bool fails = rate.decision == Decision::Fail && !repetitions.passed && !repetitions.open;
    if (fails) {
      conclude(verdict, Outcome::Fail, Cause::LatencyAboveRange);
    } else {
      conclude(verdict, Outcome::Inconclusive,
               repetitions.passed ? Cause::Unsteady : undecided_cause(rate));
    }
    return;
  }
  const Saturation saturation = state_saturation(job, evidence, tolerance, verdict);
  Cause cause = Cause::BelowQuota;
  if (repetitions.passed) {
    cause = Cause::Unsteady;
  } else if (rate.decision == Decision::Fail && saturation.half_passes) {
    // With half the requests it reached what it did not reach with all of them.
    cause = Cause::Unsteady;
  } else if (rate.decision == Decision::Open) {
    // A disk that sinks gives less at any depth that is tried later.
    const bool too_shallow = saturation.tested && !saturation.saturated && !wanders(rate);
    cause = too_shallow ? Cause::DepthLimited : undecided_cause(rate);
  } else if (!saturation.saturated) {
    cause = Cause::DepthLimited;
  } else if (repetitions.open) {
    cause = undecided_cause(rate);
  }
  const bool fails = cause == Cause::BelowQuota;
  if (fails && (is_burst_ended(rate) || repetitions.burst_ended)) cause = Cause::BurstThenBelow;
  conclude(verdict, fails ? Outcome::Fail : Outcome::Inconclusive, cause);
}

}  // namespace

Verdict judge(const Job& job, const Evidence& evidence, const Circumstances& circumstances) {
  Verdict verdict;
  const bool failed = has_failed(evidence, verdict);
  if (failed) conclude(verdict, Outcome::Fail, Cause::IoError);
  if (!job.not_tested.empty() || !evidence.judged) return verdict;
  const Measurement& judged = *evidence.judged;
  if (!job.target) {
    note_counts(job, judged, verdict);
    return verdict;
  }
  const Tolerance& tolerance = circumstances.tolerance;
  const Rate rate = rate_of(job, judged, tolerance);
  state(job, rate, judged.seconds, circumstances, verdict);
  note_shape(job, judged, rate, verdict);
  note_counts(job, judged, verdict);
  if (failed) return verdict;
  if (was_interrupted(evidence, verdict)) {
    return conclude(verdict, Outcome::Inconclusive, Cause::Interrupted);
  }
  const bool passes = rate.decision == Decision::Pass;
  if (cannot_be_the_disk(job, judged, circumstances, passes, verdict.reasons)) {
    return conclude(verdict, Outcome::Inconclusive, Cause::CacheServed);
  }
  const Repetitions repetitions = repetitions_of(job, evidence, tolerance, verdict);
  if (passes) {
    judge_pass(repetitions, job, rate, circumstances, verdict);
    return verdict;
  }
  const auto other = other_limiter(job, judged, rate, circumstances, verdict.reasons);
  if (other) return conclude(verdict, Outcome::Inconclusive, *other);
  if (is_initialising(job, evidence, circumstances, verdict.reasons)) {
    return conclude(verdict, Outcome::Inconclusive, Cause::Initialising);
  }
  judge_the_disk(job, evidence, rate, tolerance, repetitions, verdict);
  return verdict;
}

bool is_settled(const Job& job, const Measurement& so_far, const Tolerance& tolerance) {
  if (!is_auto(job)) return false;
  const double look = last_look(so_far.seconds);
  if (look <= 0) return false;
  if (!job.target || so_far.all.errors > 0 || look >= job.max_runtime_seconds) return true;
  const Rate rate = rate_of(job, so_far, tolerance);
  if (rate.decision == Decision::Open) return false;
  if (rate.plateau && rate.plateau->end_seconds - rate.plateau->begin_seconds < looks[0]) {
    return false;
  }
  // A change that has just begun may be the end of a burst.
  return ends_steadily(rate.batches.values);
}

}  // namespace diskaudit
