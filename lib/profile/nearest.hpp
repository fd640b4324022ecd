#pragma once
/// "Did you mean": the known names that are close to a misspelt one.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace diskaudit {

/// Letters to insert, remove or replace to make one text from the other; letter case is ignored.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The `known` names within a third of the length of `name` (at least one letter) or containing it,
/// nearest first, at most `count`.
std::vector<std::string> nearest(std::string_view name, std::span<const std::string> known,
                                 std::size_t count);

/// "; did you mean 'gib'?" or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace diskaudit
