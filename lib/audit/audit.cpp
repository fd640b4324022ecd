#include "audit/audit.hpp"

#include <algorithm>

#include "audit/credits.hpp"
#include "audit/steps.hpp"
#include "judge/hints.hpp"
#include "plan/dispute.hpp"

namespace diskaudit {
namespace {

// Without the credits of a burst, which say what the window is worth and not how to measure it.
Circumstances circumstances_of(const Audit& audit) {
  const auto& profile = audit.plan.profile;
  return {.tolerance = audit.plan.options.tolerance,
          .environment = audit.environment,
          .device = audit.disk.device,
          .kind = audit.disk.kind,
          .copy_on_write = audit.disk.copy_on_write,
          .promised_time_percent =
              profile && profile->promise ? profile->promise->time_percent : std::nullopt};
}

void add(Evidence& evidence, Purpose purpose, Measurement measurement) {
  if (purpose != Purpose::Attempt) {
    evidence.probes.push_back({purpose, std::move(measurement)});
    return;
  }
  if (evidence.judged) evidence.attempts.push_back(std::move(*evidence.judged));
  evidence.judged = std::move(measurement);
}

// Whether nothing but trouble came of it, so that no more is to be measured.
bool has_ended(const Measurement& measurement) {
  const Flow& flow = measurement.all;
  return measurement.interrupted || measurement.hung || (flow.ios == 0 && flow.errors > 0);
}

// False when the scenario ends here. Then the trouble is what is judged, without the rate of one
// request at a time, which is nobody's target.
Result<bool> probe_latency(ScenarioAudit& scenario, const RunJob& run_job) {
  const auto job = latency_probe_of(scenario.job);
  if (!job) return true;
  auto measurement = run_job(*job, [](const Measurement&) { return false; });
  if (!measurement) return std::unexpected(measurement.error());
  if (!has_ended(*measurement)) {
    scenario.evidence.probes.push_back({Purpose::Latency, std::move(*measurement)});
    return true;
  }
  measurement->seconds = 0;
  measurement->all = Flow{.errors = measurement->all.errors};
  measurement->read = measurement->write = Flow{};
  scenario.evidence.judged = std::move(*measurement);
  return false;
}

// Measures until the judge wants nothing more. The evidence gathered so far stays in `scenario`
// whatever happens.
Result<void> measure(ScenarioAudit& scenario, const Circumstances& circumstances,
                     const RunJob& run_job) {
  const auto probed = probe_latency(scenario, run_job);
  if (!probed) return std::unexpected(probed.error());
  if (!*probed) return {};
  while (auto step = next_step(scenario.job, scenario.evidence, circumstances)) {
    const Job job = job_for(*step, scenario.job);
    auto settled = [&](const Measurement& so_far) {
      return step->purpose == Purpose::Attempt && is_settled(job, so_far, circumstances.tolerance);
    };
    auto measurement = run_job(job, settled);
    if (!measurement) return std::unexpected(measurement.error());
    const bool ended = measurement->interrupted || measurement->hung;
    add(scenario.evidence, step->purpose, std::move(*measurement));
    if (ended) return {};
  }
  return {};
}

// Where the vendor's documents disagree, a verdict that hangs on which of them is right says so.
Verdict judged(const Audit& audit, const ScenarioAudit& scenario, CreditHistory& credits) {
  const auto& [job, evidence, _] = scenario;
  const Plan& plan = audit.plan;
  Circumstances circumstances = circumstances_of(audit);
  circumstances.burst = credits.spend(scenario);
  Verdict verdict = judge(job, evidence, circumstances);
  if (!plan.quota || !verdict.percent) return verdict;
  for (const DisputedQuota& dispute : plan.quota->disputes) {
    const Job other = job_under(dispute, job, plan);
    if (!other.target) continue;
    const Verdict theirs = judge(other, evidence, circumstances);
    if (theirs.outcome == verdict.outcome || !theirs.percent) continue;
    verdict.reasons.push_back(
        {ReasonCode::Disputed,
         {{"target", other.target->value}, {"percent", *theirs.percent}},
         dispute.source.empty() ? "diskaudit profiles show " + plan.profile->id : dispute.source});
  }
  return verdict;
}

bool was_interrupted(const Evidence& evidence) {
  const auto interrupted = [](const Measurement& measurement) { return measurement.interrupted; };
  return (evidence.judged && evidence.judged->interrupted) ||
         std::ranges::any_of(evidence.probes, interrupted, &Probe::measurement);
}

bool has_hung(const Evidence& evidence) {
  const auto hung = [](const Measurement& measurement) { return measurement.hung; };
  return (evidence.judged && evidence.judged->hung) ||
         std::ranges::any_of(evidence.probes, hung, &Probe::measurement);
}

// The order in which one scenario's outcome becomes the audit's.
int rank(Outcome outcome) {
  switch (outcome) {
    case Outcome::Fail:
      return 3;
    case Outcome::Inconclusive:
      return 2;
    case Outcome::Pass:
      return 1;
    case Outcome::NotTested:
      return 0;
  }
  return 0;
}

// What the disk itself came to: rates that something else held down say nothing of its size.
std::vector<Reason> hints_of(const Audit& audit) {
  std::vector<Observation> observations;
  for (const ScenarioAudit& scenario : audit.scenarios) {
    const Verdict& verdict = scenario.verdict;
    const auto& target = scenario.job.target;
    const bool own = verdict.outcome == Outcome::Pass || verdict.cause == Cause::BelowQuota ||
                     verdict.cause == Cause::BurstThenBelow;
    if (!own || !target || !verdict.percent || target->metric == Metric::LatencyUs) continue;
    observations.push_back({scenario.job.scenario, *verdict.percent / 100 * target->value});
  }
  return better_fits(audit.plan, observations);
}

}  // namespace

Result<void> run_audit(Audit& audit, const AuditHooks& hooks) {
  CreditHistory credits(audit);
  const Circumstances circumstances = circumstances_of(audit);
  for (const Job& job : audit.plan.jobs) {
    ScenarioAudit scenario{.job = job};
    Result<void> measured;
    if (job.not_tested.empty()) {
      hooks.starting(job);
      measured = measure(scenario, circumstances, hooks.run_job);
    }
    if (!measured && !scenario.evidence.judged) return measured;
    scenario.verdict = judged(audit, scenario, credits);
    const bool ended = was_interrupted(scenario.evidence) || has_hung(scenario.evidence);
    audit.scenarios.push_back(std::move(scenario));
    hooks.finished(audit.scenarios.back());
    if (!measured) return measured;
    if (ended) break;
  }
  return {};
}

void conclude(Audit& audit) {
  audit.outcome = Outcome::NotTested;
  audit.cause.reset();
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (rank(scenario.verdict.outcome) <= rank(audit.outcome)) continue;
    audit.outcome = scenario.verdict.outcome;
    audit.cause = scenario.verdict.cause;
  }
  audit.hints.clear();
  // A plain measurement has no verdict to give.
  if (!audit.plan.profile) return;
  audit.hints = hints_of(audit);
  if (audit.outcome == Outcome::NotTested) audit.outcome = Outcome::Inconclusive;
  if (audit.refused) return;
  // What was not finished cannot pass; what has failed has failed.
  const bool finished = !audit.signal && audit.scenarios.size() == audit.plan.jobs.size();
  if (!finished && audit.outcome != Outcome::Fail) {
    audit.outcome = Outcome::Inconclusive;
    audit.cause = Cause::Interrupted;
  }
}

