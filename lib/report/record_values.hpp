#pragma once
/// How each type of value is visited; included by the record's description alone.

#include <limits>
#include <optional>

#include "report/record_choices.hpp"
#include "report/record_visitor.hpp"

namespace diskaudit::record {

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

void visit_reasons(Visitor& v, std::string_view key, std::vector<Reason>& reasons);
void visit_job(Visitor& v, Job& job);
void visit_scenario(Visitor& v, ScenarioAudit& scenario);

}  // namespace diskaudit::record
