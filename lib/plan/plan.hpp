#pragma once
/// Scenario × Quota × disk → Plan: what is to be measured, against which target.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "error.hpp"
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

/// A scenario bound to this disk.
struct Job {
  Scenario scenario{};
  std::optional<Target> target{};      ///< none: nothing is published for it, or measured only
  std::optional<Iops> iops_ceiling{};  ///< of its direction; a sequential scenario's lower bound
  std::optional<IoUnit> io_unit{};     ///< what the vendor counts as one of these
  std::string not_tested{};  ///< why it is not run ("read_only", "not_published"), else empty
  unsigned iodepth = 1;      ///< total outstanding, over all threads
  unsigned max_iodepth = 1;  ///< the device's queue, or the user's word
  unsigned threads = 1;
  double ramp_seconds = 5;
  double runtime_seconds = 0;  ///< of the window; 0 = auto: ends when settled
  double max_runtime_seconds = 120;
  std::uint64_t seed = 1;
};

struct PlanOptions {
  std::vector<Scenario> scenarios{};
  InstanceCaps instance{};
  Tolerance tolerance{};
  bool read_only = false;
  std::optional<double> runtime_seconds{};  ///< none = auto
  double ramp_seconds = 5;
  std::optional<unsigned> iodepth{};
  std::optional<unsigned> threads{};
  std::uint64_t seed = 1;
  unsigned cpus = 1;
};

struct Plan {
  std::optional<Profile> profile{};  ///< none for `measure`
  Inputs inputs{};
  std::optional<Quota> quota{};
  PlanOptions options{};
  std::vector<Job> jobs{};
};

/// Target of one scenario under a quota (contract, section 3); none where nothing is published.
std::optional<Target> target_of(const Scenario& scenario, const Quota& quota,
                                const InstanceCaps& instance);

/// IOPS that a scenario's requests count against.
std::optional<Iops> iops_ceiling_of(const Scenario& scenario, const Quota& quota,
                                    const InstanceCaps& instance);

Plan make_plan(std::optional<Profile> profile, Inputs inputs, std::optional<Quota> quota,
               const BlockDevice& device, PlanOptions options);

}  // namespace diskaudit
