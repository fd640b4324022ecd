#pragma once
/// Reads a saved record back into the Audit that it was written from.

#include <cstddef>
#include <string>
#include <string_view>

#include "audit/audit.hpp"
#include "error.hpp"

namespace diskaudit {

inline constexpr std::string_view record_schema = "diskaudit/record/1";

/// Bytes of a record's text. A day by the second of four scenarios has 14 MiB.
inline constexpr std::size_t largest_record = std::size_t{64} << 20;

/// Fails (usage) on anything that is not a record of a known schema, is over 64 MiB or nested
/// deeper than 32. Writing the result again gives the same bytes.
Result<Audit> read_record(std::string_view json);

/// "sha256:…" over the canonical form of the audit's record: its text without the member `digest`.
std::string digest_of(const Audit& audit);

}  // namespace diskaudit
