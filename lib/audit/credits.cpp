#include "audit/credits.hpp"

#include <algorithm>
#include <vector>

#include "audit/steps.hpp"
#include "judge/witness.hpp"

namespace diskaudit {
namespace {

struct Run {
  const Measurement* measurement = nullptr;
  double ramp_seconds = 0;
};

// In the order of their windows. Where a record does not state these, the judged attempt was last.
std::vector<Run> runs_of(const ScenarioAudit& scenario) {
  const auto& [job, evidence, verdict] = scenario;
  std::vector<Run> runs;
  for (const Probe& probe : evidence.probes) {
    runs.push_back({&probe.measurement, ramp_of(job, probe.purpose)});
  }
  const double ramp = ramp_of(job, Purpose::Attempt);
  for (const Measurement& attempt : evidence.attempts) runs.push_back({&attempt, ramp});
  if (evidence.judged) runs.push_back({&*evidence.judged, ramp});
  std::ranges::stable_sort(runs, {},
                           [](const Run& run) { return run.measurement->window_begin_ns; });
  return runs;
}

// The ramp is taken to have gone at the rate of the window.
Traffic traffic_of(const Job& job, const Run& run) {
  const double seconds = run.ramp_seconds + run.measurement->seconds;
  return {.seconds = seconds,
          .bytes = bytes_per_second(*run.measurement) * seconds,
          .request_bytes = request_bytes(job, *run.measurement),
          .pattern = job.scenario.pattern};
}

}  // namespace

CreditHistory::CreditHistory(const Audit& audit) : account_(audit.plan.quota) {
  if (!audit.filling) return;
  account_.draw({.seconds = audit.filling->seconds,
                 .bytes = static_cast<double>(audit.filling->bytes.value),
                 .request_bytes = static_cast<double>(audit.filling->request.value)});
  last_ns_ = audit.filling->end_ns;
}

void CreditHistory::rest_until(std::uint64_t begin_ns, double ramp_seconds) {
  if (last_ns_ == 0 || begin_ns <= last_ns_) return;
  const double between = static_cast<double>(begin_ns - last_ns_) / 1e9;
  account_.draw({.seconds = std::max(0.0, between - ramp_seconds)});
}

std::optional<BurstCredit> CreditHistory::spend(const ScenarioAudit& scenario) {
  std::optional<BurstCredit> left;
  for (const Run& run : runs_of(scenario)) {
    const Measurement& measurement = *run.measurement;
    rest_until(measurement.window_begin_ns, run.ramp_seconds);
    const bool is_judged = scenario.evidence.judged && &measurement == &*scenario.evidence.judged;
    if (is_judged) left = account_.credit_for(scenario.job);
    account_.draw(traffic_of(scenario.job, run));
    last_ns_ = measurement.window_end_ns;
  }
  return left;
}

}  // namespace diskaudit
