#pragma once
/// The requests of a scripted disk, and the answers to them.

#include <cstdint>

#include "support/scripted_disk_bucket.hpp"

namespace diskaudit {

enum class DiskDirection : std::uint8_t { Read, Write, Discard, Flush };

struct DiskRequest {
  std::uint64_t tag = 0;  ///< the caller's own
  DiskDirection direction = DiskDirection::Read;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  Nanoseconds arrival = 0;
  bool is_answered = false;  ///< by the write cache; what is left is the writing back
};

struct DiskAnswer {
  DiskRequest request{};
  Nanoseconds due = 0;
  int error = 0;  ///< errno, or 0
};

}  // namespace diskaudit
