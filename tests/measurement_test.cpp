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
