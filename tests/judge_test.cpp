#include "judge/judge.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"
#include "support/made_measurement.hpp"
#include "support/read_verdict.hpp"

using namespace diskaudit;

namespace {

// 4 KiB random write, 256 outstanding of at most 1024, 2600 IOPS promised; window of 30 s.
Job random_job() {
  Job job;
  job.scenario = {.name = "rand-write-4k",
                  .direction = Direction::Write,
                  .pattern = Pattern::Random,
                  .block_size = Bytes{4096},
                  .iodepth = 256};
  job.target = Target{Metric::Iops, 2600, "iops"};
  job.iops_ceiling = Iops{2600};
  job.iodepth = 256;
  job.max_iodepth = 1024;
  job.runtime_seconds = 30;
  return job;
}

// 256 KiB sequential read, 64 outstanding, 115 MB/s promised; window of 30 s.
Job sequential_job() {
  Job job = random_job();
  job.scenario.name = "seq-read-256k";
  job.scenario.direction = Direction::Read;
  job.scenario.pattern = Pattern::Sequential;
  job.scenario.block_size = Bytes{256 * KiB};
  job.scenario.metric = Metric::BytesPerSecond;
  job.target = Target{Metric::BytesPerSecond, 115e6, "throughput"};
  job.iodepth = 64;
  return job;
}

// IOPS of `job`'s block size that make `percent` of its target.
double rate_for(const Job& job, double percent) {
  const double rate = job.target->value * percent / 100;
  const bool bytes = job.target->metric == Metric::BytesPerSecond;
  return bytes ? rate / static_cast<double>(job.scenario.block_size.value) : rate;
}

Measurement at(const Job& job, double percent, double seconds = 30) {
  return steady(job.scenario, job.iodepth, rate_for(job, percent), seconds);
}

// What a saturated disk gives: the same with half the requests outstanding.
Evidence saturated(const Job& job, double percent) {
  Evidence evidence;
  evidence.judged = at(job, percent);
  Measurement half = at(job, percent, 10);
  half.iodepth = job.iodepth / 2;
  half.inflight_mean = half.iodepth;
  evidence.probes.push_back({Purpose::HalfDepth, half});
  return evidence;
}

Measurement with_depth(Measurement measurement, unsigned iodepth) {
  measurement.iodepth = iodepth;
  measurement.inflight_mean = iodepth;
  return measurement;
}

}  // namespace

TEST_CASE("every reason's name stands at its own place in the table") {
  for (std::size_t i = 0; i < reason_names.size(); ++i) {
    CHECK(static_cast<std::size_t>(reason_names[i].code) == i);
    CHECK(name_of(reason_names[i].code) == reason_names[i].name);
  }
  CHECK(name_of(ReasonCode::SaturationLatency) == "saturation_latency");
  CHECK(name_of(Outcome::NotTested) == "not_tested");
  CHECK(name_of(Cause::BelowQuota) == "below_quota");
  CHECK(name_of(Cause::Interrupted) == "interrupted");
}

TEST_CASE("a saturated disk passes at the threshold and fails below it") {
  const Job job = random_job();
  const struct {
    double percent;
    Outcome outcome;
    std::optional<Cause> cause;
  } table[] = {
      {100, Outcome::Pass, std::nullopt},       {91, Outcome::Pass, std::nullopt},
      {90.3, Outcome::Pass, std::nullopt},      {90, Outcome::Inconclusive, Cause::Borderline},
      {89.7, Outcome::Fail, Cause::BelowQuota}, {50, Outcome::Fail, Cause::BelowQuota},
  };
  for (const auto& [percent, outcome, cause] : table) {
    INFO(percent);
    const Verdict verdict = judge(job, saturated(job, percent), {});
    CHECK(verdict.outcome == outcome);
    CHECK(verdict.cause == cause);
    CHECK(*verdict.percent == Approx(percent).margin(0.05));
    REQUIRE(verdict.interval);
    CHECK(verdict.interval->low < percent);
    CHECK(verdict.interval->high > percent);
    CHECK(verdict.bound_by == "iops");
  }
}

TEST_CASE("the threshold is the tolerance's") {
  const Job job = random_job();
  const Evidence evidence = saturated(job, 94.5);
  CHECK(judge(job, evidence, {.tolerance = {90, "default"}}).outcome == Outcome::Pass);
  const Verdict verdict = judge(job, evidence, {.tolerance = {95, "user"}});
  CHECK(verdict.outcome == Outcome::Fail);
  CHECK(figure(verdict, ReasonCode::Threshold, "percent") == 95);
  CHECK(figure(verdict, ReasonCode::Threshold, "value") == Approx(2470));
  CHECK(figure(verdict, ReasonCode::Measured, "value") == Approx(2457).margin(0.5));
  CHECK(figure(verdict, ReasonCode::Measured, "target") == 2600);
}

TEST_CASE("a disk clearly above its quota passes with the flag over") {
  const Job job = random_job();
  CHECK_FALSE(has_flag(judge(job, saturated(job, 105), {}), "over"));
  const Verdict verdict = judge(job, saturated(job, 106), {});
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(has_flag(verdict, "over"));
  CHECK(figure(verdict, ReasonCode::OverQuota, "percent") == Approx(106).margin(0.05));
}

TEST_CASE("a disk many times above its quota passes however unevenly it runs") {
  Job job = random_job();
  job.runtime_seconds = 5;
  std::vector<double> rates;
  for (const double factor : {45, 20, 12, 33, 60}) rates.insert(rates.end(), 10, factor * 2600);
  Evidence evidence;
  evidence.judged = made_measurement(job.scenario, job.iodepth, rates);
  SECTION("all of it far above") {
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(has_flag(verdict, "over"));
    CHECK(verdict.interval->low > 105);
    CHECK(verdict.interval->low <= 125);
  }
  SECTION("what it delivers too much at one time makes up for nothing at another") {
    std::fill(rates.begin() + 20, rates.end(), 0.5 * 2600);
    evidence.judged = made_measurement(job.scenario, job.iodepth, rates);
    CHECK(judge(job, evidence, {}).outcome != Outcome::Pass);
  }
}

TEST_CASE("a rate that is off by a factor with a name earns a hint") {
  const Job job = random_job();
  const double mega = 1e6 / 1048576;
  CHECK(figure(judge(job, saturated(job, 95.37), {}), ReasonCode::UnitMixUp, "ratio") ==
        Approx(mega));
  CHECK(figure(judge(job, saturated(job, 104.86), {}), ReasonCode::UnitMixUp, "ratio") ==
        Approx(1 / mega));
  CHECK(figure(judge(job, saturated(job, 50), {}), ReasonCode::UnitMixUp, "ratio") == 0.5);
  CHECK_FALSE(find(judge(job, saturated(job, 97), {}), ReasonCode::UnitMixUp));
  CHECK_FALSE(find(judge(job, saturated(job, 100), {}), ReasonCode::UnitMixUp));
}

