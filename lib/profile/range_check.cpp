#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "profile/reader.hpp"
#include "units.hpp"

// Whether a formula stays finite and not negative over the whole capacity range. Bounds prove most
// stretches of the range at one go; a stretch that they cannot prove is halved down to single
// GiB, where the formula itself is tried with every other input at either end of its range.

namespace diskaudit {
namespace {

using Names = std::map<std::string, double>;
using Ranges = std::map<std::string, Range>;

std::optional<FormulaError> try_point(const Formula& formula, const Names& point) {
  const FormulaResult<double> value = formula.evaluate(point);
  if (value) return {};
  std::string where;
  for (const std::string& name : formula.names()) {
    const auto found = point.find(name);
    if (found != point.end())
      where += fmt::format("{}{} = {}", where.empty() ? " at " : ", ", name,
                           format_number(found->second, 6));
  }
  return FormulaError{value.error().column, value.error().what + where};
}

/// Every combination of the ends of the ranges but for `gib`, which is given.
std::optional<FormulaError> try_size(const Formula& formula, const Ranges& names, double gib) {
  std::vector<Names> points = {{}};
  for (const auto& [name, range] : names) {
    std::vector<Names> next;
    for (Names& point : points) {
      for (const double value : {range.low, range.high}) {
        point[name] = name == "gib" ? gib : value;
        next.push_back(point);
        if (name == "gib" || range.low == range.high) break;
      }
    }
    points = std::move(next);
  }
  for (const Names& point : points) {
    if (std::optional<FormulaError> fault = try_point(formula, point)) return fault;
  }
  return {};
}

std::optional<FormulaError> try_sizes(const Formula& formula, Ranges& names, Range sizes) {
  names["gib"] = sizes;
  const Range bounds = formula.bounds(names);
  if (bounds.low >= 0 && std::isfinite(bounds.high)) return {};
  if (sizes.high - sizes.low <= 1) {
    if (std::optional<FormulaError> fault = try_size(formula, names, sizes.low)) return fault;
    return try_size(formula, names, sizes.high);
  }
  const double middle = std::floor((sizes.low + sizes.high) / 2);
  if (std::optional<FormulaError> fault = try_sizes(formula, names, {sizes.low, middle}))
    return fault;
  return try_sizes(formula, names, {middle, sizes.high});
}

}  // namespace

std::optional<FormulaError> fault_in_ranges(const Formula& formula, const Ranges& names) {
  std::vector<std::string> known;
  for (const auto& [name, range] : names) known.push_back(name);
  if (std::optional<FormulaError> unknown = formula.unknown_name(known)) return unknown;
  Ranges used;
  for (const std::string& name : formula.names()) used[name] = names.at(name);
  if (!used.contains("gib")) return try_size(formula, used, 0);
  return try_sizes(formula, used, used["gib"]);
}

}  // namespace diskaudit
