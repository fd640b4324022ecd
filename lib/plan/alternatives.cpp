#include "plan/alternatives.hpp"

namespace diskaudit {

std::vector<Alternative> alternatives_of(const Plan& plan, std::span<const Profile> profiles) {
  std::vector<Alternative> alternatives;
  if (!plan.profile || !plan.inputs.contains("gib")) return alternatives;
  for (const Profile& profile : profiles) {
    if (profile.id == plan.profile->id || profile.vendor.en != plan.profile->vendor.en) continue;
    const auto inputs = complete_inputs(profile, {{"gib", plan.inputs.at("gib")}});
    if (!inputs) continue;
    const auto quota = evaluate(profile, *inputs);
    if (!quota) continue;
    Alternative alternative{.id = profile.id};
    for (const Job& job : plan.jobs) {
      const auto target = target_of(job.scenario, *quota, plan.options.instance);
      if (target) alternative.targets.emplace_back(job.scenario.name, target->value);
    }
    if (!alternative.targets.empty()) alternatives.push_back(std::move(alternative));
  }
  return alternatives;
}

}  // namespace diskaudit
