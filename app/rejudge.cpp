#include "rejudge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "request.hpp"

namespace diskaudit {
namespace {

bool names_another_quota(const Options& options) {
  return !options.profile.empty() || !options.as_of.empty() || options.size ||
         !options.inputs.empty() || options.instance_iops || options.instance_throughput;
}

// The profile that the options name, else the record's own, as of the day that they name.
Result<Profile> profile_to_judge_by(const Plan& plan, const Options& options) {
  if (!options.profile.empty()) return named_profile(options.profile, options);
  if (!plan.profile) {
    return usage_error("the record was measured without a profile; name one with --profile");
  }
  if (options.as_of.empty()) return *plan.profile;
  // From the definition: the profile itself may already be that of another day.
  const auto profile = read_profile(plan.profile->document, "profile in record");
  return profile ? as_of(*profile, options.as_of) : profile;
}

double recorded_gib(const Audit& audit) {
  const auto gib = audit.plan.inputs.find("gib");
  if (gib != audit.plan.inputs.end()) return gib->second;
  return static_cast<double>(audit.disk.device.size.value) / static_cast<double>(GiB);
}

// What the options say; of the rest the record's own values, where the profile is the record's.
Result<Inputs> inputs_to_judge_by(const Audit& audit, const Profile& profile,
                                  const Options& options) {
  auto words = parse_inputs(options.inputs);
  if (!words) return std::unexpected(words.error());
  double gib = recorded_gib(audit);
  if (options.size) {
    const auto size = parse_size(*options.size, GiB);
    if (!size) return usage_error("--size: " + size.error().message);
    gib = static_cast<double>(size->value) / static_cast<double>(GiB);
  }
  const bool same = audit.plan.profile && audit.plan.profile->id == profile.id;
  for (const auto& [name, value] : audit.plan.inputs) {
    const auto given = std::ranges::find(*words, name, &InputWords::value_type::first);
    if (!same || given != words->end() || name == "gib") continue;
    words->emplace_back(name, input_text(profile, name, value));
  }
  return read_inputs(profile, gib, *words);
}

Result<void> change_profile(Audit& audit, const Options& options) {
  Plan& plan = audit.plan;
  auto profile = profile_to_judge_by(plan, options);
  if (!profile) return std::unexpected(profile.error());
  auto inputs = inputs_to_judge_by(audit, *profile, options);
  if (!inputs) return std::unexpected(inputs.error());
  auto quota = evaluate(*profile, *inputs);
  if (!quota) return std::unexpected(quota.error());
  audit.notes.push_back(fmt::format(
      "judged again as {} of {} GiB{}", profile->id, format_number(inputs->at("gib"), 2),
      profile->as_of.empty() ? "" : ", by the formula of " + profile->as_of));
  plan.profile = std::move(*profile);
  plan.inputs = std::move(*inputs);
  plan.quota = std::move(*quota);
  // A threshold of the user's own stays.
  if (plan.options.tolerance.source != "user") {
    plan.options.tolerance = tolerance_of(&*plan.profile, std::nullopt);
  }
  if (auto capped = add_instance_caps(plan.options.instance, options); !capped) return capped;
  retarget(audit);
  plan.alternatives = find_alternatives(plan);
  return {};
}

}  // namespace

Result<void> rejudge(Audit& audit, const Options& options) {
  if (names_another_quota(options)) {
    if (auto changed = change_profile(audit, options); !changed) return changed;
  }
  if (options.min_percent) {
    audit.plan.options.tolerance = tolerance_of(nullptr, options.min_percent);
  }
  judge_again(audit);
  return {};
}

}  // namespace diskaudit
