#include <thread>
#include <vector>

#include "measure/summary.hpp"
#include "support/catch.hpp"

using namespace diskaudit;

namespace {

constexpr std::uint64_t ms = 1'000'000;
constexpr std::uint64_t begin = 1000 * ms;

/// One worker with memory of its own, as the runner would lay it out.
struct Account {
  Account(const Window& window, std::size_t count)
      : bins(2 * count),
        latencies(2 * Histogram::size),
        recorder(window, {Track{{bins.data(), count}, {latencies.data(), Histogram::size}},
                          Track{{bins.data() + count, count},
                                {latencies.data() + Histogram::size, Histogram::size}}}) {}

  void complete(std::uint64_t at, std::uint64_t latency, unsigned track = 0) {
    recorder.latency(track, latency);
    recorder.add(track, at, {.ios = 1, .latency_sum = latency, .latency_max = latency});
  }

  std::vector<Bin> bins;
  std::vector<Counter> latencies;
  Recorder recorder;
};

}  // namespace

TEST_CASE("the window takes its begin and leaves out its end") {
  const Window window{begin, begin + 300 * ms};
  CHECK_FALSE(window.holds(begin - 1));
  CHECK(window.holds(begin));
  CHECK(window.holds(begin + 300 * ms - 1));
  CHECK_FALSE(window.holds(begin + 300 * ms));
}

