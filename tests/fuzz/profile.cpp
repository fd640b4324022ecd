#include "profile/profile.hpp"

#include <cmath>

#include "fuzz/targets.hpp"
#include "profile/profile_json.hpp"
#include "profile/show.hpp"

namespace diskaudit::fuzz {

namespace {

void require_sane(const Limits& limits) {
  if (limits.iops) require(std::isfinite(limits.iops->value), "IOPS are a number");
  if (limits.throughput) require(std::isfinite(limits.throughput->value), "throughput is a number");
}

void use(const Profile& profile, double gib) {
  const auto inputs = complete_inputs(profile, {{"gib", gib}});
  if (!inputs) return;
  const auto quota = evaluate(profile, *inputs);
  require(quota.has_value(), "a checked profile has a quota at each of its sizes");
  for (const Limits& limits : {quota->read, quota->write, quota->total}) require_sane(limits);
  for (const Language language : {Language::English, Language::Chinese}) {
    const ShowStyle style{.language = language, .today = "2026-11-30"};
    if (const auto text = show_text(profile, *inputs, style)) require_harmless(*text);
    const Inputs disks[] = {*inputs};
    if (const auto text = show_table(profile, disks, style)) require_harmless(*text);
  }
  const auto json = profile_to_json(profile, *inputs);
  const auto back = profile_from_json(json);
  require(back && profile_to_json(*back, *inputs) == json,
          "a profile survives its way into a record");
}

}  // namespace

void profile(std::string_view input) {
  const auto parsed = parse_profile(input, "a.yaml");
  if (!parsed) {
    require(parsed.error().code == ExitCode::Usage, "a faulty profile is wrong usage");
    require(parsed.error().message.starts_with("a.yaml"), "a fault names the file");
    return;
  }
  const Profile all[] = {*parsed};
  require_harmless(list_text(all));
  (void)list_json(all).dump();
  for (const double gib : {parsed->capacity.min, usual_size(*parsed), parsed->capacity.max})
    use(*parsed, gib);
}

}  // namespace diskaudit::fuzz
