#pragma once
/// The kernel's own view of the window: the disk's counters, this program's CPU time, the
/// machine's.

#include <cstdint>
#include <string>

#include "device/inspect.hpp"
#include "measure/measurement.hpp"

namespace diskaudit {

/// Everything that counts up, read at one moment.
struct Sample {
  Witness disk{};
  std::uint64_t cpu_ns = 0;  ///< this process; the workers' come on top
  std::uint64_t steal_ticks = 0;
  std::uint64_t all_ticks = 0;
  std::uint64_t throttled = 0;  ///< periods in which a CPU quota bit
  std::string time{};           ///< RFC 3339 UTC with ms
};

Sample take_sample(const SystemRoot& root, const std::string& device);

/// /sys/block/<disk>/stat (Documentation/block/stat.rst) as counts.
Witness parse_disk_stat(const std::string& text);

/// Enters what happened between two samples.
void enter_difference(const Sample& before, const Sample& after, Measurement& measurement);

}  // namespace diskaudit
