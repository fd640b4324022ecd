#include "profile/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "profile/nearest.hpp"

namespace diskaudit {
namespace {

std::string_view kind_name(const Document& document) {
  switch (document.kind) {
    case Document::Kind::Scalar:
      return "a single value";
    case Document::Kind::Sequence:
      return "a list";
    case Document::Kind::Mapping:
      return "a mapping";
  }
  return "";
}

bool is_dated(std::string_view text, bool whole) {
  constexpr std::string_view pattern = "dddd-dd-dd";
  if (text.size() > pattern.size()) return false;
  if (whole ? text.size() != 10 : (text.size() != 4 && text.size() != 7 && text.size() != 10))
    return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (pattern[i] == 'd' ? !digit : text[i] != pattern[i]) return false;
  }
  const auto part = [&](std::size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  if (text.size() >= 7 && (part(5) < 1 || part(5) > 12)) return false;
  return text.size() < 10 || (part(8) >= 1 && part(8) <= 31);
}

}  // namespace

bool is_date(std::string_view text) { return is_dated(text, true); }

void Reader::fault_at(std::size_t line, std::size_t column, std::string_view what) {
  if (error_) return;
  // What came from a record has no lines to point at.
  error_ =
      Error{ExitCode::Usage, line == 0 ? fmt::format("{}: {}", file_, what)
                                       : fmt::format("{}:{}:{}: {}", file_, line, column, what)};
}

void Reader::fault(const Document& at, std::string_view what) {
  fault_at(at.line, at.column, what);
}

void Reader::fault_at_key(const Document& member, std::string_view what) {
  fault_at(member.key_line, member.key_column, what);
}

void Reader::fault_in(const Document& formula, const FormulaError& error) {
  const std::size_t quote = formula.quoted ? 1 : 0;
  fault_at(formula.line, formula.column + quote + error.column - 1, error.what);
}

bool Reader::mapping(const Document& document, std::string_view what,
                     std::initializer_list<Key> keys) {
  if (document.kind != Document::Kind::Mapping) {
    fault(document, fmt::format("{} must be a mapping, not {}", what, kind_name(document)));
    return false;
  }
  std::vector<std::string> known;
  for (const Key& key : keys) known.emplace_back(key.name);
  for (const auto& [name, value] : document.members) {
    if (!std::ranges::count(known, name))
      fault_at_key(value,
                   fmt::format("unknown key '{}' in {}{}", name, what, did_you_mean(name, known)));
  }
  for (const Key& key : keys) {
    if (key.required && !document.find(key.name))
      fault(document, fmt::format("{} lacks the key '{}'", what, key.name));
  }
  return !failed();
}

bool Reader::sequence(const Document& document, std::string_view what) {
  if (document.kind != Document::Kind::Sequence)
    fault(document, fmt::format("{} must be a list, not {}", what, kind_name(document)));
  else if (document.items.empty())
    fault(document, fmt::format("{} must not be empty", what));
  return !failed();
}

std::string Reader::text(const Document& document) {
  if (document.kind != Document::Kind::Scalar)
    fault(document, fmt::format("expected a text, not {}", kind_name(document)));
  else if (document.text.empty())
    fault(document, "expected a text, not an empty one");
  return document.text;
}

double Reader::number(const Document& document) {
  double value = 0;
  if (document.kind != Document::Kind::Scalar) {
    fault(document, fmt::format("expected a number, not {}", kind_name(document)));
    return value;
  }
  const char* end = document.text.data() + document.text.size();
  const auto [rest, failure] = std::from_chars(document.text.data(), end, value);
  if (!is_number(document) || failure == std::errc::invalid_argument || rest != end) {
    fault(document, fmt::format("expected a number, not '{}'", document.text));
  } else if (failure != std::errc() || !std::isfinite(value)) {
    fault(document, fmt::format("number '{}' is out of range", document.text));
  }
  return failed() ? 0 : value;
}

double Reader::positive_number(const Document& document) {
  const double value = number(document);
  if (value <= 0) fault(document, "expected a number above 0");
  return value;
}

bool Reader::flag(const Document& document) {
  return one_of(document, {"true", "false"}) == "true";
}

std::string Reader::date(const Document& document, bool whole) {
  const std::string value = text(document);
  if (!is_dated(value, whole))
    fault(document, fmt::format("expected a date as YYYY-MM-DD, not '{}'", value));
  return value;
}

LocalText Reader::local_text(const Document& document) {
  if (document.kind == Document::Kind::Scalar) return {text(document), document.text};
  LocalText result;
  if (!mapping(document, "a text in two languages", {{"en", true}, {"zh"}})) return result;
  result.en = text(*document.find("en"));
  const Document* zh = document.find("zh");
  result.zh = zh ? text(*zh) : result.en;
  return result;
}

std::string Reader::one_of(const Document& document,
                           std::initializer_list<std::string_view> words) {
  const std::string word = text(document);
  if (!std::ranges::count(words, word))
    fault(document, fmt::format("'{}' is none of {}", word, fmt::join(words, ", ")));
  return word;
}

RateUnit Reader::rate_unit(const Document& document) {
  const Result<RateUnit> unit = parse_rate_unit(text(document));
  if (!unit) fault(document, unit.error().message);
  return unit.value_or(RateUnit::MBps);
}

std::optional<Formula> Reader::formula(const Document& document, const Domain& domain) {
  if (document.kind != Document::Kind::Scalar) {
    fault(document, fmt::format("expected a formula, not {}", kind_name(document)));
    return {};
  }
  FormulaResult<Formula> formula = Formula::parse(document.text);
  if (!formula) {
    fault_in(document, formula.error());
    return {};
  }
  if (const std::optional<FormulaError> error = diskaudit::fault_in(*formula, domain))
    fault_in(document, *error);
  if (failed()) return {};
  return std::move(*formula);
}

bool is_number(const Document& scalar) {
  std::string_view text = scalar.text;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (scalar.quoted || text.empty() || text[0] < '0' || text[0] > '9') return false;
  return text[0] != '0' || text.size() == 1 || text[1] == '.';
}

}  // namespace diskaudit