void retarget(Audit& audit) {
  for (Job& job : audit.plan.jobs) retarget(job, audit.plan);
  for (ScenarioAudit& scenario : audit.scenarios) {
    Job& job = scenario.job;
    retarget(job, audit.plan);
    if (scenario.evidence.judged) {
      job.not_tested = job.target || !audit.plan.quota ? "" : "not_published";
    } else if (job.not_tested == "not_published" && job.target) {
      job.not_tested = "not_asked";
    }
  }
}

void judge_again(Audit& audit) {
  CreditHistory credits(audit);
  for (ScenarioAudit& scenario : audit.scenarios) {
    scenario.verdict = judged(audit, scenario, credits);
  }
  conclude(audit);
}

ExitCode verdict_exit_code(const Audit& audit) {
  switch (audit.outcome) {
    case Outcome::Pass:
      return ExitCode::Pass;
    case Outcome::Fail:
      return ExitCode::Fail;
    case Outcome::Inconclusive:
      return ExitCode::Inconclusive;
    case Outcome::NotTested:
      break;
  }
  return audit.plan.profile ? ExitCode::Inconclusive : ExitCode::Pass;
}

int exit_code_of(const Audit& audit) {
  if (audit.refused) return static_cast<int>(ExitCode::Refused);
  return audit.signal ? 128 + *audit.signal : static_cast<int>(verdict_exit_code(audit));
}

}  // namespace diskaudit
