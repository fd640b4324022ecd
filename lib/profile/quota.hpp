#pragma once
/// The Quota: what a vendor owes one disk.

#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "profile/figures.hpp"
#include "profile/inputs.hpp"
#include "units.hpp"

namespace diskaudit {

/// The ceilings of one direction; absent where the vendor publishes none.
struct Limits {
  std::optional<Iops> iops{};
  std::optional<BytesPerSec> throughput{};
};

/// A rate above the quota for a limited time. Counts are I/Os, or bytes.
struct Burst {
  double rate = 0;                  ///< per second
  std::optional<double> bucket{};   ///< credits that a rested disk holds
  std::optional<double> refill{};   ///< credits per second
  std::optional<double> seconds{};  ///< at full load from a rested disk; none: no end is published
};

/// What another document of the vendor says.
struct DisputedQuota {
  LocalText note{};
  std::string source{};  ///< its title; empty where the profile names none
  Limits read{};
  Limits write{};
  Limits total{};
  std::vector<std::string> explain{};
};

/// What the vendor owes one disk. `total` caps reads and writes together.
struct Quota {
  Limits read{};
  Limits write{};
  Limits total{};
  RateUnit unit = RateUnit::MBps;
  Combine combine = Combine::Min;
  std::optional<IoUnit> io_unit{};
  std::optional<Burst> iops_burst{};
  std::optional<Burst> throughput_burst{};
  std::vector<std::string> explain{};  ///< a line a ceiling: "IOPS = min(1800 + 8 × 100, 6000) = …"
  std::vector<DisputedQuota> disputes{};
};

/// How many I/Os the vendor counts for one request of `size` bytes.
double counted_ios(const std::optional<IoUnit>& unit, double size);

/// The quota for `inputs`; an error where an input does not fit, as complete_inputs() says.
Result<Quota> evaluate(const Profile& profile, const Inputs& inputs);

}  // namespace diskaudit
