#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <variant>

#include "cli.hpp"
#include "commands.hpp"
#include "log.hpp"
#include "report/report.hpp"
#include "signals.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

// A monitoring server reads stdout and knows 3 as "unknown"; 2 would be an alarm about the disk.
bool is_plugin(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--format=nagios") return true;
    if (argument == "--format" && i + 1 < argc && argv[i + 1] == std::string_view("nagios")) {
      return true;
    }
  }
  return false;
}

int complain(const Error& error, bool as_plugin) {
  log_error(error.message);
  if (!as_plugin) return static_cast<int>(error.code);
  (void)print_to_stdout(nagios_unknown(said(error.message)));
  return 3;
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

// What is opened later must not take the place of a closed stream: a report that goes to "stdout"
// could land on the disk. Reads and writes of such a stream fail.
bool open_standard_streams() {
  bool has_stdout = true;
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    has_stdout = has_stdout && fd != STDOUT_FILENO;
    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  return has_stdout;
}

Result<int> run_safely(int argc, char** argv) {
  if (!open_standard_streams()) {
    return refusal("cannot write the report: stdout is closed; open it, or send it to /dev/null");
  }
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return refusal("cannot go on: out of memory");
  } catch (const std::exception& error) {
    return refusal(std::string("cannot go on: ") + error.what());
  }
}

}  // namespace
}  // namespace diskaudit

int main(int argc, char** argv) {
  using namespace diskaudit;
  ignore_signals_of_writes();
  const Result<int> code = run_safely(argc, argv);
  const int status = code ? *code : complain(code.error(), is_plugin(argc, argv));
  // A request that the disk never answers would hold an orderly exit for ever.
  std::fflush(nullptr);
  _exit(status);
}
