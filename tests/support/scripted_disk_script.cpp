#include "support/scripted_disk_script.hpp"

#include <fmt/format.h>

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
constexpr std::array<Unit, 13> size_units{{{"", 1},
                                           {"B", 1},
                                           {"k", 1e3},
                                           {"kB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"KiB", 1024},
                                           {"MiB", 1048576},
                                           {"GiB", 1073741824},
                                           {"TiB", 1099511627776},
                                           {"MB/s", 1e6},
                                           {"MiB/s", 1048576},
                                           {"GB/s", 1e9}}};
constexpr std::array<Unit, 4> time_units{{{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}}};

template <size_t N>
Result<double> parse_number(std::string_view text, const std::array<Unit, N>& units) {
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

constexpr std::array<Key, 10> keys{{{"size", &Script::size},
                                    {"block_size", &Script::block_size},
                                    {"filesystem", &Script::filesystem},
                                    {"read_iops", &Script::read_iops},
                                    {"write_iops", &Script::write_iops},
                                    {"total_iops", &Script::total_iops},
                                    {"read_bytes", &Script::read_bytes},
                                    {"write_bytes", &Script::write_bytes},
                                    {"total_bytes", &Script::total_bytes},
                                    {"bucket", &Script::bucket, true}}};

const Key* find_key(std::string_view name) {
  for (const auto& key : keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

}  // namespace

Result<void> set_script(Script& script, std::string_view name, std::string_view value) {
  const Key* key = find_key(name);
  if (key == nullptr) return usage_error(fmt::format("the script has no key '{}'", name));
  if (const auto* text = std::get_if<std::string Script::*>(&key->member)) {
    script.*(*text) = std::string(value);
    return {};
  }
  const auto number =
      key->is_time ? parse_number(value, time_units) : parse_number(value, size_units);
  if (!number) return usage_error(fmt::format("{}: {}", name, number.error().message));
  if (const auto* real = std::get_if<double Script::*>(&key->member)) {
    script.*(*real) = *number;
  } else if (const auto* large = std::get_if<std::uint64_t Script::*>(&key->member)) {
    script.*(*large) = static_cast<std::uint64_t>(*number);
  } else {
    script.*std::get<std::uint32_t Script::*>(key->member) = static_cast<std::uint32_t>(*number);
  }
  return {};
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
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) {
        return usage_error(fmt::format("cannot read '{}' in a script; write key=value", word));
      }
      auto set = set_script(script, word.substr(0, equals), word.substr(equals + 1));
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
  return text;
}

}  // namespace diskaudit
