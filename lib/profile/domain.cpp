#include "profile/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/names.hpp"
#include "units.hpp"

// Whether a formula stays finite and not negative in its whole domain. Bounds prove most stretches
// of the capacity range at one go; a stretch that they cannot prove is halved down to single GiB,
// where the formula itself is tried with every input at the ends of its range or at every choice.

namespace diskaudit {
namespace {

constexpr std::size_t point_limit = 4096;

/// The values at which an input is tried, where the names before it are as in `point`.
std::vector<double> trial_values(const Input& input, const Names& point) {
  std::vector<double> values;
  for (const auto& [name, value] : input.choices) values.push_back(value);
  if (values.empty()) {
    for (const std::optional<Formula>* end : {&input.min, &input.max}) {
      if (!*end) continue;
      if (const FormulaResult<double> value = (*end)->evaluate(point)) values.push_back(*value);
    }
  }
  return values;
}

std::optional<FormulaError> try_size(const Formula& formula, const Domain& domain, double gib) {
  const FormulaError unproved = {
      1, "formula cannot be shown to stay finite and not negative; bound it with min or max"};
  if (--*domain.budget < 0) return unproved;
  if (!is_sold(domain.capacity, gib)) return {};
  for (const Names& point : points_at(domain, gib)) {
    if (--*domain.budget < 0) return unproved;
    const FormulaResult<double> value = formula.evaluate(point);
    if (value) continue;
    std::string where;
    for (const std::string& name : formula.names()) {
      const auto found = point.find(name);
      if (found != point.end())
        where += fmt::format("{}{} = {}", where.empty() ? " at " : ", ", name,
                             format_number(found->second, 6));
    }
    return FormulaError{value.error().column, value.error().what + where};
  }
  return {};
}

std::optional<FormulaError> try_sizes(const Formula& formula, const Domain& domain,
                                      std::map<std::string, Range>& ranges, Range sizes) {
  ranges["gib"] = sizes;
  const Range bounds = formula.bounds(ranges);
  if (bounds.low >= 0 && std::isfinite(bounds.high)) return {};
  if (sizes.high - sizes.low <= 1) {
    if (auto fault = try_size(formula, domain, sizes.low)) return fault;
    return try_size(formula, domain, sizes.high);
  }
  const double middle = std::floor((sizes.low + sizes.high) / 2);
  if (auto fault = try_sizes(formula, domain, ranges, {sizes.low, middle})) return fault;
  return try_sizes(formula, domain, ranges, {middle, sizes.high});
}

}  // namespace

std::vector<Names> points_at(const Domain& domain, double gib) {
  std::vector<Names> points = {{{"gib", gib}}};
  for (std::size_t i = 0; i <= domain.inputs.size(); ++i) {
    // A value without a row in a table is the user's error and no point of the domain.
    std::erase_if(points, [&](Names& point) { return !add_tables(domain.tables, point); });
    if (i == domain.inputs.size()) break;
    std::vector<Names> next;
    for (const Names& point : points) {
      for (const double value : trial_values(domain.inputs[i], point)) {
        if (next.size() == point_limit) break;
        next.push_back(point);
        next.back()[domain.inputs[i].name] = value;
      }
    }
    points = std::move(next);
  }
  return points;
}

std::vector<std::string> Domain::names() const {
  std::vector<std::string> names;
  for (const auto& [name, range] : ranges) names.push_back(name);
  return names;
}

Range range_of(const Input& input, const Domain& domain) {
  if (input.choices.empty())
    return {input.min->bounds(domain.ranges).low, input.max->bounds(domain.ranges).high};
  Range range = {input.choices.front().second, input.choices.front().second};
  const auto widen = [&](Range other) {
    range = {std::min(range.low, other.low), std::max(range.high, other.high)};
  };
  for (const auto& [name, value] : input.choices) widen({value, value});
  if (input.initial) widen(input.initial->bounds(domain.ranges));
  return range;
}

Range stretch_of(const Table& table, std::size_t row, Range whole) {
  const auto key = [&](std::size_t i) { return table.rows[i].keys.back(); };
  if (table.match == Match::Exact) return {key(row), key(row)};
  // Rows of a table of several keys start anew for each value of the keys before the last.
  if (table.keys.size() > 1) return whole;
  if (table.match == Match::UpTo) return {row == 0 ? whole.low : key(row - 1), key(row)};
  return {key(row), row + 1 < table.rows.size() ? key(row + 1) : whole.high};
}

void add_columns(Domain& domain) {
  for (const Table& table : domain.tables) {
    const auto known = [&](const std::string& name) { return domain.ranges.contains(name); };
    if (!std::ranges::all_of(table.keys, known)) continue;
    std::map<std::string, Range> columns;
    for (std::size_t number = 0; number < table.rows.size(); ++number) {
      const TableRow& row = table.rows[number];
      std::map<std::string, Range> ranges = domain.ranges;
      Range& key = ranges[table.keys.back()];
      key = stretch_of(table, number, key);
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!std::ranges::all_of(row.cells[i].names(), known)) continue;
        const Range range = row.cells[i].bounds(ranges);
        const auto [column, is_new] = columns.emplace(table.name + "." + table.columns[i], range);
        column->second = {std::min(column->second.low, range.low),
                          std::max(column->second.high, range.high)};
      }
    }
    domain.ranges.insert(columns.begin(), columns.end());
  }
}

std::optional<FormulaError> fault_in(const Formula& formula, const Domain& domain) {
  if (auto unknown = formula.unknown_name(domain.names())) return unknown;
  std::map<std::string, Range> ranges = domain.ranges;
  if (formula.names().contains("gib"))
    return try_sizes(formula, domain, ranges, {domain.capacity.min, domain.capacity.max});
  const Range bounds = formula.bounds(ranges);
  if (bounds.low >= 0 && std::isfinite(bounds.high)) return {};
  if (auto fault = try_size(formula, domain, domain.capacity.min)) return fault;
  return try_size(formula, domain, domain.capacity.max);
}

}  // namespace diskaudit
