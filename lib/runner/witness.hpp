#pragma once
/// The kernel's own view of the window: the disk's counters, this program's CPU time, the
/// machine's.

#include <cstdint>
#include <string>
#include <vector>

#include "device/inspect.hpp"
#include "measure/measurement.hpp"

namespace diskaudit {

/// /sys/block/<disk>/stat (Documentation/block/stat.rst): counts since the machine started.
struct DiskStat {
  bool known = false;
  std::uint64_t read_ios = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_ios = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t merges = 0;
  std::uint64_t inflight = 0;    ///< at this moment
  std::uint64_t busy_ms = 0;     ///< with any request in the disk
  std::uint64_t request_ms = 0;  ///< of all requests together
};

DiskStat parse_disk_stat(const std::string& text);

/// Unknown where the kernel was told not to count. An NVMe head that does not count itself has its
/// paths' counts.
DiskStat read_disk_stat(const SystemRoot& root, const BlockDevice& device);

/// The disk's counters at one moment of CLOCK_MONOTONIC.
struct Look {
  std::uint64_t at_ns = 0;
  DiskStat disk{};
};
/// What the counters stood at between two looks: by a straight line, as nobody looked then.
Look look_between(const Look& before, const Look& after, std::uint64_t at_ns);

WitnessLog log_of(const std::vector<Look>& looks, std::uint64_t window_begin_ns);

/// Everything that counts up, read at one moment.
struct Sample {
  std::uint64_t at_ns = 0;
  DiskStat disk{};
  std::vector<DiskStat> lower{};  ///< in the order of the device's own list
  std::uint64_t cpu_ns = 0;       ///< this process; the workers' come on top
  std::uint64_t steal_ticks = 0;
  std::uint64_t iowait_ticks = 0;
  std::uint64_t all_ticks = 0;
  std::uint64_t throttled = 0;  ///< periods in which a CPU quota bit
  std::string time{};           ///< RFC 3339 UTC with ms
};

Sample take_sample(const SystemRoot& root, const BlockDevice& device);

/// Enters what happened between two samples.
void enter_difference(const Sample& before, const Sample& after, const BlockDevice& device,
                      Measurement& measurement);

}  // namespace diskaudit
