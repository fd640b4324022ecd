#pragma once
/// Latency over time: how many of the I/Os that completed in a stretch of the window took how long.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace diskaudit {

class Histogram;

/// Of all directions together. No columns where nothing completed, or in an older record.
struct LatencyMap {
  static constexpr std::size_t most_columns = 300;
  static constexpr std::size_t most_bands = 64;

  /// Of each column, into the window; it ends where the next begins, the last with the window.
  std::vector<double> begin_seconds{};
  /// Between the bands, and at both ends: one more than there are bands.
  std::vector<double> bounds_us{};
  std::vector<std::vector<std::uint64_t>> counts{};  ///< a column each, from the lowest band up
};

/// Whether columns and bands ascend, fit together, and lie in a window of `seconds`.
bool is_well_formed(const LatencyMap& map, double seconds);

/// The same with neighbouring columns joined until there are at most `most`.
LatencyMap narrowed(const LatencyMap& map, std::size_t most);

/// Makes a map out of looks at a histogram that only grows. Columns are a second wide, or the next
/// power of two with which a long window needs no more than `most_columns`.
class LatencyLog {
 public:
  /// `so_far` holds what completed since the window's begin. An I/O belongs to the bands by the
  /// middle of its bucket; a bucket that lies across a bound is 0.8 % wide.
  void look(double at_seconds, const Histogram& so_far);

  /// With the bands alone that anything fell in.
  LatencyMap map() const;

 private:
  void open_column();

  double looked_ = 0;
  double width_ = 1;
  std::vector<std::uint64_t> seen_{};
  LatencyMap map_{};
};

}  // namespace diskaudit
