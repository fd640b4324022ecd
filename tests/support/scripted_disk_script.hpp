#pragma once
/// What a scripted disk is told to be: its limits and its behaviour, as a struct and as `key=value`
/// text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace diskaudit {

/// Zero means "no such limit" or "no such thing". Rates are per second, times in seconds; moments
/// count from when the disk is ready. README.md beside this file explains each key.
struct Script {
  std::uint64_t size = 1ull << 30;
  std::uint32_t block_size = 512;  ///< logical block size of the loop device
  std::string filesystem{};        ///< ext4, xfs or btrfs; empty: the bare device

  double read_iops = 0, write_iops = 0, total_iops = 0;
  double read_bytes = 0, write_bytes = 0, total_bytes = 0;
  double bucket = 0.1;       ///< capacity of each limit, in seconds of its rate
  double refill = 0;         ///< tokens come in portions, one each so many seconds
  double fill = 1;           ///< share of the capacity, or of the credit, at the start
  double burst = 0;          ///< the peak rate as a multiple of the limit, while credit lasts
  double burst_seconds = 0;  ///< how long full credit lasts at the peak rate

  /// Limits of a cgroup of the kernel's, which a test puts the program into, not of the disk.
  double cgroup_read_iops = 0, cgroup_write_iops = 0, cgroup_read_bytes = 0, cgroup_write_bytes = 0;

  double read_latency = 0, write_latency = 0;  ///< mean time of a request once it has its tokens
  std::string latency_shape = "fixed";         ///< fixed, exponential or lognormal
  double latency_spread = 0.5;                 ///< lognormal: sigma of the logarithm
  double slow_share = 0, slow_latency = 0;     ///< so many requests take that long instead
  double latency_per_request = 0;              ///< added for each other request inside the disk
  std::uint32_t servers = 0;                   ///< requests worked on at once

  double first_touch_latency = 0;  ///< added for each block that is touched the first time
  std::uint64_t first_touch_block = 1 << 20;
  std::uint64_t read_cache = 0;   ///< bytes last read or written that are read at once
  std::uint64_t write_cache = 0;  ///< bytes written at once, then written back at the limits' rate

  struct Stall {
    double at = 0, seconds = 0;
  };
  std::vector<Stall> stalls{};  ///< nothing is answered meanwhile
  struct BadRange {
    std::string direction = "any";  ///< read, write or any
    std::uint64_t offset = 0, length = 0;
  };
  std::vector<BadRange> bad_ranges{};  ///< answered with EIO
  std::uint64_t error_every = 0;       ///< every so manieth request is answered with EIO
  std::uint64_t hang = 0;              ///< the so manieth request is never answered
  struct Change {
    double at = 0;
    std::string key{}, value{};
  };
  std::vector<Change> changes{};  ///< keys that take another value later, in the order of time
  std::uint64_t seed = 1;         ///< of everything random
};

/// Sets one key of the script: the member's name, the value with an optional unit (64MiB, 115MB/s,
/// 5ms).
Result<void> set_script(Script& script, std::string_view key, std::string_view value);

/// Reads `key=value` words, separated by white space; `#` starts a comment.
Result<Script> parse_script(std::string_view text);

/// The text that parse_script() reads back into the same script.
std::string format_script(const Script& script);

}  // namespace diskaudit
