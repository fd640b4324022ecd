#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli_parts.hpp"
#include "profile/import.hpp"

namespace diskaudit {
namespace {

void add_profile_values(CLI::App& command, Options& options, const std::string& sizes) {
  command.add_option("--size", options.size, sizes)->type_name("N[unit]");
  command.add_option("--input", options.inputs, "a further input that the profile declares")
      ->type_name("NAME=VALUE");
  command.add_option("--as-of", options.as_of, "with the formula that was in force on that day")
      ->type_name("YYYY-MM-DD");
}

void add_advise_options(CLI::App& command, Options& options) {
  command.add_option("--iops", options.wanted_iops, "IOPS that reads and writes must each reach")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--throughput", options.wanted_throughput,
                  "throughput likewise; a bare number is MB/s")
      ->type_name("N[unit]");
}

void add_import_command(CLI::App& profiles, Options& options) {
  CLI::App* command = add_command(profiles, options, Command::ProfilesImport, "import",
                                  "make a profile from the limits of a private cloud");
  command
      ->add_option("--from", options.from,
                   "where they come from: " + fmt::format("{}", fmt::join(import_kinds(), ", ")))
      ->type_name("KIND")
      ->required();
  command->add_option("FILE", options.arguments, "the limits as they are set")
      ->required()
      ->expected(1);
  command->add_option("--id", options.id, "id of the profile (default private-KIND)")
      ->type_name("ID");
  add_talk_options(*command, options);
}

}  // namespace

void add_profiles_commands(CLI::App& root, Options& options) {
  CLI::App* profiles = root.add_subcommand("profiles", "the library of disk types");
  profiles->require_subcommand(1);
  CLI::App* list =
      add_command(*profiles, options, Command::ProfilesList, "list", "name every disk type");
  CLI::App* show = add_command(*profiles, options, Command::ProfilesShow, "show",
                               "one disk type, evaluated and explained");
  CLI::App* check =
      add_command(*profiles, options, Command::ProfilesCheck, "check", "validate profile files");
  CLI::App* advise = add_command(*profiles, options, Command::ProfilesAdvise, "advise",
                                 "the smallest disk of each type that gives what is wanted");
  list->add_option("TEXT", options.arguments, "only types in whose id or names this occurs")
      ->expected(0, 1);
  show->add_option("ID", options.arguments, "an id, an alias or a FILE.yaml")
      ->required()
      ->expected(1);
  add_profile_values(*show, options,
                     "provisioned size; a bare number is GiB; several, separated by commas, make "
                     "a table");
  check->add_option("FILE", options.arguments, "profile files")->required();
  add_advise_options(*advise, options);
  for (CLI::App* command : {list, advise}) {
    command->add_option("--vendor", options.vendor, "only this vendor's types")->type_name("NAME");
  }
  for (CLI::App* command : {list, show, advise}) {
    command->add_option("--format", options.format, "text or json")
        ->type_name("F")
        ->check(CLI::IsMember({"text", "json"}));
    add_language_option(*command, options);
  }
  for (CLI::App* command : {list, show, check, advise}) add_talk_options(*command, options);
  add_import_command(*profiles, options);
}

}  // namespace diskaudit
