/// The measuring engine against a disk that logs what it served.

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <set>

#include "runner/engine_choice.hpp"
#include "runner/runner.hpp"
#include "support/catch.hpp"
#include "support/scripted_disk.hpp"

using namespace diskaudit;

namespace {

TestArea open_disk(const ScriptedDisk& disk, std::uint64_t span) {
  const int fd = ::open(disk.device().c_str(), O_RDWR | O_DIRECT | O_CLOEXEC);
  REQUIRE(fd >= 0);
  return TestArea(fd, Bytes{span}, 512);
}

Job make_job(Direction direction, Pattern pattern, std::uint64_t block_size, unsigned iodepth) {
  Job job;
  job.scenario = {.name = "engine-test",
                  .direction = direction,
                  .pattern = pattern,
                  .block_size = Bytes{block_size},
                  .iodepth = iodepth,
                  .read_percent = direction == Direction::Mixed ? 70U : 100U};
  job.iodepth = iodepth;
  job.ramp_seconds = 0.5;
  job.runtime_seconds = 4;
  return job;
}

RunnerOptions options_for(const ScriptedDisk& disk, EngineChoice engine = EngineChoice::Auto) {
  RunnerOptions options;
  options.engine = engine;
  options.device = inspect_device(options.root, disk.device_name());
  return options;
}

bool never_enough(const Measurement&) { return false; }

std::vector<EngineChoice> engines() {
  std::vector<EngineChoice> list;
  for (const EngineChoice engine : {EngineChoice::IoUring, EngineChoice::Libaio}) {
    if (choose_engine(engine, SystemRoot{}, 8)) list.push_back(engine);
  }
  if (list.empty()) skip("neither io_uring nor native AIO here");
  return list;
}

/// Within 0.2 %, and what may be under way at the edges: the kernel merges sequential requests.
void check_exact(const Flow& flow, const Served& served, Pattern pattern) {
  INFO("measured " << flow.bytes << " bytes, served " << served.bytes);
  const std::uint64_t under_way =
      pattern == Pattern::Sequential ? 2 * MiB : 3 * flow.bytes / (flow.ios + 1);
  CHECK(static_cast<double>(flow.bytes) == Approx(static_cast<double>(served.bytes))
                                               .epsilon(0.002)
                                               .margin(static_cast<double>(under_way)));
}

void check_against_log(const ScriptedDisk& disk, const Job& job, const Measurement& m) {
  const ServedWindow truth = disk.served(static_cast<std::int64_t>(m.window_begin_ns),
                                         static_cast<std::int64_t>(m.window_end_ns));
  const Pattern pattern = job.scenario.pattern;
  if (job.scenario.direction == Direction::Mixed) {
    check_exact(m.read, truth.reads, pattern);
    check_exact(m.write, truth.writes, pattern);
  } else {
    check_exact(m.all, job.scenario.direction == Direction::Read ? truth.reads : truth.writes,
                pattern);
  }
}

/// Little's law; requests that lie across an edge of the window bound what it may be off by.
void check_little(const Measurement& m) {
  const double product = iops(m) * m.all.latency.mean / 1e6;
  const double at_edges = m.iodepth * m.all.latency.max / 1e6 / m.seconds;
  CHECK(product == Approx(m.inflight_mean).margin(at_edges));
}

/// Each I/O of the window is in one column, a second wide; bands of the latencies that were seen.
void check_latency_map(const Measurement& m) {
  const LatencyMap& map = m.latency_map;
  CHECK(is_well_formed(map, m.seconds));
  CHECK(std::ssize(map.counts) == std::lround(m.seconds));
  std::uint64_t sum = 0;
  for (const auto& column : map.counts) sum = std::accumulate(column.begin(), column.end(), sum);
  CHECK(sum == m.all.ios);
  CHECK(map.bounds_us.back() >= m.all.latency.max * 0.99);
  CHECK(map.bounds_us.end()[-2] <= m.all.latency.max * 1.01);
}

/// The kernel's counts were read before, during and after the window, and agree with each other.
void check_looks(const Measurement& m) {
  const WitnessLog& log = m.witness.log;
  REQUIRE(log.at_seconds.size() >= 4);
  CHECK(log.at_seconds.front() < 0);
  CHECK(log.at_seconds.back() >= m.seconds);
  CHECK(std::is_sorted(log.ios.begin(), log.ios.end()));
  const auto at = [&log](double seconds) {
    const auto found = std::find(log.at_seconds.begin(), log.at_seconds.end(), seconds);
    REQUIRE(found != log.at_seconds.end());
    return log.ios[static_cast<std::size_t>(found - log.at_seconds.begin())];
  };
  CHECK(at(m.seconds) - at(0) == m.witness.read_ios + m.witness.write_ios);
  CHECK(m.witness.inflight_mean > 0);
  CHECK(m.client.voluntary_switches > 0);
}

}  // namespace

