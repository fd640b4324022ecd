#pragma once
/// A log-linear latency histogram small enough for the first-level cache.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace diskaudit {

/// Counts nanoseconds from 0 to 2^34 (17 s; longer ones count there) with a relative error of at
/// most 2^-(sub_bits+1) = 0.39 %. Fixed memory, no allocation; not thread-safe.
class Histogram {
 public:
  static constexpr unsigned sub_bits = 7;
  static constexpr unsigned max_bits = 34;
  static constexpr std::size_t size = (max_bits - sub_bits + 1) << sub_bits;

  void add(std::uint64_t nanoseconds) { ++counts_[index_of(nanoseconds)]; }
  void add_at(std::size_t index, std::uint64_t count) { counts_[index] += count; }
  void merge(const Histogram& other);

  std::uint64_t count() const;
  std::uint64_t count_at(std::size_t index) const { return counts_[index]; }
  /// The value below which the share `q` (0 to 1) of the counts lies, as mid-bucket nanoseconds;
  /// 0 when empty.
  double quantile(double q) const;

  /// Group of the highest bit, then the next `sub_bits` bits; below 2^sub_bits a bucket a value.
  static std::size_t index_of(std::uint64_t nanoseconds) {
    const std::uint64_t value = std::min(nanoseconds, (std::uint64_t{1} << max_bits) - 1);
    const unsigned bits = static_cast<unsigned>(std::bit_width(value));
    const unsigned shift = bits > sub_bits ? bits - sub_bits - 1 : 0;
    return (std::size_t{shift} << sub_bits) + static_cast<std::size_t>(value >> shift);
  }
  static double value_of(std::size_t index);

 private:
  std::array<std::uint64_t, size> counts_{};
};

}  // namespace diskaudit
