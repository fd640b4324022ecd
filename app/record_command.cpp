#include <fmt/format.h>

#include "commands.hpp"
#include "output.hpp"
#include "rejudge.hpp"
#include "report/verify.hpp"
#include "saved_record.hpp"
#include "stdout.hpp"

namespace diskaudit {

Result<int> run_report_command(const Options& options) {
  const auto outputs = make_outputs(options);
  if (!outputs) return std::unexpected(outputs.error());
  const auto audit = read_saved_record(options.arguments.front());
  if (!audit) return std::unexpected(audit.error());
  if (auto shown = show(*audit, *outputs); !shown) return std::unexpected(shown.error());
  return exit_code_with(*outputs, *audit, static_cast<int>(ExitCode::Pass));
}

Result<int> run_judge_command(const Options& options) {
  const auto outputs = make_outputs(options);
  if (!outputs) return std::unexpected(outputs.error());
  auto audit = read_saved_record(options.arguments.front());
  if (!audit) return std::unexpected(audit.error());
  if (auto judged = rejudge(*audit, options); !judged) return std::unexpected(judged.error());
  if (auto shown = show(*audit, *outputs); !shown) return std::unexpected(shown.error());
  return exit_code_with(*outputs, *audit, static_cast<int>(verdict_exit_code(*audit)));
}

Result<int> run_verify_command(const Options& options) {
  std::string verified;
  for (const std::string& file : options.arguments) {
    const auto text = read_saved_text(file);
    if (!text) return std::unexpected(text.error());
    if (auto sound = verify_record(*text); !sound) {
      return usage_error(fmt::format("{}: {}", file, sound.error().message));
    }
    verified += fmt::format("{}: digest, counts, rates and verdict are as written\n", file);
  }
  if (auto printed = print_to_stdout(verified); !printed) return std::unexpected(printed.error());
  return static_cast<int>(ExitCode::Pass);
}

}  // namespace diskaudit
