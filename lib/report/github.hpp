#pragma once
/// What the runner of GitHub Actions reads from the output of a step.

#include <string>
#include <string_view>

namespace diskaudit {

/// The text without commands to the runner: "::" where a line begins, "##[" anywhere. Names of
/// devices and paths must not be able to give any.
std::string safe_in_github_log(std::string_view text);

}  // namespace diskaudit
