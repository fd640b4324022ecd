#include "profile/import_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "profile/nearest.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

constexpr std::uint64_t largest = 1'000'000'000'000'000;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::unexpected<Error> fault(const std::string& file, std::size_t line, std::size_t column,
                             std::string_view what) {
  return usage_error(fmt::format("{}:{}:{}: {}", file, line, column, what));
}

bool is_quote(char c) { return c == '\'' || c == '"'; }

Setting setting_of(std::string_view word, std::size_t line, std::size_t column) {
  Setting setting;
  const std::size_t equals = word.find('=');
  setting.key = word.substr(0, equals);
  setting.line = setting.value_line = line;
  setting.column = setting.value_column = column;
  if (equals == std::string_view::npos) return setting;
  std::string_view value = word.substr(equals + 1);
  setting.has_value = true;
  setting.value_column = column + equals + 1;
  if (value.size() >= 2 && is_quote(value.front()) && value.front() == value.back()) {
    value = value.substr(1, value.size() - 2);
    ++setting.value_column;
  }
  setting.value = value;
  return setting;
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The end of the word that starts at `at`.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_blank(text[at])) {
    const bool comma = text[at] == ',';
    const bool doubled = comma && at + 1 < text.size() && text[at + 1] == ',';
    if (comma && !doubled) break;
    at += doubled ? 2 : 1;
  }
  return at;
}

}  // namespace

Slots keys_per_second(const std::map<std::string, Part>& suffixes) {
  Slots keys;
  for (const auto& [quantity, unit] :
       {std::pair{Quantity::Iops, "iops"}, std::pair{Quantity::Bytes, "bytes"}}) {
    for (const auto& [direction, word] :
         {std::pair{Direction::Read, "read"}, std::pair{Direction::Write, "write"},
          std::pair{Direction::Total, "total"}}) {
      const std::string key = fmt::format("{}_{}_sec", word, unit);
      keys[key] = {Part::Rate, quantity, direction};
      keys[key + "_max"] = {Part::Burst, quantity, direction};
      for (const auto& [suffix, part] : suffixes) keys[key + suffix] = {part, quantity, direction};
    }
  }
  return keys;
}

std::unexpected<Error> key_fault(const std::string& file, const Setting& at,
                                 std::string_view what) {
  return fault(file, at.line, at.column, what);
}

std::unexpected<Error> value_fault(const std::string& file, const Setting& at,
                                   std::string_view what) {
  return fault(file, at.value_line, at.value_column, what);
}

std::unexpected<Error> unknown_key(const std::string& file, const Setting& at, const Slots& known) {
  std::vector<std::string> names;
  for (const auto& [name, slot] : known) names.push_back(name);
  return key_fault(
      file, at,
      fmt::format("unknown key '{}'{}", sanitised(at.key, 80), did_you_mean(at.key, names)));
}

std::vector<Setting> words_of(std::string_view text) {
  std::vector<Setting> words;
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at]) || text[at] == ',') {
      const bool ends_line = text[at++] == '\n';
      line += ends_line ? 1 : 0;
      column = ends_line ? 1 : column + 1;
      continue;
    }
    const std::string_view word = text.substr(at, end_of_word(text, at) - at);
    words.push_back(setting_of(word, line, column));
    at += word.size();
    column += characters_in(word);
  }
  return words;
}

std::vector<Setting> settings_of(const Document& mapping,
                                 const std::map<std::string, std::string>& nested) {
  std::vector<Setting> settings;
  for (const auto& [name, value] : mapping.members) {
    const auto entered = nested.find(name);
    if (entered != nested.end() && value.kind == Document::Kind::Mapping) {
      for (Setting& inner : settings_of(value, nested)) {
        inner.key.insert(0, entered->second);
        settings.push_back(std::move(inner));
      }
      continue;
    }
    settings.push_back({.key = name,
                        .value = value.text,
                        .has_value = value.kind == Document::Kind::Scalar,
                        .line = value.key_line,
                        .column = value.key_column,
                        .value_line = value.line,
                        .value_column = value.column + (value.quoted ? 1 : 0)});
  }
  return settings;
}

Result<std::uint64_t> whole_number(const std::string& file, const Setting& setting) {
  const std::string& text = setting.value;
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure == std::errc::invalid_argument || rest != end)
    return value_fault(file, setting,
                       fmt::format("expected a whole number without unit for {}, not '{}'",
                                   setting.key, sanitised(text, 80)));
  if (failure != std::errc() || number > largest)
    return value_fault(
        file, setting,
        fmt::format("{} of {} is above the limit of 10^15", setting.key, sanitised(text, 80)));
  return number;
}

}  // namespace diskaudit
