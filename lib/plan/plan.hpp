#pragma once
/// Scenario × Quota × disk → Plan: what is to be measured, against which target.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "error.hpp"
#include "plan/scenario.hpp"
#include "plan/target.hpp"
#include "profile/profile.hpp"
#include "units.hpp"

namespace diskaudit {

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
  bool until_baseline = false;              ///< measure on until a declared burst is used up
  std::optional<double> runtime_seconds{};  ///< none = auto
  double ramp_seconds = 5;
  std::optional<unsigned> iodepth{};
  std::optional<unsigned> threads{};
  std::uint64_t seed = 1;
  unsigned cpus = 1;
};

/// What another disk type of the vendor would owe at this size.
struct Alternative {
  std::string id{};
  std::vector<std::pair<std::string, double>> targets{};  ///< by scenario, in its metric
};

struct Plan {
  std::optional<Profile> profile{};  ///< none for `measure`
  Inputs inputs{};
  std::optional<Quota> quota{};
  PlanOptions options{};
  std::vector<Job> jobs{};
  std::vector<Alternative> alternatives{};  ///< of the vendor's, for hints
};

/// Holds `job` against what the plan's profile and quota now say; how it is measured stays.
void retarget(Job& job, const Plan& plan);

Plan make_plan(std::optional<Profile> profile, Inputs inputs, std::optional<Quota> quota,
               const BlockDevice& device, PlanOptions options);

}  // namespace diskaudit
