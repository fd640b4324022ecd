#pragma once
/// The one clock that stamps requests and bounds windows.

#include <cstdint>
#include <ctime>

namespace diskaudit {

inline std::uint64_t read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// Nanoseconds of CLOCK_MONOTONIC: the same in every process, never set back.
inline std::uint64_t now_ns() { return read_clock(CLOCK_MONOTONIC); }

inline constexpr std::uint64_t second_ns = 1'000'000'000;

inline double seconds_of(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace diskaudit
