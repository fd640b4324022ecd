#pragma once
/// The command line: what may be said, and what was said.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "error.hpp"

namespace CLI {
class App;
}

namespace diskaudit {

enum class Command {
  Audit,
  Measure,
  ProfilesList,
  ProfilesShow,
  ProfilesCheck,
  ProfilesAdvise,
  ProfilesImport,
  Judge,
  Report,
  Compare,
  Verify,
  Bundle,
};

/// Every option as the user spelt it; a command reads those that it declares.
struct Options {
  Command command = Command::Audit;

  // what to hold the disk against
  std::string profile{};
  std::optional<std::string> size{};
  std::vector<std::string> inputs{};
  std::optional<double> instance_iops{};
  std::optional<std::string> instance_throughput{};
  std::optional<double> min_percent{};
  std::string as_of{};

  // which profiles, and what of a disk to look for
  std::string vendor{};
  std::optional<double> wanted_iops{};
  std::optional<std::string> wanted_throughput{};

  // what to import
  std::string from{};
  std::string id{};

  // which disk, and how far it may be touched
  std::string disk = ".";
  bool read_only = false;
  std::string destroy_data_on{};
  bool overwrite_unrecognised_data = false;
  std::optional<std::string> test_size{};
  std::optional<std::string> reserve{};

  // what to measure, and how
  std::string suite = "standard";
  std::vector<std::string> scenarios{};
  std::string runtime = "auto";
  double ramp = 5;
  bool until_baseline = false;
  std::optional<unsigned> iodepth{};
  std::optional<unsigned> threads{};
  std::string engine = "auto";
  bool dry_run = false;

  // where the result goes
  std::vector<std::string> outputs{};
  std::string format = "text";
  std::string lang = "auto";
  std::string redact{};
  bool no_save = false;

  // how it talks
  bool quiet = false;
  bool verbose = false;
  std::string log{};
  std::string color = "auto";

  std::vector<std::string> arguments{};     ///< files, ids
  std::vector<std::string> command_line{};  ///< as typed
};

/// The definition of every command and option, bound to `options`; also what the man page shows.
std::unique_ptr<CLI::App> make_cli(Options& options);

/// Text to print on stdout and end with 0: help, version, the man page.
struct Answer {
  std::string text{};
};

/// What the arguments ask for; wrong usage is an error of one line.
Result<std::variant<Options, Answer>> parse_command_line(int argc, const char* const* argv);

}  // namespace diskaudit
