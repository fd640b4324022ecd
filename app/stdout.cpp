#include "stdout.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace diskaudit {

Result<void> print_to_stdout(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return {};
  }
  return refusal(fmt::format("cannot write the report to stdout: {}", std::strerror(errno)));
}

}  // namespace diskaudit