TEST_CASE("no fail without evidence of saturation") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 60);
  SECTION("no probe") {
    evidence.probes.clear();
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.cause == Cause::DepthLimited);
    CHECK(find(verdict, ReasonCode::NoHalfDepth));
  }
  SECTION("half the depth gives half the rate") {
    evidence.probes[0].measurement = with_depth(at(job, 30, 10), 128);
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.cause == Cause::DepthLimited);
    CHECK(figure(verdict, ReasonCode::HalfDepth, "ratio") == Approx(0.5).margin(0.001));
    CHECK(figure(verdict, ReasonCode::DeepestTried, "max_iodepth") == 1024);
  }
  SECTION("half the depth gives 96 %") {
    evidence.probes[0].measurement = with_depth(at(job, 57.6, 10), 128);
    CHECK(judge(job, evidence, {}).cause == Cause::DepthLimited);
  }
  SECTION("half the depth gives 97.5 %") {
    evidence.probes[0].measurement = with_depth(at(job, 58.5, 10), 128);
    CHECK(judge(job, evidence, {}).cause == Cause::BelowQuota);
  }
  SECTION("a probe at three quarters of the depth proves nothing") {
    evidence.probes[0].measurement.iodepth = 192;
    CHECK(judge(job, evidence, {}).cause == Cause::DepthLimited);
  }
  SECTION("an attempt at half the depth will do") {
    evidence.probes.clear();
    evidence.attempts.push_back(with_depth(at(job, 60), 128));
    CHECK(judge(job, evidence, {}).cause == Cause::BelowQuota);
  }
  SECTION("half the depth passes: the disk is unsteady") {
    evidence.probes[0].measurement = with_depth(at(job, 100, 10), 128);
    CHECK(judge(job, evidence, {}).cause == Cause::Unsteady);
  }
}

TEST_CASE("a repetition at the same depth must not disagree") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 60);
  SECTION("both fail") {
    evidence.attempts.push_back(at(job, 61));
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.cause == Cause::BelowQuota);
    CHECK(figure(verdict, ReasonCode::Repeated, "value") == Approx(1586).margin(1));
  }
  SECTION("it passed before it failed") {
    evidence.attempts.push_back(at(job, 100));
    CHECK(judge(job, evidence, {}).cause == Cause::Unsteady);
  }
  SECTION("it failed before it passed") {
    evidence = saturated(job, 100);
    evidence.attempts.push_back(at(job, 60));
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.outcome == Outcome::Inconclusive);
    CHECK(verdict.cause == Cause::Unsteady);
  }
  SECTION("it was on the border before") {
    evidence = saturated(job, 89);
    evidence.attempts.push_back(at(job, 90));
    CHECK(judge(job, evidence, {}).cause == Cause::Borderline);
  }
  SECTION("it failed with less depth, and passes with more") {
    evidence = saturated(job, 100);
    evidence.attempts.push_back(with_depth(at(job, 60), 64));
    CHECK(judge(job, evidence, {}).outcome == Outcome::Pass);
  }
}

TEST_CASE("errors and lost requests fail whatever the rate") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 100);
  SECTION("an error in the window") { evidence.judged->all.errors = 3; }
  SECTION("an error in a probe") { evidence.probes[0].measurement.all.errors = 3; }
  SECTION("a hang") { evidence.judged->hung = true; }
  SECTION("a hang that a signal ended") {
    evidence.judged->hung = evidence.judged->interrupted = true;
  }
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Fail);
  CHECK(verdict.cause == Cause::IoError);
  CHECK(*verdict.percent == Approx(100).margin(0.05));
  CHECK_FALSE(next_step(job, evidence, {}));
}

TEST_CASE("what a signal ended has no verdict") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 40);
  evidence.judged->interrupted = true;
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Inconclusive);
  CHECK(verdict.cause == Cause::Interrupted);
  CHECK_FALSE(next_step(job, evidence, {}));
}

TEST_CASE("a client at its limit never fails a disk, and never spoils a pass") {
  const Job job = random_job();
  Evidence bad = saturated(job, 60);
  Evidence good = saturated(job, 100);
  const auto change = [&](auto with) {
    with(*bad.judged);
    with(*good.judged);
  };
  SECTION("a busy worker") {
    change([](Measurement& m) { m.client.busiest_worker_share = 0.95; });
  }
  SECTION("stolen time") {
    change([](Measurement& m) { m.client.steal_share = 0.06; });
  }
  SECTION("a CPU quota") {
    change([](Measurement& m) { m.client.cpu_throttled = true; });
  }
  SECTION("a queue that was not kept full") {
    change([](Measurement& m) { m.inflight_mean = 220; });
  }
  CHECK(judge(job, bad, {}).cause == Cause::ClientLimited);
  CHECK_FALSE(next_step(job, bad, {}));
  CHECK(judge(job, good, {}).outcome == Outcome::Pass);
}

TEST_CASE("a client below its limit is no excuse") {
  const Job job = random_job();
  Evidence bad = saturated(job, 60);
  bad.judged->client = {.busiest_worker_share = 0.85, .steal_share = 0.04};
  bad.judged->inflight_mean = 240;
  CHECK(judge(job, bad, {}).cause == Cause::BelowQuota);
}

