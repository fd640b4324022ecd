#pragma once
/// The wall clock and identifiers, for the record.

#include <string>

namespace diskaudit {

/// RFC 3339 UTC with milliseconds: "2026-11-30T16:15:04.123Z".
std::string utc_now();

/// A random UUID (version 4).
std::string new_uuid();

}  // namespace diskaudit
