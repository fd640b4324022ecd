#include "runner/offsets.hpp"

namespace diskaudit {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

Random::Random(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t x = mix(seed) ^ mix(~stream);
  for (std::uint64_t& word : state_) word = mix(x += 0x9e3779b97f4a7c15);
}

Offsets::Offsets(Pattern pattern, std::uint64_t span, std::uint64_t block_size, unsigned worker,
                 unsigned workers)
    : pattern_(pattern),
      block_size_(block_size),
      blocks_(span / block_size),
      first_(blocks_ / workers * worker),
      last_(worker + 1 == workers ? blocks_ : blocks_ / workers * (worker + 1)),
      position_(first_) {}

}  // namespace diskaudit
