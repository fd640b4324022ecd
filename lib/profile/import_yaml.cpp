#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "profile/import_limits.hpp"
#include "text.hpp"
#include "units.hpp"

// Figures are taken over digit by digit, in integers: a limit of 104857600 bytes is 100 MiB/s, not
// 104.9 MB/s. Published points come from the same integers, so that the check of the profile holds
// its formulas to arithmetic that they had no part in.

namespace diskaudit {
namespace {

constexpr std::uint64_t mega = 1'000'000;
constexpr std::array<std::uint64_t, 2> published_sizes = {100, 1000};

/// `value / unit` in full; it ends, as a unit is a power of 10 or of 2.
std::string decimal(std::uint64_t value, std::uint64_t unit) {
  std::string text = std::to_string(value / unit);
  std::uint64_t rest = value % unit;
  if (rest > 0) text += '.';
  for (; rest > 0; rest = rest * 10 % unit) text += static_cast<char>('0' + rest * 10 / unit);
  return text;
}

std::string formula(const ImportedRate& rate, std::uint64_t unit) {
  std::string text = decimal(rate.value, unit);
  if (rate.per_gib) text = text == "1" ? "gib" : text + "*gib";
  if (rate.floor > 0) text = fmt::format("max({}, {})", decimal(rate.floor, unit), text);
  if (rate.cap) text = fmt::format("min({}, {})", text, decimal(*rate.cap, unit));
  return text;
}

std::vector<std::uint64_t> figures_of(const ImportedCeilings& ceilings) {
  std::vector<std::uint64_t> figures;
  for (const auto& [direction, rate] : ceilings.rates) {
    figures.insert(figures.end(), {rate.value, rate.floor, rate.cap.value_or(0)});
  }
  for (const auto& [direction, burst] : ceilings.bursts) figures.push_back(burst.rate);
  return figures;
}

/// The unit in which all figures are short: whole MB, or at least whole KiB.
std::uint64_t byte_unit(const ImportedCeilings& ceilings) {
  const std::vector<std::uint64_t> figures = figures_of(ceilings);
  const auto all_multiples_of = [&](std::uint64_t divisor) {
    return std::ranges::all_of(figures,
                               [&](std::uint64_t figure) { return figure % divisor == 0; });
  };
  return !all_multiples_of(mega) && all_multiples_of(KiB) ? MiB : mega;
}

std::string_view unit_name(std::uint64_t unit) {
  return name_of(unit == MiB ? RateUnit::MiBps : RateUnit::MBps);
}

std::string_view word_of(Direction direction) {
  return direction == Direction::Read ? "read" : direction == Direction::Write ? "write" : "total";
}

/// A total without figures for reads and writes holds for each of them too.
std::string_view key_of(Direction direction) {
  return direction == Direction::Total ? "value" : word_of(direction);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : sanitised(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string local_text(const LocalText& text) {
  return fmt::format("{{en: {}, zh: {}}}", quoted(text.en), quoted(text.zh));
}

std::string quota_text(const ImportedLimits& limits, std::uint64_t unit) {
  std::string text = "quota:\n";
  const auto lines = [&](std::string_view name, const ImportedCeilings& ceilings,
                         std::uint64_t scale) {
    if (ceilings.rates.empty()) return;
    text += fmt::format("  {}:\n", name);
    for (const auto& [direction, rate] : ceilings.rates)
      text += fmt::format("    {}: {}\n", key_of(direction), formula(rate, scale));
  };
  lines("iops", limits.iops, 1);
  lines("throughput", limits.bytes, unit);
  if (!limits.bytes.rates.empty()) text += fmt::format("    unit: {}\n", unit_name(unit));
  return text;
}

/// Seconds at full load: the credits last while they go faster than the limit refills them.
double length_of(const ImportedBurst& burst, const ImportedRate& rate) {
  return static_cast<double>(burst.rate) * static_cast<double>(burst.seconds) /
         static_cast<double>(burst.rate - rate.value);
}

/// A profile has one burst for reads and writes; the longest is the one to be wary of.
std::optional<Direction> longest_burst(const ImportedCeilings& ceilings) {
  std::optional<Direction> longest;
  double length = 0;
  for (const auto& [direction, burst] : ceilings.bursts) {
    const ImportedRate& rate = ceilings.rates.at(direction);
    if (burst.rate <= rate.value || length_of(burst, rate) <= length) continue;
    longest = direction;
    length = length_of(burst, rate);
  }
  return longest;
}

std::string burst_text(const ImportedLimits& limits, std::uint64_t unit) {
  std::string text;
  std::string note;
  const auto lines = [&](std::string_view name, const ImportedCeilings& ceilings,
                         std::uint64_t scale) {
    const std::optional<Direction> direction = longest_burst(ceilings);
    if (!direction) return;
    const ImportedBurst& burst = ceilings.bursts.at(*direction);
    text += fmt::format("  {}:\n    value: {}\n", name, decimal(burst.rate, scale));
    if (name == "throughput") text += fmt::format("    unit: {}\n", unit_name(scale));
    // The product is left to the formula: it may not fit 64 bits.
    text += fmt::format("    bucket: {}*{}\n    refill: {}\n", decimal(burst.rate, scale),
                        burst.seconds, decimal(ceilings.rates.at(*direction).value, scale));
    if (*direction != Direction::Total)
      note += fmt::format("{}{}: that of {}s", note.empty() ? "" : "; ", name, word_of(*direction));
  };
  lines("iops", limits.iops, 1);
  lines("throughput", limits.bytes, unit);
  if (text.empty()) return "";
  if (!note.empty()) text += fmt::format("  note: {}\n", quoted("the longest burst, " + note));
  return "burst:\n" + text;
}

std::string published_text(const ImportedLimits& limits, std::uint64_t unit) {
  std::string text = "published:\n";
  for (const std::uint64_t gib : published_sizes) {
    text += fmt::format("  - {{gib: {}", gib);
    const auto add = [&](std::string_view name, const ImportedCeilings& ceilings,
                         std::uint64_t scale) {
      for (const auto& [direction, rate] : ceilings.rates) {
        const bool total = direction == Direction::Total;
        text += fmt::format(", {}{}{}: {}", total ? "" : word_of(direction), total ? "" : "_", name,
                            decimal(rate.at(gib), scale));
      }
    };
    add("iops", limits.iops, 1);
    add("throughput", limits.bytes, unit);
    text += ", derived: true}\n";
  }
  return text;
}

}  // namespace

std::uint64_t ImportedRate::at(std::uint64_t gib) const {
  const std::uint64_t rate = std::max(floor, per_gib ? value * gib : value);
  return cap ? std::min(rate, *cap) : rate;
}

std::string imported_yaml(const ImportedLimits& limits, const ImportOrigin& origin,
                          const ImportOptions& options) {
  const std::uint64_t unit = byte_unit(limits.bytes);
  std::string text = fmt::format(
      "id: {}\nvendor: {{en: Private cloud, zh: 私有云}}\nname: {}\n"
      "capacity: {{min: 1, max: 65536{}}}   # not known from the limits; set what you provision\n",
      quoted(options.id), local_text(origin.name), limits.whole_gib ? ", step: 1" : "");
  text += quota_text(limits, unit);
  text += burst_text(limits, unit);
  if (limits.io_size > 0)
    text += fmt::format("io_unit: {{size: {}B, rounding: exact}}\n", limits.io_size);
  if (!limits.conditions.empty()) text += "conditions:\n";
  for (const LocalText& condition : limits.conditions)
    text += fmt::format("  - {}\n", local_text(condition));
  text += fmt::format("sources:\n  - {{title: {}, url: {}, read: {}}}\n",
                      quoted(fmt::format("{}, read as {}", options.file, origin.name.en)),
                      quoted(origin.url), options.today);
  return text + published_text(limits, unit);
}

}  // namespace diskaudit
