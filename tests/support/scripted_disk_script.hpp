#pragma once
/// What a scripted disk is told to be: its limits and its behaviour, as a struct and as `key=value`
/// text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace diskaudit {

/// Zero means "no such limit". Rates are per second; times are in seconds from the moment it is
/// ready.
struct Script {
  std::uint64_t size = 1ull << 30;
  std::uint32_t block_size = 512;  ///< logical block size of the loop device
  std::string filesystem{};        ///< ext4, xfs or btrfs; empty: the bare device

  double read_iops = 0, write_iops = 0, total_iops = 0;
  double read_bytes = 0, write_bytes = 0, total_bytes = 0;
  double bucket = 0.1;  ///< capacity of each limit's token bucket, in seconds of its rate
};

/// Sets one key of the script: the member's name, the value with an optional unit (64MiB, 115MB/s,
/// 5ms).
Result<void> set_script(Script& script, std::string_view key, std::string_view value);

/// Reads `key=value` words, separated by white space; `#` starts a comment.
Result<Script> parse_script(std::string_view text);

/// The text that parse_script() reads back into the same script.
std::string format_script(const Script& script);

}  // namespace diskaudit
