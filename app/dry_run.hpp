#pragma once
/// What an audit would do, said before it does anything.

#include <string>

#include "audit/audit.hpp"
#include "text.hpp"

namespace diskaudit {

/// Seconds that the whole takes if every scenario runs its full time at its target.
double seconds_needed(const Audit& audit);

/// Formula, targets, disk, bytes to be read and written, time needed; for stdout.
std::string describe_dry_run(const Audit& audit, Language language);

}  // namespace diskaudit
