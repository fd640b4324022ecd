#pragma once
/// Intervals with a known error rate, for means of series whose neighbours depend on each other.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace diskaudit {

/// Mean and one-sided half-width of batches; the half-width is infinite below three batches.
struct MeanInterval {
  double mean = 0;
  double deviation = 0;        ///< standard deviation of the batches
  double autocorrelation = 0;  ///< lag 1, as used: pessimistic, 0 to 0.9
  double half_width = 0;
  std::size_t batches = 0;
  double least = -std::numeric_limits<double>::infinity();  ///< bound of `low` by other means

  double low() const { return std::max(mean - half_width, least); }
  double high() const { return mean + half_width; }
};

/// The mean leaves `mean` ± half-width on either side with probability `alpha` at most, also where
/// neighbours are positively correlated. `floor` is the least half-width: what clock, edges and
/// buckets can do to the best of series.
MeanInterval mean_interval(std::span<const double> batches, double alpha, double floor);

/// The factor by which correlated neighbours enlarge the variance of a mean, and the correlation
/// that it rests on: the estimate, corrected for its bias and raised by one standard error.
struct Inflation {
  double autocorrelation = 0;
  double factor = 1;
};
Inflation inflation_of(std::span<const double> batches, double mean);

/// Upper quantile of Student's t: exceeded with probability `alpha`. `degrees` need not be whole.
double student_quantile(double alpha, double degrees);

}  // namespace diskaudit