TEST_CASE("a limit of our own cgroup is named where it binds") {
  const Job job = random_job();
  const Job sequential = sequential_job();
  Circumstances circumstances;
  Environment& environment = circumstances.environment;
  SECTION("IOPS limit, measured close to it") {
    environment.cgroup_write_iops = Iops{1000};
    const Verdict verdict = judge(job, saturated(job, 38), circumstances);
    CHECK(verdict.cause == Cause::CgroupLimited);
    CHECK(figure(verdict, ReasonCode::CgroupLimit, "limit") == 1000);
  }
  SECTION("throughput limit that binds small requests") {
    environment.cgroup_write_throughput = BytesPerSec{4096e3};
    CHECK(judge(job, saturated(job, 38), circumstances).cause == Cause::CgroupLimited);
  }
  SECTION("throughput limit, sequential") {
    environment.cgroup_read_throughput = BytesPerSec{50e6};
    CHECK(judge(sequential, saturated(sequential, 43), circumstances).cause ==
          Cause::CgroupLimited);
  }
  SECTION("IOPS limit that binds a sequential job") {
    environment.cgroup_read_iops = Iops{200};
    CHECK(judge(sequential, saturated(sequential, 45), circumstances).cause ==
          Cause::CgroupLimited);
  }
  SECTION("the limit of the other direction does not matter") {
    environment.cgroup_read_iops = Iops{1000};
    CHECK(judge(job, saturated(job, 38), circumstances).cause == Cause::BelowQuota);
  }
  SECTION("measured far below the limit: the disk is worse") {
    environment.cgroup_write_iops = Iops{2000};
    CHECK(judge(job, saturated(job, 38), circumstances).cause == Cause::BelowQuota);
  }
  SECTION("measured at three quarters of the limit: likewise") {
    environment.cgroup_write_iops = Iops{2000};
    CHECK(judge(job, saturated(job, 60), circumstances).cause == Cause::BelowQuota);
  }
  SECTION("a limit above the quota does not matter") {
    environment.cgroup_write_iops = Iops{3000};
    CHECK(judge(job, saturated(job, 80), circumstances).cause == Cause::BelowQuota);
  }
}

TEST_CASE("somebody else's I/O counts where it could have turned the verdict") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 70);
  Witness& witness = evidence.judged->witness;
  SECTION("enough to make up the difference") {
    witness.write_ios += 30 * 700;
    witness.write_bytes += 30 * 700 * 4096;
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.cause == Cause::Contaminated);
    CHECK(figure(verdict, ReasonCode::Foreign, "value") == Approx(700).margin(30));
  }
  SECTION("in the other direction") {
    witness.read_ios += 30 * 700;
    witness.read_bytes += 30 * 700 * 4096;
    CHECK(judge(job, evidence, {}).cause == Cause::Contaminated);
  }
  SECTION("few but large requests") {
    witness.write_ios += 30 * 100;
    witness.write_bytes += 30ull * 100 * 256 * KiB;
    CHECK(judge(job, evidence, {}).cause == Cause::Contaminated);
  }
  SECTION("not enough: a note beside the fail") {
    witness.write_ios += 30 * 200;
    witness.write_bytes += 30 * 200 * 4096;
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.cause == Cause::BelowQuota);
    CHECK(find(verdict, ReasonCode::Foreign));
  }
  SECTION("a note beside a pass") {
    evidence = saturated(job, 95);
    evidence.judged->witness.write_ios += 30 * 700;
    evidence.judged->witness.write_bytes += 30 * 700 * 4096;
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(find(verdict, ReasonCode::Foreign));
  }
}

TEST_CASE("a number that cannot be the disk's does not pass") {
  const Job job = sequential_job();
  Evidence evidence = saturated(job, 300);
  Circumstances circumstances;
  SECTION("a page cache below") { circumstances.device.page_cache_below = true; }
  SECTION("blocks that were never written") { circumstances.device.zero_share = 0.5; }
  SECTION("the device read a tenth") {
    evidence.judged->witness.read_bytes /= 10;
    evidence.judged->witness.read_ios /= 10;
  }
  SECTION("the device read nothing") {
    evidence.judged->witness.read_bytes = evidence.judged->witness.read_ios = 0;
  }
  const Verdict verdict = judge(job, evidence, circumstances);
  CHECK(verdict.outcome == Outcome::Inconclusive);
  CHECK(verdict.cause == Cause::CacheServed);
  CHECK_FALSE(next_step(job, evidence, circumstances));
}

TEST_CASE("requests that the kernel splits count as the device saw them") {
  Job job = random_job();
  job.scenario.block_size = Bytes{16 * KiB};
  // The quota bites at 2600 requests of 8 KiB: 1300 of ours.
  Evidence evidence = saturated(job, 50);
  evidence.judged->witness.write_ios *= 2;
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(*verdict.percent == Approx(100).margin(0.05));
  CHECK(figure(verdict, ReasonCode::RequestsSplit, "ratio") == 2);
  // A small request is not split: tiny ones beside ours are somebody else's.
  const Job small = random_job();
  Evidence with_others = saturated(small, 85);
  with_others.judged->witness.write_ios += 30 * 260;
  with_others.judged->witness.write_bytes += 30 * 260 * 512;
  CHECK(judge(small, with_others, {}).cause == Cause::Contaminated);
  // Requests of others beside ours are no splits.
  evidence.judged->witness.write_bytes *= 2;
  CHECK(judge(job, evidence, {}).cause == Cause::Contaminated);
}

TEST_CASE("a sequential rate that the IOPS quota explains passes, bound by iops") {
  Job job = sequential_job();
  // 300 IOPS × 256 KiB = 78.6 MB/s = 68.4 % of 115 MB/s; 90 % of that is 61.5 %.
  job.iops_ceiling = Iops{300};
  SECTION("between the two") {
    const Verdict verdict = judge(job, saturated(job, 68), {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(verdict.bound_by == "iops");
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "value") == Approx(0.9 * 300 * 262144));
  }
  SECTION("below both") { CHECK(judge(job, saturated(job, 61), {}).cause == Cause::BelowQuota); }
  SECTION("above both") { CHECK(judge(job, saturated(job, 95), {}).bound_by == "throughput"); }
  SECTION("the device saw requests of half the size") {
    Evidence evidence = saturated(job, 40);
    evidence.judged->witness.read_ios *= 2;
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "request_bytes") == 131072);
  }
  SECTION("the device saw them merged four to one: the IOPS quota excuses nothing") {
    Evidence evidence = saturated(job, 68);
    evidence.judged->witness.read_ios /= 4;
    CHECK(judge(job, evidence, {}).cause == Cause::BelowQuota);
  }
}

