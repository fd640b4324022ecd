#pragma once
/// How enumerators are visited: by their names in a record.

#include <array>
#include <string_view>

#include "report/record_visitor.hpp"

namespace diskaudit::record {

using Visitor = RecordVisitor;

inline std::string_view name_of(DiskKind kind) {
  return kind == DiskKind::File ? "file" : "block_device";
}

inline std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::Attempt:
      return "attempt";
    case Purpose::HalfDepth:
      return "half_depth";
    case Purpose::SecondPass:
      return "second_pass";
    case Purpose::Latency:
      break;
  }
  return "latency";
}

template <typename T, std::size_t N>
void visit_choice(Visitor& v, std::string_view key, T& x, const std::array<T, N>& all) {
  std::array<std::string_view, N> names;
  std::size_t index = 0;
  for (std::size_t i = 0; i < N; ++i) {
    names[i] = name_of(all[i]);
    if (all[i] == x) index = i;
  }
  v.choice(key, names, index);
  x = all[index];
}

inline void visit(Visitor& v, std::string_view key, Direction& x) {
  visit_choice(v, key, x, std::array{Direction::Read, Direction::Write, Direction::Mixed});
}

inline void visit(Visitor& v, std::string_view key, Pattern& x) {
  visit_choice(v, key, x, std::array{Pattern::Sequential, Pattern::Random});
}

inline void visit(Visitor& v, std::string_view key, Metric& x) {
  visit_choice(v, key, x, std::array{Metric::Iops, Metric::BytesPerSecond, Metric::LatencyUs});
}

inline void visit(Visitor& v, std::string_view key, DiskKind& x) {
  visit_choice(v, key, x, std::array{DiskKind::File, DiskKind::BlockDevice});
}

inline void visit(Visitor& v, std::string_view key, Purpose& x) {
  visit_choice(
      v, key, x,
      std::array{Purpose::Attempt, Purpose::HalfDepth, Purpose::SecondPass, Purpose::Latency});
}

inline void visit(Visitor& v, std::string_view key, Outcome& x) {
  visit_choice(v, key, x,
               std::array{Outcome::Pass, Outcome::Fail, Outcome::Inconclusive, Outcome::NotTested});
}

inline void visit(Visitor& v, std::string_view key, Cause& x) {
  using enum Cause;
  visit_choice(
      v, key, x,
      std::array{BelowQuota, BurstThenBelow, LatencyAboveRange, IoError, ClientLimited,
                 DepthLimited, InstanceLimited, CgroupLimited, FilesystemLimited, Contaminated,
                 Initialising, BurstOnly, Unsteady, Borderline, CacheServed, Interrupted});
}

inline void visit(Visitor& v, std::string_view key, ReasonCode& x) {
  std::array<ReasonCode, std::tuple_size_v<decltype(reason_names)>> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = reason_names[i].code;
  visit_choice(v, key, x, all);
}

}  // namespace diskaudit::record
