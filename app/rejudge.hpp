#pragma once
/// A saved audit held against something else than it was.

#include "audit/audit.hpp"
#include "cli.hpp"

namespace diskaudit {

/// Judges the evidence again: under another profile, size, date, instance cap or threshold
/// where the options name one, else as it was.
Result<void> rejudge(Audit& audit, const Options& options);

}  // namespace diskaudit
