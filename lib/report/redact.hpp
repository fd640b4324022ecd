#pragma once
/// Hides what a report should not give away: the same original becomes the same stand-in in every
/// format. Whoever has the original record can tell which is which.

#include <string_view>

#include "audit/audit.hpp"
#include "error.hpp"

namespace diskaudit {

enum class Redaction {
  None,
  Ticket,  ///< hides paths, and with them user names; the vendor needs the volume's ID
  Public,  ///< hides the identity of volume, machine and audit too
};

/// "none", "ticket", "public"; an unknown name lists these.
Result<Redaction> parse_redaction(std::string_view name);

/// A note in the audit says that it was redacted. Its figures, verdicts and profile stay.
Audit redacted(Audit audit, Redaction level);

}  // namespace diskaudit
