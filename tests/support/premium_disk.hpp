#pragma once
/// The scripted disk that most audits of the tests are about.

#include "support/scripted_disk.hpp"

namespace diskaudit {

/// What 100 GiB of Tencent's premium disk deliver, each way, on an ext4 of `size` bytes.
inline Script premium_disk(std::uint64_t size) {
  Script script;
  script.size = size;
  script.filesystem = "ext4";
  script.read_iops = script.write_iops = 2600;
  script.read_bytes = script.write_bytes = 115e6;
  return script;
}

}  // namespace diskaudit