TEST_CASE("a sequential rate is held against the I/Os that the vendor counts") {
  Job job = sequential_job();
  job.target = Target{Metric::BytesPerSecond, 128.0 * MiB, "throughput"};
  // As of gp2 at 100 GiB: 300 IOPS, each of up to 256 KiB, are 75 MiB/s, 58.6 % of 128 MiB/s.
  job.iops_ceiling = Iops{300};
  job.io_unit = IoUnit{.size = Bytes{256 * KiB}};
  const double by_iops = 300.0 * 256 * KiB;
  SECTION("as they were sent") {
    const Verdict verdict = judge(job, saturated(job, 58.5), {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(verdict.bound_by == "iops");
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "value") == Approx(0.9 * by_iops));
    CHECK(judge(job, saturated(job, 50), {}).cause == Cause::BelowQuota);
  }
  SECTION("merged four to one, each counts as four") {
    Evidence evidence = saturated(job, 58.5);
    evidence.judged->witness.read_ios /= 4;
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "value") == Approx(0.9 * by_iops));
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "request_bytes") == 256 * KiB);
  }
  SECTION("split in two, each half counts as one") {
    Evidence evidence = saturated(job, 30);
    evidence.judged->witness.read_ios *= 2;
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "value") == Approx(0.9 * by_iops / 2));
  }
  SECTION("a small unit makes each request several") {
    job.io_unit = IoUnit{.size = Bytes{16 * KiB}};
    job.iops_ceiling = Iops{300 * 16};
    const Verdict verdict = judge(job, saturated(job, 58.5), {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(figure(verdict, ReasonCode::ThresholdByIops, "value") == Approx(0.9 * by_iops));
  }
}

TEST_CASE("halves of a request count no more than it, where the vendor counts by size") {
  Job job = random_job();
  job.scenario.block_size = Bytes{64 * KiB};
  job.io_unit = IoUnit{.size = Bytes{16 * KiB}};
  job.target = Target{Metric::Iops, 650, "iops"};  // 2600 of 16 KiB
  Evidence evidence = saturated(job, 60);
  evidence.judged->witness.write_ios *= 2;
  for (Probe& probe : evidence.probes) probe.measurement.witness.write_ios *= 2;
  const Verdict verdict = judge(job, evidence, {});
  CHECK(*verdict.percent == Approx(60).margin(0.05));
  CHECK(verdict.cause == Cause::BelowQuota);
}

TEST_CASE("an instance cap that is below the quota is no fault of the disk") {
  Job job = random_job();
  job.target = Target{Metric::Iops, 2000, "instance_iops"};
  CHECK(judge(job, saturated(job, 100), {}).outcome == Outcome::Pass);
  const Circumstances strict{.tolerance = {95, "user"}};
  CHECK(judge(job, saturated(job, 93), strict).cause == Cause::InstanceLimited);
  CHECK(judge(job, saturated(job, 60), strict).cause == Cause::BelowQuota);
}

TEST_CASE("a latency that contradicts Little's law is noticed") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 99.3);
  CHECK_FALSE(has_flag(judge(job, evidence, {}), "latency_impossible"));
  evidence.judged->all.latency.mean = 5200;
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(has_flag(verdict, "latency_impossible"));
  // 256 / 2582 IOPS
  CHECK(figure(verdict, ReasonCode::LatencyImpossible, "implied_us") ==
        Approx(99148).epsilon(0.001));
}

TEST_CASE("what has no target is not tested") {
  Job job = random_job();
  const Evidence evidence = saturated(job, 60);
  SECTION("nothing published") { job.target.reset(); }
  SECTION("not run") { job.not_tested = "read_only"; }
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::NotTested);
  CHECK_FALSE(verdict.percent);
}

TEST_CASE("a latency scenario is held against the range at its own depth") {
  Job job = random_job();
  job.scenario.metric = Metric::LatencyUs;
  job.iodepth = job.max_iodepth = 1;
  job.target = Target{Metric::LatencyUs, 5000, "latency"};
  const auto with_latency = [&](double milliseconds) {
    return steady(job.scenario, 1, 1000 / milliseconds);
  };
  Evidence evidence;
  evidence.judged = with_latency(4);
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(*verdict.percent == Approx(80).epsilon(0.01));
  evidence.judged = with_latency(6);
  CHECK(judge(job, evidence, {}).cause == Cause::LatencyAboveRange);
  CHECK(next_step(job, evidence, {})->iodepth == 1);
  evidence.attempts.push_back(with_latency(6));
  CHECK_FALSE(next_step(job, evidence, {}));
  evidence.attempts = {with_latency(4)};
  CHECK(judge(job, evidence, {}).cause == Cause::Unsteady);
}

TEST_CASE("a latency that comes to both sides of the range's top decides nothing") {
  Job job = random_job();
  job.scenario.metric = Metric::LatencyUs;
  job.iodepth = job.max_iodepth = 1;
  job.target = Target{Metric::LatencyUs, 5000, "latency"};
  // Seconds 0.4 ms above and below the mean, which is then known to 0.2 ms.
  const auto judged = [&](double milliseconds) {
    std::vector<double> rates;
    for (int i = 0; i < 300; ++i) {
      rates.push_back(1000 / (milliseconds + (i / 10 % 2 ? 0.4 : -0.4)));
    }
    return judge(job, {.judged = made_measurement(job.scenario, 1, rates)}, {});
  };
  CHECK(judged(4.5).outcome == Outcome::Pass);
  CHECK(judged(4.9).cause == Cause::Borderline);
  CHECK(judged(5.1).cause == Cause::Borderline);
  CHECK(judged(5.5).cause == Cause::LatencyAboveRange);
}

TEST_CASE("a latency many times above its range fails however unevenly, one near it does not") {
  Job job = random_job();
  job.scenario.metric = Metric::LatencyUs;
  job.iodepth = job.max_iodepth = 1;
  job.target = Target{Metric::LatencyUs, 5000, "latency"};
  const auto uneven = [&](double scale) {
    std::vector<double> tenths;
    for (const double milliseconds : {20.2, 20.3, 34.5, 31.6, 22.1, 21.5, 22.4, 22.1}) {
      tenths.insert(tenths.end(), 10, 1000 / (scale * milliseconds));
    }
    Evidence evidence;
    evidence.judged = made_measurement(job.scenario, 1, tenths);
    evidence.attempts = {*evidence.judged};
    return judge(job, evidence, {});
  };
  CHECK(uneven(1).cause == Cause::LatencyAboveRange);
  CHECK(uneven(0.25).outcome == Outcome::Inconclusive);
}

TEST_CASE("a cap that leaves the disk room to pass is not what holds an undecided one down") {
  const Job job = random_job();
  // Seconds at 72 and 112 % in turn leave a mean of 92 % undecided.
  std::vector<double> rates;
  for (int i = 0; i < 300; ++i) rates.push_back(2600 * (i / 10 % 2 ? 1.12 : 0.72));
  Evidence evidence;
  evidence.judged = made_measurement(job.scenario, job.iodepth, rates);
  const auto capped_at = [&](double percent) {
    Circumstances circumstances;
    circumstances.environment.cgroup_write_iops = Iops{2600 * percent / 100};
    return judge(job, evidence, circumstances).cause;
  };
  CHECK(capped_at(101) != Cause::CgroupLimited);
  CHECK(capped_at(99) == Cause::CgroupLimited);
}

