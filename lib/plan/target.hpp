#pragma once
/// What a scenario is held against under a quota, and which share of it passes.

#include <optional>
#include <string>

#include "plan/scenario.hpp"
#include "profile/profile.hpp"
#include "units.hpp"

namespace diskaudit {

/// What a scenario is held against. `bound_by` names the ceiling that binds: "iops", "throughput",
/// "instance_iops", "instance_throughput" or "latency".
struct Target {
  Metric metric = Metric::Iops;
  double value = 0;  ///< IOPS, bytes per second or microseconds
  std::string bound_by{};
};

/// The instance type's own caps, as the user states them.
struct InstanceCaps {
  std::optional<Iops> iops{};
  std::optional<BytesPerSec> throughput{};
};

/// The share of the target that passes, and who says so: "profile", "user" or "default".
struct Tolerance {
  double min_percent = 90;
  std::string source = "default";
};

/// How many bytes the vendor charges for one request of `size`.
double charged_bytes(const std::optional<IoUnit>& unit, Pattern pattern, double size);

/// Target of one scenario under a quota (contract, section 3); none where nothing is published.
std::optional<Target> target_of(const Scenario& scenario, const Quota& quota,
                                const InstanceCaps& instance);

/// The request rate that the quota allows the scenario, where it states one; for the lower bound of
/// a sequential scenario.
std::optional<Iops> iops_ceiling_of(const Scenario& scenario, const Quota& quota,
                                    const InstanceCaps& instance);

/// The top of the published range for one request at a time.
std::optional<Target> latency_target(const Scenario& scenario, const Profile& profile);

/// The user's word, else the profile's promise, else the default.
Tolerance tolerance_of(const Profile* profile, std::optional<double> min_percent);

}  // namespace diskaudit
