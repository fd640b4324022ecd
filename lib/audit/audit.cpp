#include "audit/audit.hpp"

#include <algorithm>

#include "judge/hints.hpp"
#include "plan/dispute.hpp"

namespace diskaudit {
namespace {

// A probe answers one question, whether less depth gives less, and needs no more time than this.
constexpr double probe_seconds = 10;
constexpr double probe_ramp_seconds = 2;

// What one request takes when it is alone, a rate divided by it is the depth that the rate needs.
// Asked before every scenario, so kept short.
constexpr double longest_latency_probe = 2;
constexpr double shortest_latency_probe = 0.5;
constexpr double latency_probe_ramp = 0.2;
constexpr double latency_probe_share = 0.1;  // of a runtime that was asked for

// The same seed draws the same blocks. A second pass must not run beyond those of the first,
// however much faster it is.
constexpr double second_pass_seconds = 5;

Circumstances circumstances_of(const Audit& audit, const Job& job, const BurstAccount& account) {
  const auto& profile = audit.plan.profile;
  return {.tolerance = audit.plan.options.tolerance,
          .environment = audit.environment,
          .device = audit.disk.device,
          .kind = audit.disk.kind,
          .copy_on_write = audit.disk.copy_on_write,
          .burst = account.credit_for(job),
          .promised_time_percent =
              profile && profile->promise ? profile->promise->time_percent : std::nullopt};
}

// What a scenario took of the buckets, in its ramps as in its windows.
void draw(BurstAccount& account, const ScenarioAudit& scenario) {
  const auto draw_by = [&](const Measurement& measurement) {
    account.draw(iops(measurement), bytes_per_second(measurement),
                 scenario.job.ramp_seconds + measurement.seconds);
  };
  for (const Measurement& attempt : scenario.evidence.attempts) draw_by(attempt);
  for (const Probe& probe : scenario.evidence.probes) draw_by(probe.measurement);
  if (scenario.evidence.judged) draw_by(*scenario.evidence.judged);
}

// The job as the next step wants it: other depth, and for a probe a short, fixed window.
Job adapted(const Job& job, const NextStep& step) {
  Job next = job;
  next.iodepth = step.iodepth;
  next.threads = std::min(job.threads, step.iodepth);
  if (step.purpose == Purpose::Attempt) return next;
  const bool again = step.purpose == Purpose::SecondPass;
  const double longest = again ? second_pass_seconds : probe_seconds;
  next.ramp_seconds = again ? 0 : std::min(job.ramp_seconds, probe_ramp_seconds);
  next.runtime_seconds = job.runtime_seconds > 0 ? std::min(job.runtime_seconds, longest) : longest;
  return next;
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
    const Job job = adapted(scenario.job, *step);
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
Verdict judged(const Plan& plan, const Job& job, const Evidence& evidence,
               const Circumstances& circumstances) {
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

std::optional<Job> latency_probe_of(const Job& job) {
  if (job.iodepth == 1) return std::nullopt;
  Job probe = job;
  probe.iodepth = probe.threads = 1;
  probe.ramp_seconds = std::min(job.ramp_seconds, latency_probe_ramp);
  probe.runtime_seconds = longest_latency_probe;
  if (job.runtime_seconds > 0) {
    probe.runtime_seconds = std::clamp(latency_probe_share * job.runtime_seconds,
                                       shortest_latency_probe, longest_latency_probe);
  }
  probe.seed = ~job.seed;  // other blocks than the attempt's, which it is to find untouched
  return probe;
}

Result<void> run_audit(Audit& audit, const AuditHooks& hooks) {
  BurstAccount account(audit.plan.quota);
  for (const Job& job : audit.plan.jobs) {
    const Circumstances circumstances = circumstances_of(audit, job, account);
    ScenarioAudit scenario{.job = job};
    Result<void> measured;
    if (job.not_tested.empty()) {
      hooks.starting(job);
      measured = measure(scenario, circumstances, hooks.run_job);
    }
    if (!measured && !scenario.evidence.judged) return measured;
    scenario.verdict = judged(audit.plan, scenario.job, scenario.evidence, circumstances);
    draw(account, scenario);
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
  BurstAccount account(audit.plan.quota);
  for (ScenarioAudit& scenario : audit.scenarios) {
    const Circumstances circumstances = circumstances_of(audit, scenario.job, account);
    scenario.verdict = judged(audit.plan, scenario.job, scenario.evidence, circumstances);
    draw(account, scenario);
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
