#include <algorithm>

#include "judge/judge.hpp"
#include "judge/limiter.hpp"
#include "judge/rate.hpp"

namespace diskaudit {
namespace {

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
  if (cannot_be_the_disk(job, judged, circumstances, unused) ||
      other_limiter(job, judged, rate, circumstances, unused)) {
    return std::nullopt;
  }
  const NextStep again{Purpose::Attempt, judged.iodepth};
  const bool fails = rate.decision == Decision::Fail;
  if (job.target->metric == Metric::LatencyUs) {
    return fails && !is_repeated(evidence) ? std::optional(again) : std::nullopt;
  }
  const Saturation saturation = saturation_of(job, evidence, circumstances.tolerance);
  if (!saturation.tested && judged.iodepth >= 2) {
    return NextStep{Purpose::HalfDepth, judged.iodepth / 2};
  }
  if (!saturation.saturated) {
    if (judged.iodepth >= job.max_iodepth) return std::nullopt;
    return NextStep{Purpose::Attempt, std::min(2 * judged.iodepth, job.max_iodepth)};
  }
  return fails && !is_repeated(evidence) ? std::optional(again) : std::nullopt;
}

}  // namespace diskaudit
