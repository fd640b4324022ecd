#pragma once
/// Every member of every struct in an Audit, so that tests can fill and compare audits whole. A
/// member that is added to one of them does not compile here until it is named: then the record
/// needs it too.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "audit/audit.hpp"

namespace diskaudit::test {

// clang-format off
#define DISKAUDIT_FIELDS(Type, ...) \
  inline auto fields_of(const Type& x) { const auto& [__VA_ARGS__] = x; return std::tie(__VA_ARGS__); }

DISKAUDIT_FIELDS(Bytes, a)
DISKAUDIT_FIELDS(Iops, a)
DISKAUDIT_FIELDS(BytesPerSec, a)
DISKAUDIT_FIELDS(LatencySummary, a, b, c, d, e, f, g)
DISKAUDIT_FIELDS(Series, a, b, c, d, e, f)
DISKAUDIT_FIELDS(Flow, a, b, c, d, e)
DISKAUDIT_FIELDS(LowerCounts, a, b, c)
DISKAUDIT_FIELDS(WitnessLog, a, b, c, d)
DISKAUDIT_FIELDS(Witness, a, b, c, d, e, f, g, h, i, j)
DISKAUDIT_FIELDS(LatencyMap, a, b, c)
DISKAUDIT_FIELDS(ClientCost, a, b, c, d, e, f, g)
DISKAUDIT_FIELDS(IoFault, a, b, c, d, e)
DISKAUDIT_FIELDS(VoidSpan, a, b, c)
DISKAUDIT_FIELDS(Measurement, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
DISKAUDIT_FIELDS(Probe, a, b)
DISKAUDIT_FIELDS(Evidence, a, b, c)
DISKAUDIT_FIELDS(Scenario, a, b, c, d, e, f, g, h, i)
DISKAUDIT_FIELDS(Target, a, b, c)
DISKAUDIT_FIELDS(IoUnit, a, b, c)
DISKAUDIT_FIELDS(Job, a, b, c, d, e, f, g, h, i, j, k, l)
DISKAUDIT_FIELDS(Reason, a, b, c)
DISKAUDIT_FIELDS(Interval, a, b, c)
DISKAUDIT_FIELDS(Plateau, a, b)
DISKAUDIT_FIELDS(Availability, a, b, c, d, e, f)
DISKAUDIT_FIELDS(Verdict, a, b, c, d, e, f, g, h, i)
DISKAUDIT_FIELDS(ScenarioAudit, a, b, c)
DISKAUDIT_FIELDS(BlockDevice, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x1, y, z)
DISKAUDIT_FIELDS(Disk, a, b, c, d, e, f, g, h, i, j, k, l)
DISKAUDIT_FIELDS(LocalClock, a, b, c)
DISKAUDIT_FIELDS(Environment, a, b, c, d, e, f, g, h, i, j, k, l, m)
DISKAUDIT_FIELDS(InstanceCaps, a, b)
DISKAUDIT_FIELDS(Tolerance, a, b)
DISKAUDIT_FIELDS(PlanOptions, a, b, c, d, e, f, g, h, i, j, k)
DISKAUDIT_FIELDS(GuardCheck, a, b, c, d)
DISKAUDIT_FIELDS(Alternative, a, b)
DISKAUDIT_FIELDS(Filling, a, b, c, d)
DISKAUDIT_FIELDS(Audit, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
#undef DISKAUDIT_FIELDS
// clang-format on

/// The profile and quota have tests of their own; here they count as their plan's options and jobs.
inline auto fields_of(const Plan& x) {
  const auto& [profile, inputs, quota, options, jobs, alternatives] = x;
  return std::tie(inputs, options, jobs, alternatives);
}

template <typename T>
concept HasFields = requires(const T& x) {
  fields_of(x);
};

template <typename T>
bool same(const std::optional<T>& left, const std::optional<T>& right);
template <typename T>
bool same(const std::vector<T>& left, const std::vector<T>& right);

/// Whether two values agree in every member, floating point to the last bit.
template <typename T>
bool same(const T& left, const T& right) {
  if constexpr (HasFields<T>) {
    const auto theirs = fields_of(right);
    return std::apply(
        [&](const auto&... mine) {
          return std::apply([&](const auto&... other) { return (same(mine, other) && ...); },
                            theirs);
        },
        fields_of(left));
  } else {
    return left == right;
  }
}

template <typename T>
bool same(const std::optional<T>& left, const std::optional<T>& right) {
  return left.has_value() == right.has_value() && (!left || same(*left, *right));
}

template <typename T>
bool same(const std::vector<T>& left, const std::vector<T>& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!same(left[i], right[i])) return false;
  }
  return true;
}

/// Gives every member a value that no other has, and every list two items.
class Filler {
 public:
  template <typename T>
  void fill(T& x) {
    if constexpr (HasFields<T>) {
      std::apply([&](const auto&... field) { (fill(writable(field)), ...); }, fields_of(x));
    } else if constexpr (std::is_same_v<T, bool>) {
      x = true;
    } else if constexpr (std::is_enum_v<T>) {
      x = static_cast<T>(1);
    } else if constexpr (std::is_floating_point_v<T>) {
      x = static_cast<double>(++next_) + 0.1;
    } else if constexpr (std::is_integral_v<T>) {
      x = static_cast<T>(++next_);
    } else if constexpr (std::is_same_v<T, std::string>) {
      x = "text " + std::to_string(++next_);
    } else {
      x.clear();  // the plan's inputs, which belong to its profile
    }
  }

  template <typename T>
  void fill(std::optional<T>& x) {
    fill(x.emplace());
  }

  template <typename T>
  void fill(std::vector<T>& x) {
    x.resize(2);
    for (T& item : x) fill(item);
  }

  template <typename A, typename B>
  void fill(std::pair<A, B>& x) {
    fill(x.first);
    fill(x.second);
  }

 private:
  template <typename T>
  static T& writable(const T& x) {
    return const_cast<T&>(x);
  }

  std::uint64_t next_ = 0;
};

}  // namespace diskaudit::test
