#include "profile/formula.hpp"

#include <cmath>
#include <limits>

#include "fuzz/targets.hpp"

namespace diskaudit::fuzz {

namespace {

constexpr double most = 64000;
constexpr double nothing = std::numeric_limits<double>::denorm_min();

void evaluate_at(const Formula& formula, double value) {
  std::map<std::string, double> names;
  std::map<std::string, Range> ranges;
  for (const std::string& name : formula.names()) {
    names[name] = value;
    ranges[name] = {0, most};
  }
  const auto result = formula.evaluate(names);
  require(formula.explain(names).has_value() == result.has_value(),
          "what has a value can be explained");
  (void)formula.binding_term(names);
  if (!result) return;
  require(std::isfinite(*result) && *result >= 0, "a quota is a number, not below 0");
  const Range range = formula.bounds(ranges);
  if (value <= most)
    require(range.low <= *result && *result <= range.high, "a value lies within its bounds");
}

}  // namespace

void formula(std::string_view input) {
  const auto parsed = Formula::parse(input);
  if (!parsed) {
    require(parsed.error().column >= 1 && parsed.error().column <= input.size() + 1,
            "a fault stands within the text");
    return;
  }
  for (const double value : {0.0, nothing, 1.0, 99.5, most, 1e308}) evaluate_at(*parsed, value);
  const auto again = Formula::parse(parsed->text());
  require(again && again->names() == parsed->names(), "a formula's text means the same again");
}

}  // namespace diskaudit::fuzz
