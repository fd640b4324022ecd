#pragma once
/// How each type of value is visited; included by the record's description alone.

#include <array>
#include <limits>
#include <optional>

#include "report/record_visitor.hpp"

namespace diskaudit::record {

using Visitor = RecordVisitor;

inline void visit(Visitor& v, std::string_view key, bool& x) { v.value(key, x); }
inline void visit(Visitor& v, std::string_view key, double& x) { v.value(key, x); }
inline void visit(Visitor& v, std::string_view key, std::string& x) { v.value(key, x); }
inline void visit(Visitor& v, std::string_view key, Iops& x) { v.value(key, x.value); }
inline void visit(Visitor& v, std::string_view key, BytesPerSec& x) { v.value(key, x.value); }

inline void visit(Visitor& v, std::string_view key, std::uint64_t& x) {
  v.value(key, x, std::numeric_limits<std::uint64_t>::max());
}

inline void visit(Visitor& v, std::string_view key, Bytes& x) { visit(v, key, x.value); }

inline void visit(Visitor& v, std::string_view key, unsigned& x) {
  std::uint64_t wide = x;
  v.value(key, wide, std::numeric_limits<unsigned>::max());
  x = static_cast<unsigned>(wide);
}

inline void visit(Visitor& v, std::string_view key, int& x) {
  std::uint64_t wide = static_cast<unsigned>(x);
  v.value(key, wide, std::numeric_limits<int>::max());
  x = static_cast<int>(wide);
}

inline std::string_view name_of(DiskKind kind) {
  return kind == DiskKind::File ? "file" : "block_device";
}

inline std::string_view name_of(Purpose purpose) {
  return purpose == Purpose::Attempt ? "attempt" : "half_depth";
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
  visit_choice(v, key, x, std::array{Purpose::Attempt, Purpose::HalfDepth});
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

template <typename T>
inline void visit(Visitor& v, std::string_view key, std::optional<T>& x) {
  if (!v.optional(key, x.has_value())) return x.reset();
  if (!x) x.emplace();
  visit(v, key, *x);
}

template <typename Visit>
void visit_group(Visitor& v, std::string_view key, Visit visit_members) {
  v.enter(key);
  visit_members();
  v.leave();
}

template <typename T, typename Visit>
void visit_optional_group(Visitor& v, std::string_view key, std::optional<T>& x,
                          Visit visit_members) {
  if (!v.optional(key, x.has_value())) return x.reset();
  if (!x) x.emplace();
  visit_group(v, key, [&] { visit_members(*x); });
}

template <typename T, typename Visit>
void visit_list(Visitor& v, std::string_view key, std::vector<T>& items, Visit visit_item) {
  items.resize(v.enter_list(key, items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    v.enter_item(i);
    visit_item(items[i]);
    v.leave();
  }
  v.leave();
}

void visit_job(Visitor& v, Job& job);
void visit_scenario(Visitor& v, ScenarioAudit& scenario);

}  // namespace diskaudit::record
