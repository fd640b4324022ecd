#pragma once
/// stdout carries the report and nothing else.

#include <string_view>

#include "error.hpp"

namespace diskaudit {

/// Writes all of it; a full or closed stdout is a refusal ("cannot keep its result").
Result<void> print_to_stdout(std::string_view text);

}  // namespace diskaudit
