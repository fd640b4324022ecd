#include "runner/standstill.hpp"

namespace diskaudit {

namespace {

constexpr std::uint64_t tolerated = second_ns / 2;

/// Of two numbers modulo 2^64: a clock may go back.
std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  const auto difference = static_cast<std::int64_t>(a - b);
  return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
}

}  // namespace

const char* standstill(const Clocks& before, const Clocks& now, std::uint64_t interval) {
  const std::uint64_t passed = now.monotonic - before.monotonic;
  if (passed > interval + tolerated) return "suspended";
  if (distance(now.boot - before.boot, passed) > tolerated) return "machine_suspended";
  if (distance(now.real - before.real, now.boot - before.boot) > tolerated) return "clock_step";
  return nullptr;
}

}  // namespace diskaudit
