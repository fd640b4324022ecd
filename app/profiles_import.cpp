#include "clock.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "profile/import.hpp"
#include "stdout.hpp"
#include "units.hpp"

namespace diskaudit {

Result<int> run_profiles_import(const Options& options) {
  const std::string& file = options.arguments.front();
  const Result<std::string> text = read_whole(file, 64 * KiB);
  if (!text) return std::unexpected(text.error());
  const Result<std::string> yaml = import_profile(
      options.from, *text, {.file = file, .id = options.id, .today = utc_now().substr(0, 10)});
  if (!yaml) return std::unexpected(yaml.error());
  if (auto printed = print_to_stdout(*yaml); !printed) return std::unexpected(printed.error());
  return static_cast<int>(ExitCode::Pass);
}

}  // namespace diskaudit
