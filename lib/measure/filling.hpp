#pragma once
/// How the bytes under test were written before anything was measured.

#include <cstdint>

#include "units.hpp"

namespace diskaudit {

struct Filling {
  Bytes bytes{};
  Bytes request{};  ///< the largest that the disk was given
  double seconds = 0;
  std::uint64_t end_ns = 0;  ///< CLOCK_MONOTONIC, as for measurements
};

}  // namespace diskaudit
