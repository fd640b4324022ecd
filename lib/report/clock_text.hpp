#pragma once
/// RFC 3339 UTC times of a record as numbers and whole minutes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace diskaudit {

/// Milliseconds since 1970 of "2026-11-30T12:00:00.123Z"; none for any other text.
std::optional<std::int64_t> unix_milliseconds(std::string_view time);

/// "2026-11-30T12:01:00Z"
std::string utc_text(std::int64_t unix_seconds);

}  // namespace diskaudit
