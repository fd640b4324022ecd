#include "cli_parts.hpp"

namespace diskaudit {
namespace {

void add_records(CLI::App& command, Options& options, int least, int most) {
  command
      .add_option("RECORD", options.arguments, "a saved record (JSON, also compressed with gzip)")
      ->required()
      ->expected(least, most);
}

void add_bundle_command(CLI::App& root, Options& options) {
  CLI::App* bundle = add_command(root, options, Command::Bundle, "bundle",
                                 "page, record, card, ticket, fio job file, series and checksums "
                                 "for a support case, each below 5 MB");
  add_records(*bundle, options, 1, 1);
  bundle
      ->add_option("-o,--output", options.outputs,
                   "a folder that does not exist yet, or a FILE.tar or FILE.tar.gz")
      ->type_name("FOLDER|FILE.tar")
      ->expected(1);
  add_language_option(*bundle, options);
  add_redact_option(*bundle, options);
  add_talk_options(*bundle, options);
}

}  // namespace

void add_record_commands(CLI::App& root, Options& options) {
  CLI::App* judge =
      add_command(root, options, Command::Judge, "judge",
                  "judge a saved record again, under the same or another profile, without any I/O");
  CLI::App* report = add_command(root, options, Command::Report, "report",
                                 "show a saved record in another format");
  CLI::App* compare = add_command(root, options, Command::Compare, "compare",
                                  "two records side by side, or several as a series over the day");
  CLI::App* verify = add_command(root, options, Command::Verify, "verify",
                                 "whether a record is as it was written and adds up");
  constexpr int many = 10'000;
  add_records(*judge, options, 1, 1);
  add_records(*report, options, 1, 1);
  add_records(*compare, options, 2, many);
  add_records(*verify, options, 1, many);
  add_profile_options(*judge, options);
  judge->add_option("--as-of", options.as_of, "with the formula that was in force on that day")
      ->type_name("YYYY-MM-DD")
      ->group("What the disk is held against");
  for (CLI::App* command : {judge, report, compare}) add_result_options(*command, options);
  for (CLI::App* command : {judge, report, compare, verify}) add_talk_options(*command, options);
  add_bundle_command(root, options);
}

}  // namespace diskaudit