TEST_CASE("a direction's cap counts for its share of a mixed job") {
  Job job = random_job();
  job.scenario.direction = Direction::Mixed;
  job.scenario.read_percent = 70;
  // 1400 reads a second allow 2000 I/Os, 2000 reads more than the target.
  const auto capped_at = [&](double reads) {
    Circumstances circumstances;
    circumstances.environment.cgroup_read_iops = Iops{reads};
    return judge(job, saturated(job, 70), circumstances);
  };
  CHECK(figure(capped_at(1400), ReasonCode::CgroupLimit, "limit") == Approx(2000));
  CHECK(capped_at(2000).cause == Cause::BelowQuota);
}

TEST_CASE("a disk is over its quota only when all of its interval is") {
  const Job job = random_job();
  const auto flags_at = [&](double low, double high) {
    std::vector<double> rates;
    for (int i = 0; i < 300; ++i) rates.push_back(26 * (i / 10 % 2 ? high : low));
    const Verdict verdict =
        judge(job, {.judged = made_measurement(job.scenario, job.iodepth, rates)}, {});
    CHECK(verdict.outcome == Outcome::Pass);
    return verdict.flags;
  };
  CHECK(flags_at(107, 107) == std::vector<std::string>{"over"});
  CHECK(flags_at(97, 117).empty());
}

TEST_CASE("a pair of noisy measurements forgives no more than the ratio's allowance") {
  Job job = random_job();
  job.max_iodepth = job.iodepth;
  // Half the depth gives nine tenths of the whole: short of depth, whatever the noise.
  const auto noisy = [&](double percent, std::size_t tenths) {
    std::vector<double> rates;
    for (std::size_t i = 0; i < tenths; ++i) {
      rates.push_back(26 * (percent + (i / 10 % 2 ? 15 : -15)));
    }
    return made_measurement(job.scenario, job.iodepth, rates);
  };
  Evidence evidence{.judged = noisy(60, 300)};
  evidence.probes.push_back({Purpose::HalfDepth, with_depth(noisy(54, 100), 128)});
  CHECK(judge(job, evidence, {}).cause == Cause::DepthLimited);
  evidence.probes[0].measurement = with_depth(noisy(60, 100), 128);
  CHECK(judge(job, evidence, {}).cause == Cause::BelowQuota);
}

TEST_CASE("less than half the depth proves no lack of depth") {
  const Job job = random_job();
  Evidence evidence{.judged = at(job, 70), .attempts = {with_depth(at(job, 50), 64)}};
  const auto step = next_step(job, evidence, {});
  REQUIRE(step);
  CHECK(step->purpose == Purpose::HalfDepth);
  CHECK(step->iodepth == 128);
}

TEST_CASE("requests at the edges of a window are nobody's") {
  const Job job = random_job();
  // Of 3 s at 2600 the device may have seen up to 512 requests more or less than we did.
  Evidence evidence{.judged = at(job, 100, 3)};
  const auto seen = [&](int more) {
    evidence.judged->witness.write_ios = evidence.judged->all.ios + more;
    evidence.judged->witness.write_bytes = 4096 * evidence.judged->witness.write_ios;
    return judge(job, evidence, {});
  };
  CHECK(seen(-500).outcome == Outcome::Pass);
  CHECK_FALSE(find(seen(500), ReasonCode::Foreign));
  CHECK(seen(-1500).cause == Cause::CacheServed);
  CHECK(find(seen(1500), ReasonCode::Foreign));
  // Of a long one as well a few percent less are no cache.
  evidence.judged = at(job, 100, 300);
  CHECK(seen(-27000).outcome == Outcome::Pass);
  CHECK(seen(-60000).cause == Cause::CacheServed);
}

TEST_CASE("errors settle an auto runtime, whatever the rate leaves open") {
  Job job = random_job();
  job.runtime_seconds = 0;
  Measurement measurement = at(job, 90, 30);
  measurement.all.errors = 1;
  CHECK(is_settled(job, measurement, {}));
}

TEST_CASE("an auto runtime ends at the first look that settles it, and not between") {
  Job job = random_job();
  job.runtime_seconds = 0;
  const Tolerance tolerance;
  CHECK_FALSE(is_settled(job, at(job, 100, 29.9), tolerance));
  CHECK(is_settled(job, at(job, 100, 30), tolerance));
  CHECK(is_settled(job, at(job, 50, 30.1), tolerance));
  CHECK_FALSE(is_settled(job, at(job, 90, 30), tolerance));
  CHECK_FALSE(is_settled(job, at(job, 90, 119.9), tolerance));
  CHECK(is_settled(job, at(job, 90, 120), tolerance));
  SECTION("what happens after a look does not change its answer") {
    // Seconds at 86 and 100 % in turn: the half-width is 4.1 at 30 s and 2.8 at 60 s.
    std::vector<double> rates;
    for (int i = 0; i < 600; ++i) rates.push_back(2600 * (i / 10 % 2 ? 1.0 : 0.86));
    const auto settled_after = [&](std::size_t tenths) {
      const std::span<const double> so_far(rates.data(), tenths);
      return is_settled(job, made_measurement(job.scenario, 256, so_far), tolerance);
    };
    CHECK_FALSE(settled_after(300));
    CHECK_FALSE(settled_after(599));
    CHECK(settled_after(600));
  }
  SECTION("three looks share the error that one judgement may make") {
    // Seconds at 87.6 and 98.4 % in turn: the half-width is 2.8 at once, 3.2 as one look of three.
    std::vector<double> rates;
    for (int i = 0; i < 300; ++i) rates.push_back(2600 * (i / 10 % 2 ? 0.984 : 0.876));
    const Measurement measurement = made_measurement(job.scenario, 256, rates);
    CHECK_FALSE(is_settled(job, measurement, tolerance));
    CHECK(judge(job, {.judged = measurement}, {}).outcome != Outcome::Pass);
    CHECK(judge(random_job(), {.judged = measurement}, {}).outcome == Outcome::Pass);
  }
  SECTION("a fixed runtime runs its time") {
    job.runtime_seconds = 60;
    CHECK_FALSE(is_settled(job, at(job, 100, 59), tolerance));
  }
  SECTION("without a target thirty seconds are enough") {
    job.target.reset();
    CHECK_FALSE(is_settled(job, at(random_job(), 100, 29), tolerance));
    CHECK(is_settled(job, at(random_job(), 100, 30), tolerance));
  }
}

