#pragma once
/// Reads a saved record back into the Audit that it was written from.

#include <string>
#include <string_view>

#include "audit/audit.hpp"
#include "error.hpp"

namespace diskaudit {

inline constexpr std::string_view record_schema = "diskaudit/record/1";

/// Fails (usage) on anything that is not a record of a known schema, is over 16 MiB or nested
/// deeper than 32. Writing the result again gives the same bytes.
Result<Audit> read_record(std::string_view json);

/// "sha256:…" over the canonical form of the audit's record: its text without the member `digest`.
std::string digest_of(const Audit& audit);

}  // namespace diskaudit
