#include <unistd.h>

#include <cstdio>
#include <variant>

#include "cli.hpp"
#include "commands.hpp"
#include "log.hpp"
#include "signals.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

int complain(const Error& error) {
  log_error(error.message);
  return static_cast<int>(error.code);
}

Result<int> run(int argc, char** argv) {
  auto parsed = parse_command_line(argc, argv);
  if (!parsed) return std::unexpected(parsed.error());
  if (const auto* answer = std::get_if<Answer>(&*parsed)) {
    if (auto printed = print_to_stdout(answer->text); !printed) {
      return std::unexpected(printed.error());
    }
    return static_cast<int>(ExitCode::Pass);
  }
  const Options& options = std::get<Options>(*parsed);
  if (auto ready = set_up_log(options); !ready) return std::unexpected(ready.error());
  return run_command(options);
}

}  // namespace
}  // namespace diskaudit

int main(int argc, char** argv) {
  using namespace diskaudit;
  catch_signals();
  const Result<int> code = run(argc, argv);
  const int status = code ? *code : complain(code.error());
  // A request that the disk never answers would hold an orderly exit for ever.
  std::fflush(nullptr);
  _exit(status);
}
