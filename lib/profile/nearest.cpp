#include "profile/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace diskaudit {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::string from = lower(a);
  const std::string to = lower(b);
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> nearest(std::string_view name, std::span<const std::string> known,
                                 std::size_t count) {
  // A name longer than this is no slip of the pen, and comparing it would only cost time.
  if (name.empty() || name.size() > 200) return {};
  const std::size_t reach = std::max<std::size_t>(1, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : known) {
    std::size_t distance = edit_distance(name, candidate);
    const bool holds = name.size() >= 3 && lower(candidate).find(lower(name)) != std::string::npos;
    if (holds) distance = std::min(distance, reach);
    if (distance <= reach) found.emplace_back(distance, candidate);
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (auto& [distance, candidate] : found) {
    if (names.size() == count) break;
    if (!std::ranges::count(names, candidate)) names.push_back(std::move(candidate));
  }
  return names;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string> names = nearest(name, known, 1);
  return names.empty() ? "" : fmt::format("; did you mean '{}'?", names.front());
}

}  // namespace diskaudit
