#pragma once
/// Audits for tests: a disk of 100 GiB under the profile tencent-standard, with the figures that a
/// test states and everything else filled in plausibly and always the same.

#include <optional>
#include <string>
#include <vector>

#include "audit/audit.hpp"

namespace diskaudit::test {

/// One scenario of the audit to be: what it came to.
struct Came {
  std::string scenario;  ///< "rand-read-4k"
  double rate = 0;       ///< in IOPS, or bytes per second for a sequential one
  Outcome outcome = Outcome::Pass;
  std::optional<Cause> cause{};
};

struct AuditOptions {
  bool with_profile = true;
  double seconds = 30;                 ///< of each window
  std::vector<std::string> planned{};  ///< scenarios of the plan; none: those that came
};

/// The audit of a test file on vdb; concluded by the worst outcome among `came`.
Audit audit_of(const std::vector<Came>& came, const AuditOptions& options = {});

/// Reference results, section 1: all four scenarios pass at 94.5 to 99.3 %.
Audit passing_audit();
/// Both random scenarios near 69 %, both sequential ones pass.
Audit failing_audit();

}  // namespace diskaudit::test
