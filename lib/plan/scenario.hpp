#pragma once
/// The workloads that diskaudit knows, by name and by suite.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "units.hpp"

namespace diskaudit {

enum class Direction { Read, Write, Mixed };
enum class Pattern { Sequential, Random };
enum class Metric { Iops, BytesPerSecond, LatencyUs };

struct Scenario {
  std::string name{};
  Direction direction = Direction::Read;
  Pattern pattern = Pattern::Random;
  Bytes block_size{};
  unsigned iodepth = 1;         ///< total outstanding
  unsigned read_percent = 100;  ///< of the I/Os
  Metric metric = Metric::Iops;
  double min_runtime_seconds = 0;  ///< a shorter run would not show what it is for
  Bytes min_span{};                ///< likewise for the bytes it spreads over
};

/// "read", "write", "mixed".
std::string_view name_of(Direction direction);
/// "sequential", "random".
std::string_view name_of(Pattern pattern);
/// "iops", "bytes_per_second", "latency_us".
std::string_view name_of(Metric metric);

/// Every scenario, in the order in which a run would take them.
std::span<const Scenario> all_scenarios();

/// The scenarios of a suite, in the order run; an unknown name lists the known ones.
Result<std::vector<Scenario>> suite(std::string_view name);

/// The scenarios named, in the order of the table; an unknown name lists the known ones.
Result<std::vector<Scenario>> pick_scenarios(std::span<const std::string> names);

}  // namespace diskaudit