TEST_CASE("the window of an auto runtime is judged at its last look, live and replayed") {
  Job job = random_job();
  job.runtime_seconds = 0;
  // Passes at 30 s; the tail that came in before the end was called would spread the interval.
  std::vector<double> rates(300, 2400);
  const Evidence exact{.judged = made_measurement(job.scenario, 256, rates)};
  for (int i = 0; i < 8; ++i) rates.push_back(0);
  const Evidence late{.judged = made_measurement(job.scenario, 256, rates)};
  CHECK(judge(job, exact, {}).interval->low == judge(job, late, {}).interval->low);
  CHECK(judge(job, late, {}).outcome == Outcome::Pass);
}

TEST_CASE("a short window is judged with a wider interval") {
  Job job = random_job();
  job.runtime_seconds = 3;
  std::vector<double> rates;
  for (int i = 0; i < 30; ++i) rates.push_back(2600 * (i % 3 == 0 ? 0.90 : 0.98));
  const auto width = [&](const std::vector<double>& of) {
    const Verdict verdict = judge(job, {.judged = made_measurement(job.scenario, 256, of)}, {});
    REQUIRE(verdict.interval);
    return verdict.interval->high - verdict.interval->low;
  };
  std::vector<double> uneven = rates;
  for (int i = 0; i < 30; ++i) uneven[i] += i % 2 ? 200 : -200;
  CHECK(width(uneven) > width(rates));
  CHECK(judge(job, {.judged = at(job, 100, 0.2)}, {}).cause == Cause::Borderline);
}

TEST_CASE("the next step gathers what a true verdict needs") {
  const Job job = random_job();
  const Circumstances none;
  const auto step = [&](const Evidence& evidence) { return next_step(job, evidence, none); };
  Evidence evidence;
  REQUIRE(step(evidence));
  CHECK(step(evidence)->purpose == Purpose::Attempt);
  CHECK(step(evidence)->iodepth == 256);
  evidence.judged = at(job, 100);
  CHECK_FALSE(step(evidence));
  evidence.judged = at(job, 60);
  REQUIRE(step(evidence));
  CHECK(step(evidence)->purpose == Purpose::HalfDepth);
  CHECK(step(evidence)->iodepth == 128);
  SECTION("saturated: once more at the same depth, then no more") {
    evidence = saturated(job, 60);
    REQUIRE(step(evidence));
    CHECK(step(evidence)->purpose == Purpose::Attempt);
    CHECK(step(evidence)->iodepth == 256);
    evidence.attempts.push_back(at(job, 60));
    CHECK_FALSE(step(evidence));
  }
  SECTION("not saturated: deeper, up to the device's queue") {
    evidence.probes.push_back({Purpose::HalfDepth, with_depth(at(job, 30, 10), 128)});
    REQUIRE(step(evidence));
    CHECK(step(evidence)->purpose == Purpose::Attempt);
    CHECK(step(evidence)->iodepth == 512);
    evidence.attempts.push_back(*evidence.judged);
    evidence.judged = with_depth(at(job, 80), 512);
    REQUIRE(step(evidence));
    CHECK(step(evidence)->iodepth == 1024);
    evidence.attempts.push_back(*evidence.judged);
    evidence.judged = with_depth(at(job, 88), 1024);
    CHECK_FALSE(step(evidence));
    CHECK(judge(job, evidence, none).cause == Cause::DepthLimited);
    evidence.judged = with_depth(at(job, 80.5), 1024);
    CHECK(step(evidence)->iodepth == 1024);
    CHECK(judge(job, evidence, none).cause == Cause::BelowQuota);
  }
  SECTION("on the border and saturated: nothing helps") {
    evidence = saturated(job, 90);
    CHECK_FALSE(step(evidence));
  }
  SECTION("one outstanding has no half") {
    Job shallow = job;
    shallow.iodepth = 1;
    evidence = {.judged = with_depth(at(job, 60), 1)};
    REQUIRE(next_step(shallow, evidence, none));
    CHECK(next_step(shallow, evidence, none)->purpose == Purpose::Attempt);
    CHECK(next_step(shallow, evidence, none)->iodepth == 2);
    shallow.max_iodepth = 1;
    CHECK_FALSE(next_step(shallow, evidence, none));
  }
}

TEST_CASE("only reads at the judged depth are asked a second time") {
  Job job = random_job();
  const Circumstances raw{.kind = DiskKind::BlockDevice};
  REQUIRE(next_step(job, {.judged = at(job, 40)}, raw));
  CHECK(next_step(job, {.judged = at(job, 40)}, raw)->purpose == Purpose::HalfDepth);
  job.scenario.direction = Direction::Read;
  Evidence evidence = saturated(job, 40);
  evidence.probes.push_back({Purpose::SecondPass, with_depth(at(job, 100, 5), 64)});
  CHECK(judge(job, evidence, raw).cause == Cause::BelowQuota);
}

TEST_CASE("reads that were faster the second time are a disk not yet initialised") {
  Job job = random_job();
  job.scenario.direction = Direction::Read;
  const Circumstances raw{.kind = DiskKind::BlockDevice};
  Evidence evidence = saturated(job, 40);
  const auto second_pass = [&](double percent) {
    evidence.probes.push_back({Purpose::SecondPass, at(job, percent, 5)});
  };
  REQUIRE(next_step(job, evidence, raw));
  CHECK(next_step(job, evidence, raw)->purpose == Purpose::SecondPass);
  CHECK(next_step(job, evidence, raw)->iodepth == 256);
  SECTION("faster: nothing more to measure, nothing to fail") {
    second_pass(100);
    const Verdict verdict = judge(job, evidence, raw);
    CHECK(verdict.outcome == Outcome::Inconclusive);
    CHECK(verdict.cause == Cause::Initialising);
    CHECK(figure(verdict, ReasonCode::FirstTouch, "second") == Approx(2600).epsilon(0.001));
    CHECK_FALSE(next_step(job, evidence, raw));
  }
  SECTION("as slow as before: the disk is slow") {
    second_pass(45);
    CHECK(judge(job, evidence, raw).cause == Cause::BelowQuota);
    CHECK(next_step(job, evidence, raw)->purpose == Purpose::Attempt);
  }
  SECTION("a file was written before it is read") {
    CHECK(next_step(job, evidence, {})->purpose == Purpose::Attempt);
    second_pass(100);
    CHECK(judge(job, evidence, {}).cause == Cause::BelowQuota);
  }
}

