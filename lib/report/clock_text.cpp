#include "report/clock_text.hpp"

#include <fmt/format.h>

#include <chrono>

namespace diskaudit {
namespace {

/// The digits at `at`, or -1.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::optional<std::int64_t> unix_milliseconds(std::string_view time) {
  constexpr std::string_view shape = "0000-00-00T00:00:00.000Z";
  if (time.size() != shape.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != '0' && time[i] != shape[i]) return std::nullopt;
  }
  const int parts[] = {digits(time, 0, 4),  digits(time, 5, 2),  digits(time, 8, 2),
                       digits(time, 11, 2), digits(time, 14, 2), digits(time, 17, 2),
                       digits(time, 20, 3)};
  for (const int part : parts) {
    if (part < 0) return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5];
  return seconds * 1000 + parts[6];
}

std::string utc_text(std::int64_t unix_seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto of_day = (time - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()),
                     unsigned(date.month()), unsigned(date.day()), of_day / 3600, of_day / 60 % 60,
                     of_day % 60);
}

}  // namespace diskaudit
