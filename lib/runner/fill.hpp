#pragma once
/// The ways in which a test area is filled: by io_uring, and by threads where that is not possible.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "runner/test_area.hpp"

namespace diskaudit {

inline constexpr std::uint64_t fill_chunk = MiB;
inline constexpr unsigned fill_depth = 8;  ///< chunks in flight

/// A request that does not return is given up after this time, and after the shorter one when the
/// fill was told to stop.
inline constexpr auto longest_request = std::chrono::seconds(60);
inline constexpr auto longest_drain = std::chrono::seconds(5);

/// How often progress is reported.
inline constexpr auto progress_interval = std::chrono::milliseconds(100);

struct FillJob {
  int fd = -1;
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  const FillProgress& progress;
};

struct FillEnd {
  std::uint64_t written = 0;
  int error = 0;             ///< errno of the first request that failed
  std::uint64_t offset = 0;  ///< of that request, or of the one that is overdue
  bool overdue = false;
};

struct FreeMemory {
  void operator()(std::uint64_t* memory) const { std::free(memory); }
};
using Chunk = std::unique_ptr<std::uint64_t, FreeMemory>;

/// Memory for one chunk, aligned for direct I/O; null if there is none.
Chunk allocate_chunk();

/// Fills `bytes` of a chunk with the data that belongs at `offset`.
void make_data(std::uint64_t* words, std::uint64_t bytes, std::uint64_t offset, std::uint64_t seed);

/// Nothing where io_uring cannot be used.
std::optional<FillEnd> fill_by_uring(const FillJob& job);

FillEnd fill_by_threads(const FillJob& job);

}  // namespace diskaudit