TEST_CASE("the rate measured is the rate served", "[serial]") {
  struct Row {
    Script script;
    Job job;
    unsigned threads;
  };
  using enum Direction;
  using enum Pattern;
  const std::vector<Row> rows{
      {{.read_iops = 300}, make_job(Read, Random, 4096, 64), 1},
      {{.write_iops = 2600}, make_job(Write, Random, 4096, 96), 2},
      {{.read_iops = 20000}, make_job(Read, Random, 4096, 64), 1},
      {{.read_bytes = 115e6}, make_job(Read, Sequential, 256 * KiB, 64), 1},
      {{.write_bytes = 115e6}, make_job(Write, Sequential, 256 * KiB, 64), 2},
      {{.total_iops = 3000}, make_job(Mixed, Random, 16 * KiB, 30), 1},
  };
  const bool full = std::getenv("DISKAUDIT_FULL_TESTS") != nullptr;
  for (Row row : rows) {
    for (const EngineChoice engine : engines()) {
      const ScriptedDisk disk(row.script);
      const TestArea area = open_disk(disk, 512 * MiB);
      row.job.threads = row.threads;
      if (full) row.job.runtime_seconds = 30;
      const auto m = run_job(area, row.job, options_for(disk, engine), never_enough);
      REQUIRE(m);
      INFO(format_script(row.script) << " by " << m->engine);
      check_against_log(disk, row.job, *m);
      CHECK(m->all.errors == 0);
      CHECK(m->inflight_mean == Approx(row.job.iodepth).epsilon(0.03));
      check_little(*m);
      check_latency_map(*m);
      REQUIRE(m->witness.known);
      check_looks(*m);
      const std::uint64_t seen = m->witness.read_bytes + m->witness.write_bytes;
      CHECK(static_cast<double>(seen) ==
            Approx(static_cast<double>(m->all.bytes)).epsilon(0.01).margin(2 * MiB));
    }
  }
}

TEST_CASE("failed requests are told apart from served ones, with their offsets") {
  for (const EngineChoice engine : engines()) {
    Script script{.read_iops = 2000};
    script.bad_ranges = {{.direction = "read", .offset = 4 * MiB, .length = 1 * MiB}};
    const ScriptedDisk disk(script);
    const TestArea area = open_disk(disk, 16 * MiB);
    const Job job = make_job(Direction::Read, Pattern::Random, 4096, 16);
    const auto m = run_job(area, job, options_for(disk, engine), never_enough);
    REQUIRE(m);
    CHECK(m->all.errors > 0);
    check_against_log(disk, job, *m);
    REQUIRE_FALSE(m->faults.empty());
    for (const IoFault& fault : m->faults) {
      CHECK(fault.error == EIO);
      CHECK(fault.offset >= 4 * MiB);
      CHECK(fault.offset < 5 * MiB);
    }
  }
}

TEST_CASE("a request that never returns is given up on, and the rest is kept") {
  for (const EngineChoice engine : engines()) {
    const ScriptedDisk disk({.read_iops = 2000, .hang = 1500});
    const TestArea area = open_disk(disk, 64 * MiB);
    RunnerOptions options = options_for(disk, engine);
    options.patience_seconds = 2;
    const auto begin = std::chrono::steady_clock::now();
    const Job job = make_job(Direction::Read, Pattern::Random, 4096, 16);
    const auto m = run_job(area, job, options, never_enough);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    REQUIRE(m);
    CHECK(m->hung);
    CHECK_FALSE(m->interrupted);
    CHECK(took.count() < 30);
    REQUIRE(m->faults.size() == 1);
    CHECK(m->faults[0].error == ETIMEDOUT);
    CHECK(m->faults[0].age_seconds >= 2);
    CHECK(m->faults[0].length == 4096);
    CHECK(m->all.ios > 0);
    check_against_log(disk, job, *m);
  }
}

TEST_CASE("after a signal a request that never returns is waited for 5 s at most") {
  for (const EngineChoice engine : engines()) {
    const ScriptedDisk disk({.write_iops = 2000, .hang = 1500});
    const TestArea area = open_disk(disk, 64 * MiB);
    std::atomic<int> signal{0};
    RunnerOptions options = options_for(disk, engine);
    options.signal = &signal;
    std::chrono::steady_clock::time_point sent;
    const auto m = run_job(area, make_job(Direction::Write, Pattern::Random, 4096, 16), options,
                           [&](const Measurement& so_far) {
                             if (so_far.seconds < 1 || signal != 0) return false;
                             sent = std::chrono::steady_clock::now();
                             signal = SIGTERM;
                             return false;
                           });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - sent;
    REQUIRE(m);
    CHECK(m->interrupted);
    CHECK(m->hung);
    CHECK(took.count() < 8);
    CHECK(m->seconds >= 1);
    REQUIRE_FALSE(m->faults.empty());
    CHECK(m->faults[0].error == ETIMEDOUT);
  }
}

TEST_CASE("a stall of the disk shows as a gap and as empty tenths of a second, and is not void",
          "[serial]") {
  Script script{.read_iops = 5000};
  script.stalls = {{.at = 2, .seconds = 1.5}};
  const ScriptedDisk disk(script);
  const TestArea area = open_disk(disk, 64 * MiB);
  Job job = make_job(Direction::Read, Pattern::Random, 4096, 32);
  job.runtime_seconds = 4;
  const auto m = run_job(area, job, options_for(disk), never_enough);
  REQUIRE(m);
  CHECK(m->longest_gap_seconds >= 1.4);
  CHECK(std::count(m->all.series.ios.begin(), m->all.series.ios.end(), 0U) >= 13);
  CHECK(m->voids.empty());
  check_against_log(disk, job, *m);
}

TEST_CASE("sequential workers never touch a block twice before the span ends") {
  const ScriptedDisk disk({.write_bytes = 100e6});
  const TestArea area = open_disk(disk, 1 * GiB);
  Job job = make_job(Direction::Write, Pattern::Sequential, 256 * KiB, 16);
  job.threads = 4;
  job.runtime_seconds = 2;
  const auto m = run_job(area, job, options_for(disk), never_enough);
  REQUIRE(m);
  std::set<std::uint64_t> seen;
  std::set<std::uint64_t> slices;
  for (const LogEntry& entry : disk.log()) {
    if (entry.direction != DiskDirection::Write) continue;
    CHECK(seen.insert(entry.offset).second);
    slices.insert(entry.offset / (256 * MiB));
  }
  CHECK(slices == std::set<std::uint64_t>{0, 1, 2, 3});
}
