#include "judge/statistics.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"

using namespace diskaudit;

TEST_CASE("quantiles of Student's t are those of the printed tables") {
  const struct {
    double alpha;
    double degrees;
    double quantile;
  } table[] = {
      {0.025, 2, 4.303},  {0.025, 10, 2.228}, {0.005, 10, 3.169},
      {0.005, 30, 2.750}, {0.05, 1, 6.314},   {0.005, 120, 2.617},
  };
  for (const auto& [alpha, degrees, quantile] : table) {
    INFO(alpha << " " << degrees);
    CHECK(student_quantile(alpha, degrees) == Approx(quantile).margin(0.0005));
  }
}

TEST_CASE("the autocorrelation is taken pessimistically") {
  // 1 1 1 1 2 2 2 2: the seven products about 1.5 are 3 × 0.25, −0.25, 3 × 0.25, the squares sum to
  // 2: estimate 0.625; + (1 + 2.5) / 8 + 1 / √8 = 1.416, more than the most.
  const std::vector<double> halves = {1, 1, 1, 1, 2, 2, 2, 2};
  CHECK(inflation_of(halves, 1.5).autocorrelation == Approx(0.9));
  CHECK(inflation_of(halves, 1.5).factor == Approx(19));
  // 1 2 1 2 …, sixteen long: estimate −15/16; + (1 − 3.75) / 16 + 1 / 4 < 0.
  std::vector<double> alternating;
  for (int i = 0; i < 16; ++i) alternating.push_back(1 + i % 2);
  CHECK(inflation_of(alternating, 1.5).autocorrelation == 0);
  CHECK(inflation_of(alternating, 1.5).factor == 1);
  // 1 1 2 2 1 1 2 2 … sixteen long: products 8 × 0.25 − 7 × 0.25 = 0.25 over 4: 0.0625;
  // + 1.25 / 16 + 0.25 = 0.390625.
  std::vector<double> pairs;
  for (int i = 0; i < 16; ++i) pairs.push_back(1 + i / 2 % 2);
  CHECK(inflation_of(pairs, 1.5).autocorrelation == Approx(0.390625));
  CHECK(inflation_of(pairs, 1.5).factor == Approx(1.390625 / 0.609375));
}

TEST_CASE("the half-width is t × s × √(F / n) with the degrees of freedom that are left") {
  // The sixteen pairs above: s² = 4 / 15, F = 2.28205, n/F − 1 = 6.01124 degrees.
  std::vector<double> pairs;
  for (int i = 0; i < 16; ++i) pairs.push_back(1 + i / 2 % 2);
  const MeanInterval interval = mean_interval(pairs, 0.025, 0);
  CHECK(interval.mean == 1.5);
  CHECK(interval.batches == 16);
  CHECK(interval.deviation == Approx(std::sqrt(4.0 / 15)));
  // t(0.025; 6) = 2.447, and 2.446 for 6.01 degrees.
  CHECK(interval.half_width ==
        Approx(2.446 * std::sqrt(4.0 / 15) * std::sqrt(2.28205 / 16)).epsilon(0.001));
  CHECK(interval.low() == Approx(1.5 - interval.half_width));
  CHECK(interval.high() == Approx(1.5 + interval.half_width));
}

TEST_CASE("an interval is never narrower than its floor") {
  const std::vector<double> flat(30, 1.0);
  CHECK(mean_interval(flat, 0.005, 0.002).half_width == 0.002);
}

TEST_CASE("two batches say nothing about their spread") {
  const std::vector<double> two = {1.0, 1.1};
  CHECK(std::isinf(mean_interval(two, 0.005, 0.002).half_width));
  CHECK(mean_interval({}, 0.005, 0.002).batches == 0);
}
