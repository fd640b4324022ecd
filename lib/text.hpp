#pragma once
/// Text for people: made harmless, measured in terminal columns, padded and shortened.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace diskaudit {

/// The languages of what people read; keys, codes and numbers have none.
enum class Language { English, Chinese };

/// What may be shown of a string from outside: control characters, escape sequences' first byte,
/// line and paragraph separators and bidirectional controls are gone, invalid UTF-8 is U+FFFD, what
/// is over `max_bytes` is cut at a character, and a space takes its meaning from what a CI server
/// would take for a command.
std::string sanitised(std::string_view text, std::size_t max_bytes = 1024);

/// Terminal columns of valid UTF-8: East Asian wide characters and emoji take two, combining marks
/// none.
std::size_t display_width(std::string_view text);

/// Spaces behind (or before) until `columns` are filled; a longer text stays as it is.
std::string pad_right(std::string_view text, std::size_t columns);
std::string pad_left(std::string_view text, std::size_t columns);

/// At most `columns` wide, ended by "…" where something is missing.
std::string clipped(std::string_view text, std::size_t columns);

/// Lines of at most `columns`, broken at spaces or beside wide characters.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Rows of cells as lines, two spaces between columns; `alignment` has an l or r for each column.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                 std::string_view alignment);

/// Plain ASCII for terminals without UTF-8: "×" becomes "x", "≥" ">=", "…" "..."; else "?".
std::string to_ascii(std::string_view text);

}  // namespace diskaudit
