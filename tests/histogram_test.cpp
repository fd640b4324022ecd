#include "measure/histogram.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "support/catch.hpp"

using diskaudit::Histogram;

TEST_CASE("values below 256 ns keep a bucket of their own") {
  for (std::uint64_t value = 0; value < 256; ++value) {
    CHECK(Histogram::index_of(value) == value);
    CHECK(Histogram::value_of(value) == static_cast<double>(value));
  }
}

TEST_CASE("buckets follow one another without gap over the whole range") {
  std::size_t before = Histogram::index_of(0);
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 34); value += 1 + value / 1000) {
    const std::size_t index = Histogram::index_of(value);
    REQUIRE(index >= before);
    REQUIRE(index - before <= 1);
    before = index;
  }
  CHECK(Histogram::index_of((std::uint64_t{1} << 34) - 1) == Histogram::size - 1);
}

TEST_CASE("a bucket's value is within 0.4 % of everything that it counts") {
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 34); value += 1 + value / 777) {
    const double shown = Histogram::value_of(Histogram::index_of(value));
    REQUIRE(shown == Approx(static_cast<double>(value)).epsilon(0.004));
  }
}

TEST_CASE("longer latencies than the range count in its last bucket") {
  Histogram histogram;
  histogram.add(~std::uint64_t{0});
  CHECK(histogram.count() == 1);
  CHECK(histogram.quantile(1) == Approx(17179869184.0).epsilon(0.004));
}

TEST_CASE("quantiles of an empty histogram are 0") { CHECK(Histogram{}.quantile(0.5) == 0); }

TEST_CASE("quantiles are within 1 % of the exact ones") {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> latency(13, 0.7);
  Histogram histogram, other;
  std::vector<double> values;
  for (int i = 0; i < 100'000; ++i) {
    const auto value = static_cast<std::uint64_t>(latency(random));
    values.push_back(static_cast<double>(value));
    (i % 2 ? histogram : other).add(value);
  }
  histogram.merge(other);
  std::sort(values.begin(), values.end());
  REQUIRE(histogram.count() == values.size());
  for (const double q : {0.01, 0.5, 0.9, 0.95, 0.99, 0.999}) {
    const double exact = values[static_cast<std::size_t>(q * 100'000) - 1];
    CHECK(histogram.quantile(q) == Approx(exact).epsilon(0.01));
  }
}

TEST_CASE("a quantile counts ranks from one") {
  Histogram histogram;
  for (const unsigned value : {10, 20, 30, 40}) histogram.add(value);
  CHECK(histogram.quantile(0.25) == 10);
  CHECK(histogram.quantile(0.5) == 20);
  CHECK(histogram.quantile(0.51) == 30);
  CHECK(histogram.quantile(1) == 40);
}
