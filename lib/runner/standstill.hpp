#pragma once
/// Tells a standstill of this program or machine, and a set clock, from a disk that stalls.

#include <cstdint>

#include "runner/clock.hpp"

namespace diskaudit {

/// Three clocks read together: what they differ by changes when the machine sleeps or somebody
/// sets the time.
struct Clocks {
  std::uint64_t monotonic = 0;  ///< stands still while the machine sleeps
  std::uint64_t boot = 0;
  std::uint64_t real = 0;

  static Clocks read() {
    return {now_ns(), read_clock(CLOCK_BOOTTIME), read_clock(CLOCK_REALTIME)};
  }
};

/// What happened between two looks that were to lie `interval` nanoseconds apart: "suspended",
/// "machine_suspended" or "clock_step"; null: nothing. Half a second is tolerated.
const char* standstill(const Clocks& before, const Clocks& now, std::uint64_t interval);

}  // namespace diskaudit
