#pragma once
/// Where the next request goes: random blocks, or a slice of the span from front to back.

#include <array>
#include <cstdint>

#include "plan/scenario.hpp"

namespace diskaudit {

/// xoshiro256** 1.0 (Blackman, Vigna 2018), seeded by SplitMix64.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }
  /// Below `limit`, by multiply-high: no division, and a bias below limit / 2^64.
  std::uint64_t below(std::uint64_t limit) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * limit) >> 64);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  std::array<std::uint64_t, 4> state_;
};

/// The finaliser of SplitMix64: a bijection, so that different numbers stay different.
std::uint64_t mix(std::uint64_t x);

/// Blocks are drawn with replacement; sequential workers own disjoint slices and start over at the
/// end of theirs.
class Offsets {
 public:
  Offsets(Pattern pattern, std::uint64_t span, std::uint64_t block_size, unsigned worker,
          unsigned workers);

  std::uint64_t next(Random& random) {
    if (pattern_ == Pattern::Random) return random.below(blocks_) * block_size_;
    if (position_ == last_) position_ = first_;
    return position_++ * block_size_;
  }

 private:
  Pattern pattern_;
  std::uint64_t block_size_;
  std::uint64_t blocks_;
  std::uint64_t first_;
  std::uint64_t last_;
  std::uint64_t position_;
};

}  // namespace diskaudit
