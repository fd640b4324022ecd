#pragma once
/// Takes typed values out of a Document; the first fault sticks and everything after it is moot.

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "error.hpp"
#include "profile/document.hpp"
#include "profile/domain.hpp"
#include "profile/profile.hpp"

namespace diskaudit {

/// Whether it is YYYY-MM-DD.
bool is_date(std::string_view text);

/// A key that a mapping may hold.
struct Key {
  std::string_view name;
  bool required = false;
};

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

  void fault(const Document& at, std::string_view what);
  void fault_at_key(const Document& member, std::string_view what);
  void fault_in(const Document& formula, const FormulaError& error);

  /// Whether it is a mapping with these keys only and all required ones; `what` names it.
  bool mapping(const Document& document, std::string_view what, std::initializer_list<Key> keys);
  /// Whether it is a sequence with at least one item.
  bool sequence(const Document& document, std::string_view what);

  std::string text(const Document& document);
  double number(const Document& document);                 ///< finite
  double positive_number(const Document& document);        ///< finite and above 0
  bool flag(const Document& document);                     ///< true or false
  std::string date(const Document& document, bool whole);  ///< YYYY-MM-DD; or YYYY-MM, YYYY
  LocalText local_text(const Document& document);          ///< a text or {en: …, zh: …}
  std::string one_of(const Document& document, std::initializer_list<std::string_view> words);
  RateUnit rate_unit(const Document& document);

  /// It must be finite and not negative in the whole domain.
  std::optional<Formula> formula(const Document& document, const Domain& domain);

 private:
  void fault_at(std::size_t line, std::size_t column, std::string_view what);

  std::string file_;
  std::optional<Error> error_;
};

/// Whether the scalar is a number as YAML and JSON both spell one, so that it means the same in a
/// record: 05 and .5 are none.
bool is_number(const Document& scalar);

}  // namespace diskaudit
