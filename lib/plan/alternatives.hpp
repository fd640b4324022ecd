#pragma once
/// What the vendor's other disk types of the same size would owe, for hints at a mix-up.

#include <span>
#include <vector>

#include "plan/plan.hpp"

namespace diskaudit {

/// Of `profiles` those of the plan's vendor that are sold at the plan's size and need no further
/// input, with the targets of the plan's jobs.
std::vector<Alternative> alternatives_of(const Plan& plan, std::span<const Profile> profiles);

}  // namespace diskaudit
