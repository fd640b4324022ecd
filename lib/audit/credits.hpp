#pragma once
/// What an audit took of a declared burst's credits: by filling, ramps, windows and probes, with
/// the rests between them, in the order in which they came.

#include <cstdint>
#include <optional>

#include "audit/audit.hpp"
#include "plan/burst.hpp"

namespace diskaudit {

class CreditHistory {
 public:
  /// Of a disk that had rested before the test file was filled.
  explicit CreditHistory(const Audit& audit);

  /// Draws what the scenario did; returns what was left as the ramp of the judged attempt began.
  std::optional<BurstCredit> spend(const ScenarioAudit& scenario);

 private:
  void rest_until(std::uint64_t begin_ns, double ramp_seconds);

  BurstAccount account_;
  std::uint64_t last_ns_ = 0;  ///< the end of what was drawn last; 0 = unknown
};

}  // namespace diskaudit
