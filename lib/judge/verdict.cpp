#include "judge/verdict.hpp"

#include <array>

namespace diskaudit {

std::string_view name_of(Outcome outcome) {
  static constexpr std::array<std::string_view, 4> names = {"pass", "fail", "inconclusive",
                                                            "not_tested"};
  return names[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(Cause cause) {
  static constexpr std::array<std::string_view, 16> names = {
      "below_quota",        "burst_then_below", "latency_above_range", "io_error",
      "client_limited",     "depth_limited",    "instance_limited",    "cgroup_limited",
      "filesystem_limited", "contaminated",     "initialising",        "burst_only",
      "unsteady",           "borderline",       "cache_served",        "interrupted"};
  return names[static_cast<std::size_t>(cause)];
}

}  // namespace diskaudit
