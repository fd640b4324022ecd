#pragma once
/// A log-linear latency histogram small enough for the first-level cache.

#include <array>
#include <cstdint>

namespace diskaudit {

/// Counts nanoseconds from 0 to 2^34 (17 s; longer ones count there) with a relative error of at
/// most 2^-(sub_bits+1) = 0.39 %. Fixed memory, no allocation; not thread-safe.
class Histogram {
 public:
  static constexpr unsigned sub_bits = 7;
  static constexpr unsigned max_bits = 34;

  void add(std::uint64_t nanoseconds) { ++counts_[index_of(nanoseconds)]; }
  void merge(const Histogram& other);

  std::uint64_t count() const;
  /// The value below which the share `q` (0 to 1) of the counts lies, as mid-bucket nanoseconds;
  /// 0 when empty.
  double quantile(double q) const;

  static std::size_t index_of(std::uint64_t nanoseconds);
  static double value_of(std::size_t index);

 private:
  static constexpr std::size_t size = (max_bits - sub_bits + 1) << sub_bits;
  std::array<std::uint64_t, size> counts_{};
};

}  // namespace diskaudit
