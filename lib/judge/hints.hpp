#pragma once
/// Hints that save a ticket: a rate that is off by a factor with a name, or that another size or
/// another disk type of the same vendor explains.

#include <optional>
#include <span>
#include <vector>

#include "judge/reasons.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// The factor that a mix-up of units or directions makes (MB for MiB, GB for GiB, twice or half),
/// within half a percent of `share`; none otherwise.
std::optional<double> mix_up_ratio(double share);

/// What one scenario reached, in its target's metric.
struct Observation {
  Scenario scenario{};
  double value = 0;
};

/// Another size of the plan's profile, or one of its alternatives, whose quota explains all
/// observations within 2 % where the stated one is off by 7 % or more. Takes rates of both kinds,
/// requests and bytes: one alone fits some size of nearly any disk.
std::vector<Reason> better_fits(const Plan& plan, std::span<const Observation> observations);

}  // namespace diskaudit
