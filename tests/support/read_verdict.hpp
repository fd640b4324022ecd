#pragma once
/// Finds findings, their figures and flags in a verdict.

#include <algorithm>
#include <string_view>

#include "judge/verdict.hpp"
#include "support/catch.hpp"

namespace diskaudit {

inline const Reason* find(const Verdict& verdict, ReasonCode code) {
  const auto found = std::ranges::find(verdict.reasons, code, &Reason::code);
  return found == verdict.reasons.end() ? nullptr : &*found;
}

inline double figure(const Verdict& verdict, ReasonCode code, std::string_view name) {
  const Reason* reason = find(verdict, code);
  REQUIRE(reason);
  const auto found = std::ranges::find(reason->values, name, [](const auto& v) { return v.first; });
  REQUIRE(found != reason->values.end());
  return found->second;
}

inline bool has_flag(const Verdict& verdict, std::string_view flag) {
  return std::ranges::find(verdict.flags, flag) != verdict.flags.end();
}

}  // namespace diskaudit
