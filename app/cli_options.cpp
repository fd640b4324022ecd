#include <fmt/format.h>

#include <charconv>

#include "cli_parts.hpp"

namespace diskaudit {
namespace {

// CLI11's own check would add its name and bounds like 0.100000 to help and errors.
CLI::Validator between(double low, double high) {
  return CLI::Validator(
      [=](const std::string& text) {
        double value = 0;
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, value);
        const bool fits = error == std::errc{} && end == last && value >= low && value <= high;
        return fits ? "" : fmt::format("'{}' is not a number from {} to {}", text, low, high);
      },
      "");
}

}  // namespace

CLI::App* add_command(CLI::App& parent, Options& options, Command command, const std::string& name,
                      const std::string& description) {
  CLI::App* added = parent.add_subcommand(name, description);
  added->final_callback([&options, command] { options.command = command; });
  return added;
}

void add_talk_options(CLI::App& command, Options& options) {
  const std::string group = "How it talks";
  command.add_flag("--quiet", options.quiet, "no progress, only warnings and errors")->group(group);
  command.add_flag("--verbose", options.verbose, "say more about what is done and why")
      ->group(group);
  command.add_option("--log", options.log, "write diagnostics to FILE as well")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--color", options.color, "colour on the terminal: auto, always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->group(group);
}

void add_profile_options(CLI::App& command, Options& options) {
  const std::string group = "What the disk is held against";
  command
      .add_option("--profile", options.profile,
                  "which disk type: an id or alias of `profiles list`, or a FILE.yaml")
      ->type_name("ID")
      ->group(group);
  command
      .add_option("--size", options.size,
                  "provisioned size; a bare number is GiB; 100GiB, 107GB and 1TiB are told "
                  "apart; missing: the record's, or the device's own")
      ->type_name("N[unit]")
      ->group(group);
  command
      .add_option("--input", options.inputs,
                  "a further input that the profile declares; repeatable")
      ->type_name("NAME=VALUE")
      ->group(group);
  command
      .add_option("--instance-iops", options.instance_iops,
                  "the instance type's own IOPS cap; the smaller figure becomes the target")
      ->type_name("N")
      ->check(between(1, 1e9))
      ->group(group);
  command
      .add_option("--instance-throughput", options.instance_throughput,
                  "likewise for throughput; a bare number is MB/s")
      ->type_name("N[unit]")
      ->group(group);
  command
      .add_option("--min-percent", options.min_percent,
                  "pass threshold in percent of the target; default: what the profile "
                  "promises, else 90")
      ->type_name("P")
      ->check(between(0.1, 1000))
      ->group(group);
}

void add_disk_options(CLI::App& command, Options& options) {
  const std::string group = "Which disk, and how far it may be touched";
  command
      .add_option("--disk", options.disk,
                  "a directory (an unnamed test file on its file system) or a block device")
      ->type_name("PATH")
      ->group(group);
  command.add_flag("--read-only", options.read_only, "only the scenarios that write nothing")
      ->group(group);
  command
      .add_option("--destroy-data-on", options.destroy_data_on,
                  "consent to write on a raw block device, by its volume ID, serial or by-id "
                  "name, or diskseq:N")
      ->type_name("ID")
      ->group(group);
  command
      .add_flag("--overwrite-unrecognised-data", options.overwrite_unrecognised_data,
                "further consent, for a disk that holds data without a known signature")
      ->group(group);
  command
      .add_option("--test-size", options.test_size,
                  "size of the test file, or span of the device (default 5 GiB)")
      ->type_name("SIZE")
      ->group(group);
  command
      .add_option("--reserve", options.reserve,
                  "free space that a file test never touches (default the larger of 10 % and "
                  "2 GiB)")
      ->type_name("SIZE")
      ->group(group);
}

void add_measuring_options(CLI::App& command, Options& options) {
  const std::string group = "What is measured, and how";
  command.add_option("--suite", options.suite, "which scenarios (default standard)")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--scenario", options.scenarios, "single scenarios instead of a suite")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--runtime", options.runtime,
                  "measured seconds of each scenario; auto ends when the verdict is settled, "
                  "after 120 s at most")
      ->type_name("SEC|auto")
      ->group(group);
  command.add_option("--ramp", options.ramp, "seconds before the measured window (default 5)")
      ->type_name("SEC")
      ->check(between(0, 3600))
      ->group(group);
  command
      .add_flag("--until-baseline", options.until_baseline,
                "measure on until a declared burst is used up; --dry-run says how long")
      ->group(group);
  command.add_option("--iodepth", options.iodepth, "for experts: total outstanding I/O")
      ->type_name("N")
      ->check(between(1, 1024))
      ->group(group);
  command.add_option("--threads", options.threads, "for experts: worker threads")
      ->type_name("N")
      ->check(between(1, 256))
      ->group(group);
  command
      .add_option("--engine", options.engine,
                  "io_uring, libaio or auto: io_uring, else libaio with a warning")
      ->type_name("NAME")
      ->check(CLI::IsMember({"auto", "io_uring", "libaio"}))
      ->group(group);
  command
      .add_flag("--dry-run", options.dry_run,
                "do everything up to the first write or measured I/O, and say what would follow")
      ->group(group);
}

void add_language_option(CLI::App& command, Options& options) {
  command.add_option("--lang", options.lang, "language of what people read: en, zh or auto")
      ->type_name("L")
      ->check(CLI::IsMember({"en", "zh", "auto"}))
      ->group("Where the result goes");
}

void add_redact_option(CLI::App& command, Options& options) {
  command
      .add_option("--redact", options.redact,
                  "hide nothing (none), paths (ticket; what tickets and bundles do by default) or "
                  "the volume's and machine's identity too (public)")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"none", "ticket", "public"}))
      ->group("Where the result goes");
}

void add_result_options(CLI::App& command, Options& options) {
  const std::string group = "Where the result goes";
  command
      .add_option("-o,--output", options.outputs,
                  "also write the result to FILE; the format by prefix or suffix; repeatable")
      ->type_name("[FORMAT:]FILE")
      ->group(group);
  command.add_option("--format", options.format, "what goes to stdout (default text)")
      ->type_name("F")
      ->group(group);
  add_language_option(command, options);
  add_redact_option(command, options);
}

}  // namespace diskaudit
