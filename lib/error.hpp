#pragma once
/// Errors as values: what went wrong, in one line, and the exit code that it leads to.

#include <expected>
#include <string>
#include <utility>

namespace diskaudit {

/// The program's exit codes. Pipelines rely on them; 128 + n stands for "ended by signal n".
enum class ExitCode {
  Pass = 0,
  Fail = 1,          ///< the disk is below its quota, or returns errors
  Usage = 2,         ///< wrong usage, profile or input file; nothing was written to the disk
  Inconclusive = 3,  ///< measured, but no verdict can be given
  Refused = 4,       ///< refused for safety, or the environment cannot run it or keep its result
};

/// One line: operation, object, cause and, where known, the remedy. Lower case, no full stop.
struct [[nodiscard]] Error {
  ExitCode code = ExitCode::Usage;
  std::string message{};
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> usage_error(std::string message) {
  return std::unexpected(Error{ExitCode::Usage, std::move(message)});
}

inline std::unexpected<Error> refusal(std::string message) {
  return std::unexpected(Error{ExitCode::Refused, std::move(message)});
}

}  // namespace diskaudit
