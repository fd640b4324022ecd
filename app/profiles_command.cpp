#include <fmt/format.h>

#include "commands.hpp"
#include "log.hpp"
#include "profile/library.hpp"
#include "profile/show.hpp"
#include "profile_folders.hpp"
#include "request.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

Result<int> print(const std::string& text) {
  if (auto printed = print_to_stdout(text); !printed) return std::unexpected(printed.error());
  return static_cast<int>(ExitCode::Pass);
}

bool wants_json(const Options& options) { return options.format == "json"; }

Result<int> list(const Options& options) {
  const auto profiles = load_all(profile_library());
  if (!profiles) return std::unexpected(profiles.error());
  return print(wants_json(options) ? list_json(*profiles).dump(2) + "\n" : list_text(*profiles));
}

Result<int> show_one(const Options& options) {
  const auto profile = find_profile(profile_library(), options.arguments.front());
  if (!profile) return std::unexpected(profile.error());
  auto inputs = parse_inputs(options.inputs);
  if (!inputs) return std::unexpected(inputs.error());
  if (options.size) {
    const auto size = parse_size(*options.size, GiB);
    if (!size) return usage_error("--size: " + size.error().message);
    (*inputs)["gib"] = static_cast<double>(size->value) / static_cast<double>(GiB);
  } else {
    const double gib = usual_size(*profile);
    (*inputs)["gib"] = gib;
    log_notice(fmt::format("size not given; shown for {} GiB", gib));
  }
  if (wants_json(options)) {
    const auto json = show_json(*profile, *inputs);
    if (!json) return std::unexpected(json.error());
    return print(json->dump(2) + "\n");
  }
  const auto text = show_text(*profile, *inputs);
  if (!text) return std::unexpected(text.error());
  return print(*text);
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
      return show_one(options);
    default:
      return check(options);
  }
}

}  // namespace diskaudit
