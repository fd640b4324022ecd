#include "cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli_parts.hpp"
#include "man_page.hpp"
#include "version.hpp"

namespace diskaudit {
namespace {

constexpr std::array command_names = {"audit",   "measure", "profiles", "judge", "report",
                                      "compare", "verify",  "bundle",   "manual"};

void add_measuring_commands(CLI::App& root, Options& options) {
  CLI::App* audit = add_command(root, options, Command::Audit, "audit",
                                "measure a disk and hold it against its vendor's formula");
  CLI::App* measure = add_command(root, options, Command::Measure, "measure",
                                  "the same measurement without a profile: no verdict");
  add_profile_options(*audit, options);
  for (CLI::App* command : {audit, measure}) {
    add_disk_options(*command, options);
    add_measuring_options(*command, options);
    add_result_options(*command, options);
    command->add_flag("--no-save", options.no_save, "keep no record in the state directory")
        ->group("Where the result goes");
    add_talk_options(*command, options);
  }
}

// `diskaudit --profile …` is `diskaudit audit --profile …`.
bool names_a_command(const std::string& argument) {
  return std::ranges::find(command_names, argument) != command_names.end() ||
         argument == "--help" || argument == "-h" || argument == "--version";
}

// As --disk an unset variable would mean the current folder.
Result<void> check_for_empty(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool is_cut = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    if (!argument.empty() && !is_cut) continue;
    const std::string& option = is_cut || i == 0 ? argument : arguments[i - 1];
    return usage_error(fmt::format(
        "nothing stands after '{}'; is a variable unset? see diskaudit --help", option));
  }
  return {};
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

std::unique_ptr<CLI::App> make_cli(Options& options) {
  auto root = std::make_unique<CLI::App>(
      "Verifies that a cloud disk delivers what its vendor's formula promises.", "diskaudit");
  root->set_version_flag(
      "--version",
      fmt::format("diskaudit {}{}", version, *commit == '\0' ? "" : fmt::format(" ({})", commit)));
  root->require_subcommand(1);
  add_measuring_commands(*root, options);
  add_profiles_commands(*root, options);
  add_record_commands(*root, options);
  root->footer("`diskaudit --profile ID …` is short for `diskaudit audit --profile ID …`.");
  return root;
}

Result<std::variant<Options, Answer>> parse_command_line(int argc, const char* const* argv) {
  Options options;
  options.command_line.assign(argv, argv + argc);
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const auto root = make_cli(options);
  if (arguments == std::vector<std::string>{"manual"}) return Answer{man_page(*root)};
  if (arguments.empty()) {
    return usage_error(
        "no profile given; try: diskaudit --profile tencent-standard --size 100, "
        "or diskaudit --help");
  }
  if (auto checked = check_for_empty(arguments); !checked) return std::unexpected(checked.error());
  if (!names_a_command(arguments.front())) arguments.insert(arguments.begin(), "audit");
  std::ranges::reverse(arguments);  // as CLI11 takes a vector
  try {
    root->parse(arguments);
  } catch (const CLI::CallForVersion& call) {
    return Answer{std::string(call.what()) + "\n"};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = root->get_subcommands();
    const CLI::App* shown = chosen.empty() ? root.get() : chosen.front();
    while (!shown->get_subcommands().empty()) shown = shown->get_subcommands().front();
    return Answer{shown->help()};
  } catch (const CLI::ParseError& error) {
    return usage_error(one_line(error.what()) + "; see diskaudit --help");
  }
  return options;
}

}  // namespace diskaudit
