#include "rejudge.hpp"

#include <algorithm>

#include "request.hpp"

namespace diskaudit {
namespace {

bool names_another_quota(const Options& options) {
  return !options.profile.empty() || options.size || !options.inputs.empty() ||
         options.instance_iops || options.instance_throughput;
}

Result<double> gib_of(const Audit& audit, const Options& options) {
  if (options.size) {
    const auto size = parse_size(*options.size, GiB);
    if (!size) return usage_error("--size: " + size.error().message);
    return static_cast<double>(size->value) / static_cast<double>(GiB);
  }
  const auto gib = audit.plan.inputs.find("gib");
  if (gib != audit.plan.inputs.end()) return gib->second;
  return static_cast<double>(audit.disk.device.size.value) / static_cast<double>(GiB);
}

Result<Profile> profile_for(const Audit& audit, const Options& options) {
  if (!options.profile.empty()) return named_profile(options.profile, options);
  if (audit.plan.profile) return *audit.plan.profile;
  return usage_error("the record was measured without a profile; name one with --profile");
}

// What was measured stays measured as it was; what it is held against comes from the new plan.
void take_targets(Audit& audit, const Plan& plan) {
  const auto take = [&](Job& job, bool measured) {
    const auto found = std::ranges::find_if(
        plan.jobs, [&](const Job& other) { return other.scenario.name == job.scenario.name; });
    if (found == plan.jobs.end()) return;
    job.target = found->target;
    job.iops_ceiling = found->iops_ceiling;
    job.io_unit = found->io_unit;
    if (measured) job.not_tested = found->not_tested;
    if (!measured && job.not_tested == "not_published") job.not_tested = "not_asked";
  };
  for (ScenarioAudit& scenario : audit.scenarios) {
    take(scenario.job, scenario.evidence.judged.has_value());
  }
  for (Job& job : audit.plan.jobs) take(job, true);
}

Result<void> hold_against(Audit& audit, const Options& options) {
  auto profile = profile_for(audit, options);
  if (!profile) return std::unexpected(profile.error());
  const auto gib = gib_of(audit, options);
  if (!gib) return std::unexpected(gib.error());
  const auto words = parse_inputs(options.inputs);
  if (!words) return std::unexpected(words.error());
  auto inputs = read_inputs(*profile, *gib, *words);
  if (!inputs) return std::unexpected(inputs.error());
  auto quota = evaluate(*profile, *inputs);
  if (!quota) return std::unexpected(quota.error());
  PlanOptions wanted = audit.plan.options;
  if (!options.profile.empty()) wanted.tolerance = tolerance_for(*profile);
  if (auto capped = add_instance_caps(wanted.instance, options); !capped) return capped;
  const Plan plan =
      make_plan(*profile, std::move(*inputs), std::move(*quota), audit.disk.device, wanted);
  take_targets(audit, plan);
  audit.plan.profile = plan.profile;
  audit.plan.inputs = plan.inputs;
  audit.plan.quota = plan.quota;
  audit.plan.options = plan.options;
  return {};
}

}  // namespace

Result<void> rejudge(Audit& audit, const Options& options) {
  if (names_another_quota(options)) {
    if (auto held = hold_against(audit, options); !held) return held;
  }
  if (options.min_percent) audit.plan.options.tolerance = {*options.min_percent, "user"};
  judge_again(audit);
  return {};
}

}  // namespace diskaudit