TEST_CASE("blocks that were never written spoil a pass, and excuse no fail") {
  Job job = random_job();
  job.scenario.direction = Direction::Read;
  Circumstances thin;
  thin.device.zero_share = 0.5;
  const Verdict verdict = judge(job, saturated(job, 100), thin);
  CHECK(verdict.cause == Cause::CacheServed);
  CHECK(figure(verdict, ReasonCode::ZeroBlocks, "share") == 0.5);
  CHECK(judge(job, saturated(job, 60), thin).cause == Cause::BelowQuota);
  Circumstances written;
  written.device.zero_share = 0.04;
  CHECK(judge(job, saturated(job, 100), written).outcome == Outcome::Pass);
  CHECK(judge(random_job(), saturated(random_job(), 100), thin).outcome == Outcome::Pass);
}

TEST_CASE("a copying file system is named where its own writes are in the way") {
  const Job job = random_job();
  Evidence evidence = saturated(job, 70);
  evidence.judged->witness.write_ios += 30 * 1000;
  evidence.judged->witness.write_bytes += 30 * 1000 * 4096;
  const Verdict verdict = judge(job, evidence, {.copy_on_write = true});
  CHECK(verdict.cause == Cause::FilesystemLimited);
  // As little as another file's writes would be is no copying.
  Evidence little = saturated(job, 88);
  little.judged->witness.write_ios += 30 * 150;
  little.judged->witness.write_bytes += 30 * 150 * 4096;
  CHECK(judge(job, little, {.copy_on_write = true}).cause == Cause::Contaminated);
  CHECK(find(verdict, ReasonCode::CopyOnWrite));
  CHECK(judge(job, evidence, {.kind = DiskKind::BlockDevice, .copy_on_write = true}).cause ==
        Cause::Contaminated);
  CHECK(judge(job, saturated(job, 70), {.copy_on_write = true}).cause == Cause::BelowQuota);
}

TEST_CASE("a declared burst that outlasts the window proves nothing of the quota") {
  Job job = random_job();
  job.target->value = 300;
  // 3000 IOPS until 54000 I/Os beyond 300 a second are used up: 20 s, of which the ramp takes 5.
  const auto with_bucket = [](double ios) {
    return Circumstances{.burst = BurstCredit{3000, ios}};
  };
  const Evidence burst = saturated(job, 1000);
  const Verdict verdict = judge(job, burst, with_bucket(270000));
  CHECK(verdict.outcome == Outcome::Inconclusive);
  CHECK(verdict.cause == Cause::BurstOnly);
  // 270000 / 2700 = 100 s, less 5 s of ramp and 30 s of window.
  CHECK(figure(verdict, ReasonCode::BurstRemaining, "seconds") == Approx(65).epsilon(0.01));
  CHECK(judge(job, burst, with_bucket(54000)).outcome == Outcome::Pass);
  CHECK(judge(job, saturated(job, 100), with_bucket(270000)).outcome == Outcome::Pass);
  CHECK(judge(job, saturated(job, 60), with_bucket(270000)).cause == Cause::BelowQuota);
  // The level after it is the disk's own, even a little above the target.
  std::vector<double> rates(100, 3000);
  rates.resize(400, 330);
  const Evidence ended{.judged = made_measurement(job.scenario, job.iodepth, rates)};
  CHECK(judge(job, ended, with_bucket(270000)).outcome == Outcome::Pass);
}

TEST_CASE("where an attempt takes minutes, probes look for the depth that is worth it") {
  Job job = random_job();
  job.iodepth = 4;
  job.max_iodepth = 64;
  job.runtime_seconds = 300;
  // Each request takes 10 ms, and sixteen of them saturate the disk.
  const auto rate_at = [](unsigned iodepth) { return std::min(iodepth, 16u) * 100.0; };
  Evidence evidence;
  std::vector<std::pair<Purpose, unsigned>> steps;
  while (const auto step = next_step(job, evidence, {})) {
    REQUIRE(steps.size() < 20);
    steps.emplace_back(step->purpose, step->iodepth);
    const Measurement measurement = steady(job.scenario, step->iodepth, rate_at(step->iodepth),
                                           step->purpose == Purpose::Attempt ? 300 : 10);
    if (step->purpose != Purpose::Attempt) {
      evidence.probes.push_back({step->purpose, measurement});
      continue;
    }
    if (evidence.judged) evidence.attempts.push_back(*evidence.judged);
    evidence.judged = measurement;
  }
  const std::vector<std::pair<Purpose, unsigned>> wanted = {
      {Purpose::Attempt, 4},    {Purpose::HalfDepth, 2},  {Purpose::HalfDepth, 8},
      {Purpose::HalfDepth, 16}, {Purpose::HalfDepth, 32}, {Purpose::Attempt, 32},
      {Purpose::Attempt, 32}};
  CHECK(steps == wanted);
  CHECK(judge(job, evidence, {}).cause == Cause::BelowQuota);
}

TEST_CASE("what a vendor promises of the time is stated as far as the window can show it") {
  const Job job = random_job();
  const auto verdict_for = [&](double seconds, std::optional<double> promised) {
    const Evidence evidence{.judged = at(job, 100, seconds)};
    return judge(job, evidence, {.promised_time_percent = promised});
  };
  const Verdict brief = verdict_for(30, 99);
  CHECK(brief.outcome == Outcome::Pass);
  CHECK(brief.availability->promised_time_percent == 99.0);
  CHECK(brief.availability->proven_percent == Approx(90.5).margin(0.1));
  CHECK(figure(brief, ReasonCode::NotDemonstrable, "promised") == 99);
  CHECK(figure(brief, ReasonCode::NotDemonstrable, "needed") == 299);
  CHECK_FALSE(find(verdict_for(30, std::nullopt), ReasonCode::NotDemonstrable));
  CHECK_FALSE(find(verdict_for(30, 90), ReasonCode::NotDemonstrable));
}

