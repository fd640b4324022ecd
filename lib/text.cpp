#include "text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace diskaudit {
namespace {

constexpr char32_t replacement = 0xFFFD;

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The character at `at`; an invalid byte is one U+FFFD. Rejects overlong forms and surrogates.
Character decode(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return {replacement, 1};
  char32_t code = first & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[at + i])) return {replacement, 1};
    code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[length] || surrogate || code > 0x10FFFF) return {replacement, 1};
  return {code, length};
}

bool is_unprintable(char32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;        // C0, DEL, C1
  if (code == 0x2028 || code == 0x2029 || code == 0x061C) return true;  // separators, ALM
  if (code == 0x200E || code == 0x200F || code == 0xFEFF) return true;  // LRM, RLM, BOM
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

struct Range {
  char32_t first;
  char32_t last;
};

/// Wide and fullwidth of Unicode's EastAsianWidth, merged to blocks.
constexpr Range wide[] = {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},
                          {0x23E9, 0x23EC},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
                          {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
                          {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
                          {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                          {0xFFE0, 0xFFE6},   {0x1B000, 0x1B2FF}, {0x1F300, 0x1F64F},
                          {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr Range combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t code) {
  const auto after =
      std::upper_bound(std::begin(ranges), std::end(ranges), code,
                       [](char32_t c, const Range& range) { return c < range.first; });
  return after != std::begin(ranges) && code <= std::prev(after)->last;
}

std::size_t width_of(char32_t code) {
  if (is_in(combining, code)) return 0;
  return is_in(wide, code) ? 2 : 1;
}

/// Closing punctuation never begins a line of Chinese.
bool sticks_to_previous(char32_t code) {
  return std::u32string_view(U"，。；：、）」”！？").find(code) != std::u32string_view::npos;
}

std::string_view ascii_for(char32_t code) {
  switch (code) {
    case U'×':
      return "x";
    case U'÷':
      return "/";
    case U'−':
    case U'–':
    case U'—':
      return "-";
    case U'≥':
      return ">=";
    case U'≤':
      return "<=";
    case U'≈':
      return "~";
    case U'…':
      return "...";
    case U'·':
      return "-";
    case U'→':
      return "->";
    case U'µ':
    case U'μ':
      return "u";
    case U'✓':
      return "+";
    case U'✗':
      return "x";
    default:
      return "?";
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a CI server would take what begins at `at` for a command: GitHub's runner ::name at the
/// beginning of a line and ##[name] anywhere, Azure Pipelines and TeamCity their name between.
bool is_command(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("##[")) return true;
  if (rest.starts_with("##vso[") || rest.starts_with("##teamcity[")) return true;
  // A line may be broken at a space or beside a wide character.
  const bool is_first =
      at == 0 || text[at - 1] == ' ' || static_cast<signed char>(text[at - 1]) < 0;
  return is_first && rest.starts_with("::") && rest.size() > 2 && is_letter(rest[2]);
}

std::string without_commands(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    plain += text[at];
    if (is_command(text, at)) plain += ' ';
  }
  return plain;
}

}  // namespace

std::string sanitised(std::string_view text, std::size_t max_bytes) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text, at);
    if (!is_unprintable(character.code)) {
      const bool broken = character.code == replacement;
      const std::string_view bytes = broken ? "\xEF\xBF\xBD" : text.substr(at, character.bytes);
      if (clean.size() + bytes.size() > max_bytes) break;
      clean += bytes;
    }
    at += character.bytes;
  }
  return without_commands(clean);
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text, at);
    columns += width_of(character.code);
    at += character.bytes;
  }
  return columns;
}

std::string pad_right(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(columns > width ? columns - width : 0, ' ') + std::string(text);
}

std::string clipped(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = decode(text, at);
    if (used + width_of(character.code) > columns - 1) break;
    used += width_of(character.code);
    at += character.bytes;
  }
  while (at > 0 && text[at - 1] == ' ') --at;
  return std::string(text.substr(0, at)) + "…";
}

namespace {

// A number and its unit stay together: the space before `at` stands between them.
bool is_number_then_letter(std::string_view text, std::size_t at) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return at >= 2 && at < text.size() && is_digit(text[at - 2]) &&
         (text[at] == '%' || is_letter(text[at]));
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  std::string word;  // what may not be broken: Latin letters up to a space, or one wide character
  const auto end_word = [&] {
    const std::size_t needed = display_width(word) - (word.ends_with(' ') ? 1 : 0);
    if (display_width(line) + needed > columns && !line.empty()) {
      while (line.ends_with(' ')) line.pop_back();
      lines.push_back(std::move(line));
      line.clear();
    }
    line += word;
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text, at);
    const bool is_wide = width_of(character.code) == 2;
    const bool stays = sticks_to_previous(character.code);
    if (is_wide && !stays) end_word();
    word += text.substr(at, character.bytes);
    at += character.bytes;
    const bool punctuation_follows = at < text.size() && sticks_to_previous(decode(text, at).code);
    const bool within_quantity = character.code == ' ' && is_number_then_letter(text, at);
    if ((character.code == ' ' && !within_quantity) || (is_wide && !punctuation_follows))
      end_word();
  }
  end_word();
  while (line.ends_with(' ')) line.pop_back();
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                 std::string_view alignment) {
  std::vector<std::size_t> widths(alignment.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += alignment[i] == 'r' ? pad_left(row[i], widths[i]) : pad_right(row[i], widths[i]);
    }
    while (line.ends_with(' ')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string to_ascii(std::string_view text) {
  std::string ascii;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text, at);
    if (character.code < 0x80) {
      ascii += static_cast<char>(character.code);
    } else {
      ascii += ascii_for(character.code);
    }
    at += character.bytes;
  }
  return ascii;
}

}  // namespace diskaudit
