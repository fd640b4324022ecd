#pragma once
/// The expression language in which profiles state quotas: `min(1800 + 8*gib, 6000)`.

#include <cstddef>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace diskaudit {

/// What is wrong with a formula, and where in its text (from 1).
struct FormulaError {
  std::size_t column = 1;
  std::string what;
};

template <typename T>
using FormulaResult = std::expected<T, FormulaError>;

/// A closed range of values, for telling what a formula can come to.
struct Range {
  double low = 0;
  double high = 0;
};

/// Numbers, names, `+ - * /`, parentheses, `min max ceil floor`; parsed once, evaluated in double.
class Formula {
 public:
  static FormulaResult<Formula> parse(std::string_view text);

  /// The first name that is not among the `known`.
  std::optional<FormulaError> unknown_name(std::span<const std::string> known) const;

  /// Fails on an unknown name, a division by zero, and a negative or non-finite result.
  FormulaResult<double> evaluate(const std::map<std::string, double>& names) const;

  /// Bounds of the result, perhaps wider than need be, for names anywhere in their ranges; infinite
  /// where a division may be by zero.
  Range bounds(const std::map<std::string, Range>& names) const;

  /// The steps to the value: `min(1800 + 8 × 100, 6000) = min(2600, 6000) = 2600`.
  FormulaResult<std::string> explain(const std::map<std::string, double>& names) const;

  /// The argument of the outermost min and max that gives the value, the last one of equals; the
  /// whole formula where there is none, and nothing where it cannot be evaluated.
  std::string binding_term(const std::map<std::string, double>& names) const;

  const std::string& text() const { return text_; }
  std::set<std::string> names() const;

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

/// A formula that is a plain number, not below 0.
Formula constant_formula(double value);

}  // namespace diskaudit