TEST_CASE("a sustained write is judged by the level that it sinks to, and its decline is stated") {
  Job job = random_job();
  job.runtime_seconds = 300;
  const auto evidence_of = [&](auto level) {
    std::vector<double> rates;
    for (int tenth = 0; tenth < 3000; ++tenth) rates.push_back(2600 * level(tenth / 10.0));
    Evidence evidence{.judged = made_measurement(job.scenario, 256, rates)};
    evidence.attempts = {*evidence.judged};
    evidence.probes = {{Purpose::HalfDepth, steady(job.scenario, 128, rates.back(), 10)}};
    return evidence;
  };
  SECTION("in one step") {
    const Verdict verdict =
        judge(job, evidence_of([](double s) { return s < 120 ? 1.3 : 0.6; }), {});
    CHECK(verdict.cause == Cause::BurstThenBelow);
    CHECK(*verdict.percent == Approx(60).margin(0.1));
    REQUIRE(verdict.plateau);
    CHECK(verdict.plateau->begin_seconds == Approx(120).margin(1));
    CHECK(figure(verdict, ReasonCode::Decline, "first") == Approx(130).margin(0.1));
    CHECK(figure(verdict, ReasonCode::Decline, "last") == Approx(60).margin(0.1));
    // 0.7 of the target for 120 s of window and 5 s of ramp.
    CHECK(figure(verdict, ReasonCode::BurstEnded, "bucket") ==
          Approx(0.7 * 2600 * 125).epsilon(0.01));
  }
  SECTION("in the attempt before the judged one, which begins where that ended") {
    Evidence evidence = evidence_of([](double s) { return s < 120 ? 1.3 : 0.6; });
    evidence.judged = steady(job.scenario, 256, 0.6 * 2600, 300);
    const Verdict verdict = judge(job, evidence, {});
    CHECK(verdict.cause == Cause::BurstThenBelow);
    CHECK(figure(verdict, ReasonCode::Decline, "first") == Approx(130).margin(0.1));
    CHECK(figure(verdict, ReasonCode::Decline, "last") == Approx(60).margin(0.1));
  }
  SECTION("bit by bit, through the threshold") {
    const Verdict verdict =
        judge(job, evidence_of([](double s) { return 1.1 - 0.4 * s / 300; }), {});
    CHECK(verdict.outcome == Outcome::Inconclusive);
    CHECK(verdict.cause == Cause::Unsteady);
    CHECK(figure(verdict, ReasonCode::Decline, "last") == Approx(74).margin(0.5));
  }
  SECTION("in a window too short to speak of sustained writes") {
    Evidence evidence = evidence_of([](double s) { return s < 120 ? 1.3 : 1.0; });
    CHECK(find(judge(job, evidence, {}), ReasonCode::Decline));
    std::vector<double> rates(600, 3380);
    rates.resize(1200, 2600);
    evidence.judged = made_measurement(job.scenario, job.iodepth, rates);
    evidence.attempts.clear();
    CHECK_FALSE(find(judge(job, evidence, {}), ReasonCode::Decline));
  }
  SECTION("not at all") {
    const Verdict verdict = judge(job, evidence_of([](double) { return 1.0; }), {});
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK_FALSE(find(verdict, ReasonCode::Decline));
  }
}

TEST_CASE("the published measurements come out as their figures say") {
  const Job random = random_job();
  const Job sequential = sequential_job();
  const auto percent_of = [](const Job& job, double rate) {
    const Evidence evidence{.judged = steady(job.scenario, job.iodepth, rate)};
    return judge(job, evidence, {});
  };
  SECTION("Tencent, 100 GiB, random") {
    CHECK(*percent_of(random, 2582).percent == Approx(99.3).margin(0.05));
    CHECK(*percent_of(random, 2495).percent == Approx(96.0).margin(0.05));
    CHECK(percent_of(random, 2495).outcome == Outcome::Pass);
  }
  SECTION("Tencent, sequential write: passes at 90, fails at 95 once saturated") {
    const Evidence evidence = saturated(sequential, 108.7 / 115 * 100);
    CHECK(*judge(sequential, evidence, {}).percent == Approx(94.5).margin(0.05));
    CHECK(judge(sequential, evidence, {}).outcome == Outcome::Pass);
    const Circumstances strict{.tolerance = {95, "user"}};
    CHECK(judge(sequential, evidence, strict).cause == Cause::BelowQuota);
    CHECK(judge(sequential, {.judged = evidence.judged}, strict).cause == Cause::DepthLimited);
  }
  SECTION("Huawei SAS, mixed 70/30: the sum counts") {
    Job mixed = random;
    mixed.scenario.direction = Direction::Mixed;
    mixed.scenario.read_percent = 70;
    mixed.scenario.block_size = Bytes{16 * KiB};
    mixed.iodepth = 30;
    mixed.target = Target{Metric::Iops, 3000, "iops"};
    const Verdict verdict = percent_of(mixed, 3526 + 1513);
    CHECK(verdict.outcome == Outcome::Pass);
    CHECK(*verdict.percent == Approx(168).margin(0.1));
    CHECK(has_flag(verdict, "over"));
  }
  SECTION("Huawei, mixed 70/30 on each type: the sum counts, never one direction alone") {
    Job mixed = random;
    mixed.scenario.direction = Direction::Mixed;
    mixed.scenario.read_percent = 70;
    mixed.scenario.block_size = Bytes{16 * KiB};
    mixed.iodepth = 30;
    struct Row {
      double reads, writes, cap, percent;
    };
    for (const Row& row : {Row{1545, 662, 1000, 220.7}, Row{3526, 1513, 3000, 168.0},
                           Row{11200, 4817, 20000, 80.1}}) {
      INFO("cap " << row.cap);
      mixed.target = Target{Metric::Iops, row.cap, "iops"};
      CHECK(*percent_of(mixed, row.reads + row.writes).percent == Approx(row.percent).margin(0.1));
    }
  }
  SECTION("Tencent, 24 h: the lowest hour is 88.8 %, and 10.8 % below the highest") {
    CHECK(*percent_of(random, 2310).percent == Approx(88.8).margin(0.05));
    CHECK(percent_of(random, 2310).cause == Cause::DepthLimited);
    CHECK(judge(random, saturated(random, 2310 / 26.0), {}).cause == Cause::BelowQuota);
  }
  SECTION("Tencent: 5.2 ms at 256 outstanding and 2582 IOPS cannot be of one run") {
    Evidence evidence{.judged = steady(random.scenario, 256, 2582)};
    evidence.judged->all.latency.mean = 5200;
    CHECK(has_flag(judge(random, evidence, {}), "latency_impossible"));
  }
  SECTION("Huawei SSD, random read at 80 %: more depth was never tried") {
    Job ssd = random;
    ssd.scenario.direction = Direction::Read;
    ssd.scenario.block_size = Bytes{16 * KiB};
    ssd.iodepth = 30;
    ssd.target = Target{Metric::Iops, 20000, "iops"};
    const Verdict verdict = percent_of(ssd, 16000);
    CHECK(*verdict.percent == Approx(80));
    CHECK(verdict.cause == Cause::DepthLimited);
    CHECK(next_step(ssd, {.judged = steady(ssd.scenario, 30, 16000)}, {})->iodepth == 15);
  }
}
