#pragma once
/// The expression language in which profiles state quotas: `min(1800 + 8*gib, 6000)`.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "error.hpp"

namespace diskaudit {

/// Numbers, names, `+ - * /`, parentheses, `min max ceil floor`; parsed once, evaluated in double.
class Formula {
 public:
  /// Fails with "column: what"; the caller puts the file and line before it.
  static Result<Formula> parse(std::string_view text);

  /// Fails on an unknown name, a division by zero, and a negative or non-finite result.
  Result<double> evaluate(const std::map<std::string, double>& names) const;

  /// The steps to the value: `min(1800 + 8 × 100, 6000) = min(2600, 6000) = 2600`.
  Result<std::string> explain(const std::map<std::string, double>& names) const;

  const std::string& text() const { return text_; }
  std::set<std::string> names() const;

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace diskaudit
