#include "units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace diskaudit {
namespace {

constexpr double two_to_63 = 9223372036854775808.0;

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// A leading number and the text behind it, blanks around both dropped.
struct Quantity {
  double number = 0;
  std::string_view unit;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Result<Quantity> parse_quantity(std::string_view what, std::string_view text) {
  const std::string_view trimmed = trim(text);
  Quantity quantity;
  const char* end = trimmed.data() + trimmed.size();
  const auto [rest, failure] = std::from_chars(trimmed.data(), end, quantity.number);
  if (failure == std::errc::invalid_argument)
    return usage_error(fmt::format("cannot read {} '{}': it is no number", what, text));
  if (failure != std::errc() || !std::isfinite(quantity.number))
    return usage_error(fmt::format("cannot read {} '{}': it is out of range", what, text));
  if (quantity.number <= 0)
    return usage_error(fmt::format("cannot read {} '{}': it must be above 0", what, text));
  quantity.unit = trim({rest, static_cast<std::size_t>(end - rest)});
  return quantity;
}

/// The bytes of a size unit, in any letter case; 0 for an unknown one.
double bytes_of(std::string_view unit) {
  static constexpr std::pair<std::string_view, double> units[] = {
      {"b", 1},    {"kib", 0x1p10}, {"mib", 0x1p20}, {"gib", 0x1p30}, {"tib", 0x1p40},
      {"kb", 1e3}, {"mb", 1e6},     {"gb", 1e9},     {"tb", 1e12},
  };
  const std::string name = lower(unit);
  for (const auto& [known, bytes] : units) {
    if (name == known) return bytes;
  }
  return 0;
}

}  // namespace

double bytes_per_second_in(RateUnit unit) { return unit == RateUnit::MBps ? 1e6 : 0x1p20; }

std::string_view name_of(RateUnit unit) { return unit == RateUnit::MBps ? "MB/s" : "MiB/s"; }

Result<RateUnit> parse_rate_unit(std::string_view name) {
  // Letter case counts: Mb/s would be megabits.
  if (name == name_of(RateUnit::MBps)) return RateUnit::MBps;
  if (name == name_of(RateUnit::MiBps)) return RateUnit::MiBps;
  return usage_error(fmt::format("unknown throughput unit '{}'; use MB/s or MiB/s", name));
}

Result<Bytes> parse_size(std::string_view text, std::uint64_t bare_unit) {
  const Result<Quantity> quantity = parse_quantity("size", text);
  if (!quantity) return std::unexpected(quantity.error());
  const double unit =
      quantity->unit.empty() ? static_cast<double>(bare_unit) : bytes_of(quantity->unit);
  if (unit == 0)
    return usage_error(
        fmt::format("cannot read size '{}': unknown unit '{}'; use KiB, MiB, GiB, TiB, KB, MB, GB "
                    "or TB",
                    text, quantity->unit));
  const double bytes = std::round(quantity->number * unit);
  if (bytes < 1) return usage_error(fmt::format("cannot read size '{}': it is below 1 byte", text));
  if (bytes >= two_to_63)
    return usage_error(fmt::format("cannot read size '{}': it is out of range", text));
  return Bytes{static_cast<std::uint64_t>(bytes)};
}

Result<BytesPerSec> parse_throughput(std::string_view text) {
  const Result<Quantity> quantity = parse_quantity("throughput", text);
  if (!quantity) return std::unexpected(quantity.error());
  RateUnit unit = RateUnit::MBps;
  if (!quantity->unit.empty()) {
    const Result<RateUnit> named = parse_rate_unit(quantity->unit);
    if (!named)
      return usage_error(
          fmt::format("cannot read throughput '{}': {}", text, named.error().message));
    unit = *named;
  }
  const double rate = quantity->number * bytes_per_second_in(unit);
  if (!std::isfinite(rate))
    return usage_error(fmt::format("cannot read throughput '{}': it is out of range", text));
  return BytesPerSec{rate};
}

std::string format_size(Bytes size) {
  static constexpr std::pair<std::string_view, double> units[] = {
      {"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}};
  const double bytes = static_cast<double>(size.value);
  std::size_t largest = 0;
  while (largest + 1 < std::size(units) && bytes < units[largest].second) ++largest;
  // 1100 GiB is not 1.1 TiB: the next smaller unit, where that one alone is exact.
  const auto is_exact = [&](std::size_t unit) {
    const double tenths = bytes * 10 / units[unit].second;
    return tenths == std::floor(tenths);
  };
  if (largest + 1 < std::size(units) && !is_exact(largest) && is_exact(largest + 1)) ++largest;
  const auto& [name, unit] = units[largest];
  return fmt::format("{} {}", format_number(bytes / unit, 1), name);
}

std::string format_iops(Iops iops) { return format_number(iops.value, 0) + " IOPS"; }

std::string format_throughput(BytesPerSec rate, RateUnit unit) {
  return fmt::format("{} {}", format_number(rate.value / bytes_per_second_in(unit), 1),
                     name_of(unit));
}

std::string format_number(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

}  // namespace diskaudit
