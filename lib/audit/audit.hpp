#pragma once
/// The pipeline over a Plan, given a way to run a Job; and the Audit that it leaves behind.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/guard.hpp"
#include "judge/judge.hpp"
#include "measure/filling.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// One scenario with all its evidence.
struct ScenarioAudit {
  Job job{};
  Evidence evidence{};
  Verdict verdict{};
};

/// The whole evidence: a record holds this and nothing else, a report shows it.
struct Audit {
  std::string id{};  ///< UUID
  std::string tool_version{};
  std::string tool_commit{};
  std::string started{};  ///< RFC 3339 UTC with ms
  std::string ended{};
  std::vector<std::string> command_line{};
  Disk disk{};
  Bytes span{};  ///< bytes of the test file, or of the device, that were used
  std::optional<Filling> filling{};
  std::vector<GuardCheck> guard{};  ///< before a device was written on; else empty
  Environment environment{};
  Plan plan{};
  std::vector<ScenarioAudit> scenarios{};  ///< those finished, in the order run
  std::vector<std::string> notes{};  ///< things the user should know ("test file made smaller")
  Outcome outcome = Outcome::Inconclusive;
  std::optional<Cause> cause{};
  std::vector<Reason> hints{};  ///< at another size or type that explains what was measured
  std::optional<int> signal{};  ///< that interrupted it
  std::optional<std::string> refused{};  ///< why nothing was measured
};

/// What the runner does for the pipeline: ramp, window, drain. `watch` sees the series as it grows
/// and returns true to end the window.
using Settled = std::function<bool(const Measurement& so_far)>;
using RunJob = std::function<Result<Measurement>(const Job&, const Settled&)>;

struct AuditHooks {
  RunJob run_job{};
  std::function<void(const Job&)> starting = [](const Job&) {};
  std::function<void(const ScenarioAudit&)> finished = [](const ScenarioAudit&) {};
};

/// Runs and judges the plan's jobs one after the other into `audit.scenarios`, calling back after
/// each; stops at the first interrupted or impossible one.
Result<void> run_audit(Audit& audit, const AuditHooks& hooks);

/// Outcome, cause and hints of the whole: fail before inconclusive before pass; nothing judged is
/// inconclusive.
void conclude(Audit& audit);

/// Holds every job, measured or not, against the plan's profile as it now stands.
void retarget(Audit& audit);

/// Judges the evidence again under the plan as it now stands.
void judge_again(Audit& audit);

/// By outcome alone, as for a record that is judged again.
ExitCode verdict_exit_code(const Audit& audit);

/// By outcome; 128 + n for an audit that signal n ended.
int exit_code_of(const Audit& audit);

}  // namespace diskaudit
