#include "judge/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace diskaudit {
namespace {

// Neighbouring seconds of a disk do not depend on each other more than this for long; beyond it the
// interval would never decide anything.
constexpr double strongest_autocorrelation = 0.9;

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

Inflation inflation_of(std::span<const double> batches, double mean) {
  double square = 0;
  double product = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const double difference = batches[i] - mean;
    square += difference * difference;
    if (i > 0) product += difference * (batches[i - 1] - mean);
  }
  if (square <= 0) return {};
  const double n = static_cast<double>(batches.size());
  const double estimate = product / square;
  const double pessimistic = estimate + (1 + 4 * estimate) / n + 1 / std::sqrt(n);
  const double correlation = std::clamp(pessimistic, 0.0, strongest_autocorrelation);
  return {correlation, (1 + correlation) / (1 - correlation)};
}

double student_quantile(double alpha, double degrees) {
  const boost::math::students_t distribution(degrees);
  return boost::math::quantile(boost::math::complement(distribution, alpha));
}

MeanInterval mean_interval(std::span<const double> batches, double alpha, double floor) {
  MeanInterval result;
  result.batches = batches.size();
  if (batches.empty()) return result;
  const double n = static_cast<double>(batches.size());
  result.mean = sum_of(batches) / n;
  result.half_width = std::numeric_limits<double>::infinity();
  if (batches.size() < 3) return result;
  double square = 0;
  for (const double value : batches) square += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(square / (n - 1));
  const Inflation inflation = inflation_of(batches, result.mean);
  result.autocorrelation = inflation.autocorrelation;
  const double degrees = std::max(2.0, n / inflation.factor - 1);
  const double half_width =
      student_quantile(alpha, degrees) * result.deviation * std::sqrt(inflation.factor / n);
  // Rounded up, so that the last digits of another mathematics library cannot show.
  result.half_width = std::max(floor, std::ceil(half_width * 1e6) / 1e6);
  return result;
}

}  // namespace diskaudit
