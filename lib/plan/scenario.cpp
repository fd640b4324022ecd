#include "plan/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace diskaudit {
namespace {

using enum Direction;
using enum Pattern;

constexpr Bytes block_4k{4 * KiB};
constexpr Bytes block_16k{16 * KiB};
constexpr Bytes block_256k{256 * KiB};

// Depths: 64 = 32 × 2 jobs and 256 = 64 × 4 jobs of the published fio recipe; 30 threads of the
// Huawei one; 4 of the published sustained-write test, raised until the disk is saturated.
const std::array table = {
    Scenario{"seq-write-256k", Write, Sequential, block_256k, 64, 0, Metric::BytesPerSecond},
    Scenario{"seq-read-256k", Read, Sequential, block_256k, 64, 100, Metric::BytesPerSecond},
    Scenario{"rand-write-4k", Write, Random, block_4k, 256, 0, Metric::Iops},
    Scenario{"rand-read-4k", Read, Random, block_4k, 256, 100, Metric::Iops},
    Scenario{"seq-read-16k", Read, Sequential, block_16k, 30, 100, Metric::BytesPerSecond},
    Scenario{"rand-read-16k", Read, Random, block_16k, 30, 100, Metric::Iops},
    Scenario{"seq-write-16k", Write, Sequential, block_16k, 30, 0, Metric::BytesPerSecond},
    Scenario{"rand-write-16k", Write, Random, block_16k, 30, 0, Metric::Iops},
    Scenario{"rand-mixed-16k", Mixed, Random, block_16k, 30, 70, Metric::Iops},
    Scenario{"rand-mixed-4k", Mixed, Random, block_4k, 256, 70, Metric::Iops},
    Scenario{"latency-read-4k", Read, Random, block_4k, 1, 100, Metric::LatencyUs},
    Scenario{"latency-write-4k", Write, Random, block_4k, 1, 0, Metric::LatencyUs},
    Scenario{"sustained-write-4k", Write, Random, block_4k, 4, 0, Metric::Iops, 300,
             Bytes{10 * GiB}},
};

struct Suite {
  std::string_view name;
  std::vector<std::string> scenarios;
};

const std::vector<Suite>& suites() {
  static const std::vector<Suite> all = {
      {"standard", {"seq-write-256k", "seq-read-256k", "rand-write-4k", "rand-read-4k"}},
      {"huawei-16k",
       {"seq-read-16k", "rand-read-16k", "seq-write-16k", "rand-write-16k", "rand-mixed-16k"}},
      {"mixed", {"rand-mixed-4k"}},
      {"latency", {"latency-read-4k", "latency-write-4k"}},
      {"sustained-write", {"sustained-write-4k"}},
  };
  return all;
}

}  // namespace

std::string_view name_of(Direction direction) {
  constexpr std::array names = {"read", "write", "mixed"};
  return names[static_cast<std::size_t>(direction)];
}

std::string_view name_of(Pattern pattern) {
  return pattern == Pattern::Sequential ? "sequential" : "random";
}

std::string_view name_of(Metric metric) {
  constexpr std::array names = {"iops", "bytes_per_second", "latency_us"};
  return names[static_cast<std::size_t>(metric)];
}

std::span<const Scenario> all_scenarios() { return table; }

Result<std::vector<Scenario>> suite(std::string_view name) {
  for (const Suite& known : suites()) {
    if (known.name == name) return pick_scenarios(known.scenarios);
  }
  std::vector<std::string_view> names;
  for (const Suite& known : suites()) names.push_back(known.name);
  return usage_error(fmt::format("unknown suite '{}'; known are {}", name, fmt::join(names, ", ")));
}

Result<std::vector<Scenario>> pick_scenarios(std::span<const std::string> names) {
  std::vector<Scenario> picked;
  for (const Scenario& scenario : table) {
    if (std::ranges::find(names, scenario.name) != names.end()) picked.push_back(scenario);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(table, name, &Scenario::name) != table.end()) continue;
    std::vector<std::string_view> known;
    for (const Scenario& scenario : table) known.push_back(scenario.name);
    return usage_error(
        fmt::format("unknown scenario '{}'; known are {}", name, fmt::join(known, ", ")));
  }
  return picked;
}

}  // namespace diskaudit
