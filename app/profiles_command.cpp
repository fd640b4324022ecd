#include <fmt/format.h>

#include <sstream>

#include "clock.hpp"
#include "commands.hpp"
#include "log.hpp"
#include "profile/advise.hpp"
#include "profile/library.hpp"
#include "profile/show.hpp"
#include "profile_folders.hpp"
#include "report/json_text.hpp"
#include "request.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

Result<int> print(const std::string& text) {
  if (auto printed = print_to_stdout(text); !printed) return std::unexpected(printed.error());
  return static_cast<int>(ExitCode::Pass);
}

bool wants_json(const Options& options) { return options.format == "json"; }

ShowStyle style_of(const Options& options) {
  return {.language = language_for(options.lang), .today = utc_now().substr(0, 10)};
}

// The library's profiles, of one vendor where --vendor says so.
Result<std::vector<Profile>> chosen(const Options& options, const std::string& text) {
  auto profiles = load_all(profile_library());
  if (!profiles) return profiles;
  auto kept = filtered(*profiles, options.vendor, text);
  if (!kept.empty()) return kept;
  return usage_error(fmt::format("no profile{}{}; see diskaudit profiles list",
                                 options.vendor.empty() ? "" : " of vendor " + options.vendor,
                                 text.empty() ? "" : " with '" + text + "'"));
}

Result<int> list(const Options& options) {
  const std::string text = options.arguments.empty() ? "" : options.arguments.front();
  const auto profiles = chosen(options, text);
  if (!profiles) return std::unexpected(profiles.error());
  return print(wants_json(options) ? to_text(list_json(*profiles))
                                   : list_text(*profiles, style_of(options)));
}

// The disks of `--size 100,200,500`, or one of a usual size.
Result<std::vector<Inputs>> disks_of(const Profile& profile, const Options& options) {
  const auto words = parse_inputs(options.inputs);
  if (!words) return std::unexpected(words.error());
  std::vector<double> sizes;
  std::istringstream list(options.size.value_or(""));
  for (std::string one; std::getline(list, one, ',');) {
    const auto size = parse_size(one, GiB);
    if (!size) return usage_error("--size: " + size.error().message);
    sizes.push_back(static_cast<double>(size->value) / static_cast<double>(GiB));
  }
  if (options.size && sizes.empty()) return usage_error("--size: no size given");
  if (sizes.empty()) {
    sizes.push_back(usual_size(profile));
    log_notice(fmt::format("size not given; shown for {} GiB", sizes.front()));
  }
  std::vector<Inputs> disks;
  for (const double gib : sizes) {
    auto inputs = read_inputs(profile, gib, *words);
    if (!inputs) return std::unexpected(inputs.error());
    disks.push_back(std::move(*inputs));
  }
  return disks;
}

Result<int> show_json_of(const Profile& profile, const std::vector<Inputs>& disks) {
  auto all = nlohmann::ordered_json::array();
  for (const Inputs& inputs : disks) {
    auto json = show_json(profile, inputs);
    if (!json) return std::unexpected(json.error());
    all.push_back(std::move(*json));
  }
  return print(to_text(all.size() == 1 ? all.front() : all));
}

Result<int> show_profile(const Options& options) {
  const auto profile = named_profile(options.arguments.front(), options);
  if (!profile) return std::unexpected(profile.error());
  const auto disks = disks_of(*profile, options);
  if (!disks) return std::unexpected(disks.error());
  if (wants_json(options)) return show_json_of(*profile, *disks);
  const auto text = disks->size() == 1 ? show_text(*profile, disks->front(), style_of(options))
                                       : show_table(*profile, *disks, style_of(options));
  if (!text) return std::unexpected(text.error());
  return print(*text);
}

Result<int> advise_all(const Options& options) {
  Wish wish;
  if (options.wanted_iops) wish.iops = Iops{*options.wanted_iops};
  if (options.wanted_throughput) {
    const auto throughput = parse_throughput(*options.wanted_throughput);
    if (!throughput) return usage_error("--throughput: " + throughput.error().message);
    wish.throughput = *throughput;
  }
  if (!wish.iops && !wish.throughput) {
    return usage_error("nothing to look for; say --iops N, --throughput N[unit], or both");
  }
  const auto profiles = chosen(options, "");
  if (!profiles) return std::unexpected(profiles.error());
  std::vector<Advice> advices;
  for (const Profile& profile : *profiles) {
    if (profile.status != "retired") advices.push_back(advise(profile, wish));
  }
  return print(wants_json(options) ? to_text(advice_json(advices))
                                   : advice_text(advices, language_for(options.lang)));
}

// Every file is checked, so that one run shows every fault.
Result<int> check(const Options& options) {
  std::size_t faulty = 0;
  for (const std::string& file : options.arguments) {
    const auto profile = load_profile(file);
    if (profile) continue;
    ++faulty;
    log_error(profile.error().message);
  }
  if (faulty > 0) return static_cast<int>(ExitCode::Usage);
  return print(fmt::format("{} profile{} checked, no fault\n", options.arguments.size(),
                           options.arguments.size() == 1 ? "" : "s"));
}

}  // namespace

Result<int> run_profiles_command(const Options& options) {
  switch (options.command) {
    case Command::ProfilesList:
      return list(options);
    case Command::ProfilesShow:
      return show_profile(options);
    case Command::ProfilesAdvise:
      return advise_all(options);
    default:
      return check(options);
  }
}

}  // namespace diskaudit