TEST_CASE("only bins that are wholly over count as complete") {
  const Window window{begin, begin + 250 * ms};
  CHECK(complete_bins(window, begin - 1) == 0);
  CHECK(complete_bins(window, begin + 99 * ms) == 0);
  CHECK(complete_bins(window, begin + 100 * ms) == 1);
  CHECK(complete_bins(window, begin + 10'000 * ms) == 2);
}

TEST_CASE("completions of all workers are binned by completion time, idle bins kept") {
  const Window window{begin, begin + 400 * ms};
  Account one(window, 4), two(window, 4);
  one.complete(begin, 2 * ms);
  one.complete(begin + 99 * ms, 4 * ms);
  two.complete(begin + 100 * ms, 6 * ms);
  two.complete(begin + 399 * ms, 8 * ms);
  one.recorder.add(0, begin + 399 * ms, {.errors = 3});

  Summary summary(window, {&one.recorder, &two.recorder}, 4096, false);
  const Measurement& m = summary.update(4);
  CHECK(m.all.series.ios == std::vector<std::uint64_t>{2, 1, 0, 1});
  CHECK(m.all.series.bytes == std::vector<std::uint64_t>{8192, 4096, 0, 4096});
  CHECK(m.all.series.errors == std::vector<std::uint64_t>{0, 0, 0, 3});
  CHECK(m.all.series.latency_mean_us == std::vector<double>{3000, 6000, 0, 8000});
  CHECK(m.all.series.latency_max_us == std::vector<double>{4000, 6000, 0, 8000});
  CHECK(m.all.ios == 4);
  CHECK(m.all.bytes == 4 * 4096);
  CHECK(m.all.errors == 3);
  CHECK(m.seconds == Approx(0.4));
  CHECK(iops(m) == Approx(10));
  CHECK(bytes_per_second(m) == Approx(40960));
  CHECK(m.all.latency.mean == Approx(5000));
  CHECK(m.all.latency.p50 == Approx(4000).epsilon(0.004));
  CHECK(m.all.latency.max == Approx(8000));
  CHECK(m.all.latency.p999 <= m.all.latency.max);
  CHECK(m.longest_gap_seconds == Approx(0.299));
}

TEST_CASE("a summary that grows comes to the same as one made at the end") {
  const Window window{begin, begin + 1000 * ms};
  Account account(window, 10);
  Summary growing(window, {&account.recorder}, 512, false);
  for (std::size_t bin = 0; bin < 10; ++bin) {
    for (std::size_t i = 0; i <= bin; ++i) account.complete(begin + bin * 100 * ms + i, i + 1);
    growing.update(bin + 1);
  }
  Summary whole(window, {&account.recorder}, 512, false);
  const Measurement& a = growing.update(10);
  const Measurement& b = whole.update(10);
  CHECK(a.all.series.ios == b.all.series.ios);
  CHECK(a.all.ios == 55);
  CHECK(b.all.ios == 55);
  CHECK(a.longest_gap_seconds == b.longest_gap_seconds);
}

TEST_CASE("a mixed job has reads and writes apart and together") {
  const Window window{begin, begin + 100 * ms};
  Account account(window, 1);
  account.complete(begin + 1, 1000, 0);
  account.complete(begin + 2, 1000, 0);
  account.complete(begin + 3, 4000, 1);
  Summary summary(window, {&account.recorder}, 4096, true);
  const Measurement& m = summary.update(1);
  CHECK(m.all.ios == 3);
  CHECK(m.read.ios == 2);
  CHECK(m.write.ios == 1);
  CHECK(m.all.latency.mean == Approx(2));
  CHECK(m.read.latency.max == Approx(1));
  CHECK(m.write.latency.p50 == Approx(4).epsilon(0.004));
  CHECK(m.write.series.ios == std::vector<std::uint64_t>{1});
}

TEST_CASE("requests outstanding are averaged over the window alone") {
  const Window window{begin, begin + 100 * ms};
  Account account(window, 1);
  account.recorder.outstanding(begin - 50 * ms, 8);
  account.recorder.outstanding(begin + 50 * ms, 4);
  account.recorder.outstanding(begin + 75 * ms, 0);
  account.recorder.outstanding(begin + 90 * ms, 2);
  account.recorder.outstanding(begin + 500 * ms, 0);
  Summary summary(window, {&account.recorder}, 4096, false);
  CHECK(summary.update(1).inflight_mean == Approx((8 * 50 + 4 * 25 + 2 * 10) / 100.0));
}

TEST_CASE("a window without any completion is one gap and rates of 0") {
  const Window window{begin, begin + 200 * ms};
  Account account(window, 2);
  Summary summary(window, {&account.recorder}, 4096, false);
  const Measurement& m = summary.update(2);
  CHECK(m.longest_gap_seconds == Approx(0.2));
  CHECK(iops(m) == 0);
  CHECK(m.all.latency.p50 == 0);
  CHECK(iops(Measurement{}) == 0);
}

TEST_CASE("a coarser series weighs latencies by I/Os and drops a partial interval") {
  const Series fine{.interval_seconds = 0.1,
                    .ios = {1, 3, 0, 0, 7},
                    .bytes = {10, 30, 0, 0, 70},
                    .latency_mean_us = {4, 8, 0, 0, 1},
                    .latency_max_us = {4, 9, 0, 0, 1},
                    .errors = {0, 1, 2, 0, 0}};
  const Series coarse = coarsen(fine, 2);
  CHECK(coarse.interval_seconds == Approx(0.2));
  CHECK(coarse.ios == std::vector<std::uint64_t>{4, 0});
  CHECK(coarse.bytes == std::vector<std::uint64_t>{40, 0});
  CHECK(coarse.latency_mean_us == std::vector<double>{7, 0});
  CHECK(coarse.latency_max_us == std::vector<double>{9, 0});
  CHECK(coarse.errors == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("a summary can be read while the worker records") {
  const Window window{begin, begin + 1000 * ms};
  Account account(window, 10);
  std::thread worker([&account] {
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      account.recorder.outstanding(begin + i * 10'000, 1);
      account.complete(begin + i * 10'000, 100 + i);
    }
  });
  Summary live(window, {&account.recorder}, 4096, false);
  for (std::size_t bin = 0; bin < 10; ++bin) live.update(bin);
  worker.join();
  Summary after(window, {&account.recorder}, 4096, false);
  CHECK(after.update(10).all.ios == 100'000);
}

namespace {

/// So many I/Os of a latency in microseconds.
struct Came {
  double us;
  std::uint64_t ios;
};

/// The look at the end of each second, after those I/Os of that second.
LatencyMap looked_at_each_second(const std::vector<std::vector<Came>>& seconds) {
  LatencyLog log;
  Histogram so_far;
  double at = 0;
  for (const std::vector<Came>& second : seconds) {
    for (const auto& [us, ios] : second) {
      so_far.add_at(Histogram::index_of(static_cast<std::uint64_t>(us * 1e3)), ios);
    }
    log.look(at += 1, so_far);
  }
  return log.map();
}

using Columns = std::vector<std::vector<std::uint64_t>>;

}  // namespace

TEST_CASE("a latency map counts each stretch by itself, in the bands that anything fell in") {
  const LatencyMap map = looked_at_each_second({{{110, 5}, {160, 2}}, {}, {{110, 1}, {250, 4}}});
  CHECK(map.begin_seconds == std::vector<double>{0, 1, 2});
  CHECK(map.bounds_us == std::vector<double>{100, 150, 200, 300});
  CHECK(map.counts == Columns{{5, 2, 0}, {0, 0, 0}, {1, 0, 4}});
  CHECK(is_well_formed(map, 3));
  CHECK_FALSE(is_well_formed(map, 2));
}

TEST_CASE("a latency map begins with the window, and looks that follow closely share a column") {
  LatencyLog log;
  Histogram so_far;
  log.look(0.003, so_far);
  for (const double at : {0.4, 1.01, 2.01, 2.3, 2.5}) {
    so_far.add_at(Histogram::index_of(1000), 1);
    log.look(at, so_far);
  }
  log.look(2.5, so_far);
  CHECK(log.map().begin_seconds == std::vector<double>{0, 1, 2});
  CHECK(log.map().counts == Columns{{2}, {1}, {2}});
}

TEST_CASE("latencies beyond the bands count in the first and the last of them") {
  const LatencyMap map = looked_at_each_second({{{0.2, 3}, {600e6, 2}}});
  CHECK(map.bounds_us.front() == 1);
  CHECK(map.bounds_us.back() == 20e6);
  CHECK(map.counts[0].front() == 3);
  CHECK(map.counts[0].back() == 2);
  CHECK(is_well_formed(map, 1));
}

TEST_CASE("a day has no more columns than a record keeps, equally wide, and loses no I/O") {
  const LatencyMap map = looked_at_each_second({86400, {{100, 1}, {5000, 2}}});
  REQUIRE(map.counts.size() > LatencyMap::most_columns / 2);
  REQUIRE(map.counts.size() <= LatencyMap::most_columns);
  for (std::size_t i = 0; i + 1 < map.counts.size(); ++i) {
    CHECK(map.begin_seconds[i + 1] - map.begin_seconds[i] == 512);
    CHECK(map.counts[i].front() == 512);
    CHECK(map.counts[i].back() == 1024);
  }
  CHECK(is_well_formed(map, 86400));
  const LatencyMap narrow = narrowed(map, 50);
  CHECK(narrow.counts.size() <= 50);
  std::uint64_t sum = 0;
  for (const auto& column : narrow.counts) sum += column.front() + column.back();
  CHECK(sum == 3 * 86400);
}

TEST_CASE("a window in which nothing completed has no latency map") {
  CHECK(looked_at_each_second({{}, {}}).counts.empty());
  CHECK_FALSE(is_well_formed({}, 1));
}

TEST_CASE("a latency map whose parts do not fit together is told apart") {
  const LatencyMap good = looked_at_each_second({{{100, 1}}, {{900, 1}}});
  REQUIRE(is_well_formed(good, 2));
  const auto broken = [&good](auto change) {
    LatencyMap map = good;
    change(map);
    return !is_well_formed(map, 2);
  };
  CHECK(broken([](LatencyMap& map) { map.counts[1].pop_back(); }));
  CHECK(broken([](LatencyMap& map) { map.counts.pop_back(); }));
  CHECK(broken([](LatencyMap& map) { map.begin_seconds[1] = 0; }));
  CHECK(broken([](LatencyMap& map) { map.begin_seconds[0] = -1; }));
  CHECK(broken([](LatencyMap& map) { map.bounds_us[0] = 0; }));
  CHECK(broken([](LatencyMap& map) { std::swap(map.bounds_us[0], map.bounds_us[1]); }));
}
