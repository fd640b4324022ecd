#pragma once
/// What the kernel counted of the disk meanwhile: the witness beside our own counts.

#include <cstdint>
#include <string>
#include <vector>

namespace diskaudit {

/// The kernel's counts for one of the devices that the disk rests on, over the window.
struct LowerCounts {
  std::string name{};
  std::uint64_t ios = 0;
  std::uint64_t bytes = 0;
};

/// The disk's counters before, during and after a run: columns, one entry a look.
struct WitnessLog {
  std::vector<double> at_seconds{};  ///< from the window's begin; negative during the ramp
  std::vector<std::uint64_t> ios{};  ///< since the first look, of both directions
  std::vector<std::uint64_t> bytes{};
  std::vector<std::uint64_t> inflight{};  ///< requests in the disk at that moment
};

/// The kernel's own counts for the disk between the edges of the window (/sys/block/<disk>/stat).
struct Witness {
  bool known = false;
  std::uint64_t read_ios = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_ios = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t merges = 0;
  double inflight_mean = 0;  ///< requests in the disk, by the time that the kernel saw them there
  double busy_share = 0;     ///< of the time with any request in the disk, 0 to 1
  std::vector<LowerCounts> lower{};
  WitnessLog log{};
};

}  // namespace diskaudit
