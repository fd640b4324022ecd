#include "profile/formula.hpp"

#include <cmath>
#include <string>

#include "support/catch.hpp"

using namespace diskaudit;

namespace {

const std::map<std::string, double> names = {{"gib", 100}, {"iops", 3000}};

double value(const std::string& text) {
  const FormulaResult<Formula> formula = Formula::parse(text);
  REQUIRE(formula);
  const FormulaResult<double> result = formula->evaluate(names);
  REQUIRE(result);
  return *result;
}

/// "column: what" of the error that parsing or evaluating gives.
std::string error(const std::string& text) {
  const FormulaResult<Formula> formula = Formula::parse(text);
  const FormulaError fault = formula ? formula->evaluate(names).error() : formula.error();
  return std::to_string(fault.column) + ": " + fault.what;
}

std::string steps(const std::string& text) {
  const FormulaResult<std::string> explained = Formula::parse(text)->explain(names);
  REQUIRE(explained);
  return *explained;
}

}  // namespace

TEST_CASE("a formula follows the rules of arithmetic") {
  const struct {
    std::string text;
    double result;
  } table[] = {
      {"1000", 1000},
      {"1.5e3", 1500},
      {".5", 0.5},
      {"gib", 100},
      {"2 + 3*4", 14},
      {"(2 + 3)*4", 20},
      {"100 - 20 - 30", 50},
      {"100 / 5 / 2", 10},
      {"min(3, 2, 4)", 2},
      {"max(3, 2, 4)", 4},
      {"ceil(gib/64)", 2},
      {"floor(gib/64)", 1},
      {"max(5 - 10, 1)", 1},
      {"min(1800 + 8*gib, 6000)", 2600},
      {"min(500, iops*256/1024)", 500},
  };
  for (const auto& [text, result] : table) {
    INFO(text);
    CHECK(value(text) == result);
  }
}

TEST_CASE("a formula's knees come out to the unit") {
  const Formula iops = *Formula::parse("min(1800 + 8*gib, 6000)");
  const Formula throughput = *Formula::parse("min(100 + 0.15*gib, 150)");
  const struct {
    double gib, iops, throughput;
  } table[] = {
      {100, 2600, 115}, {524, 5992, 150}, {525, 6000, 150}, {526, 6000, 150}, {5000, 6000, 150}};
  for (const auto& row : table) {
    CHECK(*iops.evaluate({{"gib", row.gib}}) == row.iops);
    CHECK(*throughput.evaluate({{"gib", row.gib}}) == Approx(row.throughput).epsilon(1e-12));
  }
}

TEST_CASE("a faulty formula is an error that points at the fault") {
  const struct {
    std::string text;
    std::string message;
  } table[] = {
      {"", "1: formula ends where a number, a name or '(' is expected"},
      {"min(1800 + 8*gb, 6000)", "14: unknown name 'gb' in formula; did you mean 'gib'?"},
      {"1 +", "4: formula ends where a number, a name or '(' is expected"},
      {"1 2", "3: unexpected '2' in formula"},
      {"1 × 2", "3: unexpected '×' in formula"},
      {"* 2", "1: unexpected '*' in formula; expected a number, a name or '('"},
      {"8gib", "1: a number must be followed by an operator; write 8*gib, not 8gib"},
      {"1.2.3", "1: a number must be followed by an operator; write 8*gib, not 8gib"},
      {"(1", "3: missing ')' in formula"},
      {"min(1, 2", "9: missing ')' in formula"},
      {"min(1)", "1: 'min' takes two or more arguments"},
      {"ceil(1, 2)", "1: 'ceil' takes one argument"},
      {"min + 1", "'min' must be followed by '('"},
      {"mim(1, 2)", "1: unknown function 'mim' in formula; did you mean 'min'?"},
      {"1e999", "1: number is out of range"},
      {".", "1: '.' is no number"},
      {"10/(gib - 100)", "3: division by zero"},
      {"gib - 200", "5: the value is negative: -100"},
      {"1e308*10", "6: the value is not finite"},
      {std::string(40, '(') + "1", "33: formula is nested deeper than 32 levels"},
      {std::string(2000, '1'), "1: formula is longer than 1024 characters"},
  };
  for (const auto& [text, message] : table) {
    INFO(text);
    CHECK_THAT(error(text), Catch::Matchers::EndsWith(message));
  }
}

TEST_CASE("a formula explains itself in few steps") {
  CHECK(steps("min(1800 + 8*gib, 6000)") == "min(1800 + 8 × 100, 6000) = min(2600, 6000) = 2600");
  CHECK(steps("min(100 + 0.15*gib, 150)") == "min(100 + 0.15 × 100, 150) = min(115, 150) = 115");
  CHECK(steps("350") == "350");
  CHECK(steps("gib") == "100");
  CHECK(steps("1800 + 8*gib") == "1800 + 8 × 100 = 2600");
  CHECK(steps("max(min(1800 + 50*gib, 5000), 3000)") ==
        "max(min(1800 + 50 × 100, 5000), 3000) = max(min(6800, 5000), 3000) = max(5000, 3000) = "
        "5000");
  CHECK(steps("100 - (20 - 5)*2") == "100 - (20 - 5) × 2 = 70");
  CHECK(steps("2*min(gib, 50) + 1") == "2 × min(100, 50) + 1 = 2 × 50 + 1 = 101");
}

TEST_CASE("explaining gives the value that evaluating gives, or its error") {
  const Formula formula = *Formula::parse("10/(gib - 100)");
  CHECK(formula.explain(names).error().what == "division by zero");
  CHECK(*formula.explain({{"gib", 110}}) == "10 / (110 - 100) = 1");
}

TEST_CASE("the bounds of a formula hold every value that it takes") {
  const std::map<std::string, Range> anywhere = {{"gib", {10, 1000}}};
  for (const std::string text : {"min(1800 + 8*gib, 6000)", "max(5000/gib, 20)", "gib - gib/2",
                                 "ceil(gib/100)*floor(7 - gib/900)"}) {
    INFO(text);
    const Formula formula = *Formula::parse(text);
    const Range range = formula.bounds(anywhere);
    for (double gib = 10; gib <= 1000; ++gib) {
      const double result = *formula.evaluate({{"gib", gib}});
      CHECK(range.low <= result);
      CHECK(result <= range.high);
    }
  }
  CHECK(std::isinf(Formula::parse("1/(gib - 50)")->bounds(anywhere).high));
  CHECK(Formula::parse("min(1800 + 8*gib, 6000)")->bounds(anywhere).low == 1880);
}

TEST_CASE("every prefix of a formula is a formula or an error, never a crash") {
  const std::string text = "max(min(1800 + 50*gib, 5e4), 3000/(2 - 1)) + ceil(gib/2) - floor(.5)";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const FormulaResult<Formula> formula = Formula::parse(text.substr(0, length));
    if (!formula) {
      CHECK(formula.error().column <= length + 1);
      continue;
    }
    const FormulaResult<double> result = formula->evaluate(names);
    if (!result) CHECK(result.error().what.starts_with("unknown name"));
  }
}
