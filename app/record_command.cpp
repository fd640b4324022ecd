#include "commands.hpp"
#include "files.hpp"
#include "report/record.hpp"
#include "request.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t largest_record = 16 * MiB;

}  // namespace

Result<int> run_record_command(const Options& options) {
  Request request;
  if (auto added = add_outputs(request, options); !added) return std::unexpected(added.error());
  const std::string& file = options.arguments.front();
  const auto text = read_whole(file, largest_record);
  if (!text) return std::unexpected(text.error());
  auto audit = read_record(*text);
  if (!audit) return usage_error(file + ": " + audit.error().message);
  if (options.command == Command::Judge) {
    if (options.min_percent) audit->plan.options.tolerance = {*options.min_percent, "user"};
    judge_again(*audit);
  }
  if (auto shown = show(*audit, request); !shown) return std::unexpected(shown.error());
  if (options.command == Command::Report) return static_cast<int>(ExitCode::Pass);
  return static_cast<int>(verdict_exit_code(*audit));
}

}  // namespace diskaudit
