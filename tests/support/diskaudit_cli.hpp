#pragma once
/// Runs the built program as a user would, with a state directory of the test's own.

#include <string>
#include <utility>
#include <vector>

#include "support/process.hpp"
#include "support/temp_folder.hpp"

namespace diskaudit {

class Cli {
 public:
  Cli() : state_("XDG_STATE_HOME=" + (folder_ / "state")) {}

  /// Its exit code, stdout and stderr.
  Finished operator()(std::vector<std::string> arguments, ProcessOptions options = {}) const {
    return run(command(std::move(arguments)), with_state(std::move(options)));
  }

  /// The whole command line, for a Process of the test's own.
  std::vector<std::string> command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), DISKAUDIT_BINARY);
    return arguments;
  }

  ProcessOptions with_state(ProcessOptions options) const {
    options.environment.push_back(state_);
    options.environment.push_back("LC_ALL=C.UTF-8");
    return options;
  }

  /// The records kept so far.
  std::vector<std::string> records() const {
    std::vector<std::string> found;
    const std::filesystem::path folder = folder_ / "state/diskaudit";
    if (!std::filesystem::exists(folder)) return found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      found.push_back(entry.path().string());
    }
    return found;
  }

  const TempFolder& folder() const { return folder_; }

 private:
  TempFolder folder_;
  std::string state_;
};

}  // namespace diskaudit
