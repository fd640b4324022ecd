#include "support/scripted_disk_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <variant>

namespace diskaudit {
namespace {

/// Units of our own, so that the judge of the program under test shares no code with it.
struct Unit {
  std::string_view name;
  double factor;
};
constexpr Unit size_units[] = {
    {"", 1},       {"B", 1},           {"k", 1e3},       {"kB", 1e3},         {"MB", 1e6},
    {"GB", 1e9},   {"KiB", 1024},      {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1ll << 40},
    {"MB/s", 1e6}, {"MiB/s", 1048576}, {"GB/s", 1e9}};
constexpr Unit time_units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};

template <size_t N>
Result<double> parse_number(std::string_view text, const Unit (&units)[N]) {
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
  for (const auto& unit : units) {
    if (failure == std::errc{} && rest == unit.name && number >= 0 && std::isfinite(number)) {
      return number * unit.factor;
    }
  }
  return usage_error(fmt::format("cannot read '{}'; it is no number with a known unit", text));
}

using Member = std::variant<double Script::*, std::uint64_t Script::*, std::uint32_t Script::*,
                            std::string Script::*>;
struct Key {
  std::string_view name;
  Member member;
  bool is_time = false;
};

constexpr bool time = true;
constexpr Key keys[] = {
    {"size", &Script::size},
    {"block_size", &Script::block_size},
    {"filesystem", &Script::filesystem},
    {"read_iops", &Script::read_iops},
    {"write_iops", &Script::write_iops},
    {"total_iops", &Script::total_iops},
    {"read_bytes", &Script::read_bytes},
    {"write_bytes", &Script::write_bytes},
    {"total_bytes", &Script::total_bytes},
    {"bucket", &Script::bucket, time},
    {"refill", &Script::refill, time},
    {"fill", &Script::fill},
    {"burst", &Script::burst},
    {"burst_seconds", &Script::burst_seconds, time},
    {"cgroup_read_iops", &Script::cgroup_read_iops},
    {"cgroup_write_iops", &Script::cgroup_write_iops},
    {"cgroup_read_bytes", &Script::cgroup_read_bytes},
    {"cgroup_write_bytes", &Script::cgroup_write_bytes},
    {"read_latency", &Script::read_latency, time},
    {"write_latency", &Script::write_latency, time},
    {"latency_shape", &Script::latency_shape},
    {"latency_spread", &Script::latency_spread},
    {"slow_share", &Script::slow_share},
    {"slow_latency", &Script::slow_latency, time},
    {"latency_per_request", &Script::latency_per_request, time},
    {"servers", &Script::servers},
    {"first_touch_latency", &Script::first_touch_latency, time},
    {"first_touch_block", &Script::first_touch_block},
    {"read_cache", &Script::read_cache},
    {"write_cache", &Script::write_cache},
    {"error_every", &Script::error_every},
    {"hang", &Script::hang},
    {"seed", &Script::seed},
};

/// Texts and what they may be.
Result<void> check_choice(std::string_view key, std::string_view value) {
  const std::vector<std::string_view> choices =
      key == "filesystem" ? std::vector<std::string_view>{"", "ext4", "xfs", "btrfs"}
                          : std::vector<std::string_view>{"fixed", "exponential", "lognormal"};
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
  return usage_error(fmt::format("{}: unknown '{}'; use one of {}", key, value,
                                 fmt::join(choices.begin(), choices.end(), " ")));
}

Result<void> set_scalar(Script& script, const Key& key, std::string_view value) {
  if (const auto* text = std::get_if<std::string Script::*>(&key.member)) {
    script.*(*text) = std::string(value);
    return check_choice(key.name, value);
  }
  const auto number =
      key.is_time ? parse_number(value, time_units) : parse_number(value, size_units);
  if (!number) return usage_error(fmt::format("{}: {}", key.name, number.error().message));
  if (const auto* real = std::get_if<double Script::*>(&key.member)) {
    script.*(*real) = *number;
  } else if (const auto* large = std::get_if<std::uint64_t Script::*>(&key.member)) {
    script.*(*large) = static_cast<std::uint64_t>(*number);
  } else {
    script.*std::get<std::uint32_t Script::*>(key.member) = static_cast<std::uint32_t>(*number);
  }
  return {};
}

/// The two halves of a text around its first `separator`.
std::pair<std::string_view, std::string_view> halves(std::string_view text, char separator) {
  const auto at = std::min(text.find(separator), text.size());
  return {text.substr(0, at), text.substr(std::min(at + 1, text.size()))};
}

/// `at=5s:read_iops=300`
Result<void> add_change(Script& script, std::string_view value) {
  const auto [moment, setting] = halves(value, ':');
  const auto [key, changed] = halves(setting, '=');
  const auto at = parse_number(moment, time_units);
  Script scratch = script;
  auto set = set_script(scratch, key, changed);
  if (!at) return usage_error(fmt::format("at: {}", at.error().message));
  if (!set) return usage_error(fmt::format("at: {}", set.error().message));
  script.changes.push_back({*at, std::string(key), std::string(changed)});
  std::stable_sort(script.changes.begin(), script.changes.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  return {};
}

/// `stall=5s+2s`
Result<void> add_stall(Script& script, std::string_view value) {
  const auto [at, length] = halves(value, '+');
  const auto start = parse_number(at, time_units), seconds = parse_number(length, time_units);
  if (!start || !seconds) return usage_error(fmt::format("cannot read stall '{}'", value));
  script.stalls.push_back({*start, *seconds});
  return {};
}

/// `bad_range=read:64MiB+1MiB`
Result<void> add_bad_range(Script& script, std::string_view value) {
  const auto [direction, range] = halves(value, ':');
  const auto [offset, length] = halves(range, '+');
  const auto first = parse_number(offset, size_units), bytes = parse_number(length, size_units);
  const bool is_direction = direction == "read" || direction == "write" || direction == "any";
  if (!is_direction || !first || !bytes) {
    return usage_error(fmt::format("cannot read bad_range '{}'", value));
  }
  script.bad_ranges.push_back({std::string(direction), static_cast<std::uint64_t>(*first),
                               static_cast<std::uint64_t>(*bytes)});
  return {};
}

}  // namespace

Result<void> set_script(Script& script, std::string_view name, std::string_view value) {
  if (name == "at") return add_change(script, value);
  if (name == "stall") return add_stall(script, value);
  if (name == "bad_range") return add_bad_range(script, value);
  for (const auto& key : keys) {
    if (key.name == name) return set_scalar(script, key, value);
  }
  return usage_error(fmt::format("the script has no key '{}'", name));
}

Result<Script> parse_script(std::string_view text) {
  Script script;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    auto words = line.substr(0, line.find('#'));
    while (true) {
      const auto start = words.find_first_not_of(" \t\r");
      if (start == std::string_view::npos) break;
      words.remove_prefix(start);
      const auto word = words.substr(0, words.find_first_of(" \t\r"));
      words.remove_prefix(word.size());
      if (word.find('=') == std::string_view::npos) {
        return usage_error(fmt::format("cannot read '{}' in a script; write key=value", word));
      }
      const auto [key, value] = halves(word, '=');
      auto set = set_script(script, key, value);
      if (!set) return std::unexpected(set.error());
    }
  }
  return script;
}

std::string format_script(const Script& script) {
  const Script defaults;
  std::string text;
  for (const auto& key : keys) {
    const auto write = [&](auto member) {
      if (script.*member != defaults.*member) {
        text += fmt::format("{}={} ", key.name, script.*member);
      }
    };
    std::visit(write, key.member);
  }
  for (const auto& stall : script.stalls) {
    text += fmt::format("stall={}+{} ", stall.at, stall.seconds);
  }
  for (const auto& range : script.bad_ranges) {
    text += fmt::format("bad_range={}:{}+{} ", range.direction, range.offset, range.length);
  }
  for (const auto& change : script.changes) {
    text += fmt::format("at={}:{}={} ", change.at, change.key, change.value);
  }
  return text;
}

}  // namespace diskaudit
