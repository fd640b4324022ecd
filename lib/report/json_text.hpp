#pragma once
/// JSON → text, the same bytes for the same value on every machine.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "error.hpp"

namespace diskaudit {

/// Two spaces of indentation, a list of plain values on one line, the shortest number that reads
/// back as the same, invalid UTF-8 as U+FFFD, a line feed at the end.
std::string to_text(const nlohmann::ordered_json& json);

/// A number as JSON: whole ones without a point, infinite or undefined ones as 0.
nlohmann::ordered_json number(double value);

/// Parses what may be hostile: at most 64 MiB, nested 32 deep, 4096 members an object, none twice.
/// `what` names it in errors.
Result<nlohmann::ordered_json> parse_json(std::string_view text, std::string_view what);

}  // namespace diskaudit
