#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fuzz/targets.hpp"
#include "text.hpp"

namespace diskaudit::fuzz {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// GitHub's runner takes a line that begins with ::name, after spaces, for a command, and ##[
/// anywhere in it; other servers have their names between ## and [.
bool is_command(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.starts_with("::") && line.size() > 2 && is_letter(line[2])) return true;
  for (const char* command : {"##[", "##vso[", "##teamcity["})
    if (line.find(command) != std::string_view::npos) return true;
  return false;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

void require(bool holds, std::string_view promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

void require_harmless(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    // The sanitiser adds spaces to what a command would be in another place.
    require(without_spaces(sanitised(line, line.size())) == without_spaces(std::string(line)),
            "no control characters in what is shown");
    require(!is_command(line), "no line is a CI server's command");
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace diskaudit::fuzz
