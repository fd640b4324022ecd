#include <algorithm>

#include "judge/judge.hpp"
#include "judge/limiter.hpp"
#include "judge/rate.hpp"

namespace diskaudit {
namespace {

// From here an attempt is too dear to look for the right depth with.
constexpr double long_runtime = 120;

// Half the depth that gives this share of the whole leaves nothing to gain.
constexpr double no_gain = 0.97;

bool has_broken(const Measurement& measurement) {
  return measurement.interrupted || measurement.hung || measurement.all.errors > 0;
}

// Nothing that is measured after a fault, a signal or a lost request can mend the verdict.
bool is_over(const Evidence& evidence) {
  const auto broken = [](const Probe& probe) { return has_broken(probe.measurement); };
  return has_broken(*evidence.judged) || std::ranges::any_of(evidence.probes, broken) ||
         std::ranges::any_of(evidence.attempts, has_broken);
}

bool is_repeated(const Evidence& evidence) {
  return std::ranges::any_of(evidence.attempts, [&](const Measurement& attempt) {
    return attempt.iodepth == evidence.judged->iodepth;
  });
}

bool was_read_twice(const Evidence& evidence) {
  return std::ranges::any_of(evidence.probes, [&](const Probe& probe) {
    return probe.purpose == Purpose::SecondPass &&
           probe.measurement.iodepth == evidence.judged->iodepth;
  });
}

// The probe or attempt at the greatest depth so far, and the one before it.
struct Deepest {
  const Measurement* deepest = nullptr;
  const Measurement* before = nullptr;
};

Deepest deepest_of(const Evidence& evidence) {
  std::vector<const Measurement*> all = {&*evidence.judged};
  for (const Measurement& attempt : evidence.attempts) all.push_back(&attempt);
  for (const Probe& probe : evidence.probes) all.push_back(&probe.measurement);
  std::ranges::sort(all, {}, &Measurement::iodepth);
  return {all.back(), all.size() > 1 ? all[all.size() - 2] : nullptr};
}

// Not saturated: twice the depth. Where an attempt takes minutes, probes first find the depth that
// is worth them: the one that reaches the threshold, or gives no more than half of it did.
std::optional<NextStep> deeper(const Job& job, const Evidence& evidence, const Rate& rate) {
  const unsigned judged = evidence.judged->iodepth;
  if (judged >= job.max_iodepth) return std::nullopt;
  const auto twice = [&](unsigned iodepth) { return std::min(2 * iodepth, job.max_iodepth); };
  if (job.runtime_seconds < long_runtime) return NextStep{Purpose::Attempt, twice(judged)};
  const auto [deepest, before] = deepest_of(evidence);
  if (deepest->iodepth <= judged) return NextStep{Purpose::HalfDepth, twice(judged)};
  const double value = value_of(job, *deepest);
  const bool enough = value >= rate.threshold.value || deepest->iodepth >= job.max_iodepth ||
                      value_of(job, *before) >= no_gain * value;
  if (enough) return NextStep{Purpose::Attempt, deepest->iodepth};
  return NextStep{Purpose::HalfDepth, twice(deepest->iodepth)};
}

}  // namespace

std::optional<NextStep> next_step(const Job& job, const Evidence& evidence,
                                  const Circumstances& circumstances) {
  if (!job.not_tested.empty()) return std::nullopt;
  if (!evidence.judged) return NextStep{Purpose::Attempt, job.iodepth};
  if (!job.target || is_over(evidence)) return std::nullopt;
  const Measurement& judged = *evidence.judged;
  const Rate rate = rate_of(job, judged, circumstances.tolerance);
  if (rate.decision == Decision::Pass) return std::nullopt;
  std::vector<Reason> unused;
  if (cannot_be_the_disk(job, judged, circumstances, false, unused) ||
      other_limiter(job, judged, rate, circumstances, unused)) {
    return std::nullopt;
  }
  const NextStep again{Purpose::Attempt, judged.iodepth};
  const bool fails = rate.decision == Decision::Fail;
  if (job.target->metric == Metric::LatencyUs) {
    return fails && !is_repeated(evidence) ? std::optional(again) : std::nullopt;
  }
  if (may_be_initialising(job, circumstances)) {
    if (!was_read_twice(evidence)) return NextStep{Purpose::SecondPass, judged.iodepth};
    if (is_initialising(job, evidence, circumstances, unused)) return std::nullopt;
  }
  const Saturation saturation = saturation_of(job, evidence, circumstances.tolerance);
  if (!saturation.tested && judged.iodepth >= 2) {
    return NextStep{Purpose::HalfDepth, judged.iodepth / 2};
  }
  if (!saturation.saturated) return deeper(job, evidence, rate);
  return fails && !is_repeated(evidence) ? std::optional(again) : std::nullopt;
}

}  // namespace diskaudit
