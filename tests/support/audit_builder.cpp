#include "audit_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "measure/histogram.hpp"
#include "profile/profile.hpp"

namespace diskaudit::test {
namespace {

constexpr const char* profile_yaml = R"(id: tencent-standard
aliases: [tencent-premium, CLOUD_PREMIUM]
vendor: {en: Tencent Cloud, zh: 腾讯云}
name: {en: Premium Cloud Disk, zh: 高性能云硬盘}
capacity: {min: 10, max: 32000}
quota:
  iops: min(1800 + 8*gib, 6000)
  throughput:
    value: min(100 + 0.15*gib, 150)
    unit: MB/s
sources:
  - {title: Cloud disk types, url: "https://cloud.tencent.com/document/product/362/2353", dated: 2023-07-10, read: 2026-11-30}
published:
  - {gib: 100, iops: 2600, throughput: 115}
  - {gib: 525, iops: 6000, throughput: 150}
)";

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

Disk test_disk() {
  Disk disk;
  disk.path = "/data";
  disk.number = "254:17";
  disk.filesystem = "ext4";
  disk.mount_point = "/data";
  disk.mount_options = "rw,relatime";
  disk.partition_start = {MiB};
  disk.total = {98 * GiB};
  disk.available = {90 * GiB};
  BlockDevice& device = disk.device;
  device.name = "vdb";
  device.number = "254:16";
  device.serial = "disk-1a2b3c4d";
  device.by_id = "virtio-disk-1a2b3c4d";
  device.driver = "virtio_blk";
  device.size = {100 * GiB};
  device.diskseq = 3;
  device.scheduler = "none";
  device.nr_requests = 256;
  device.hardware_queues = 1;
  device.max_sectors_kb = 1280;
  device.max_segments = 254;
  device.write_cache = "write back";
  device.writeback_throttle_us = 0;
  device.io_timeout_ms = 30000;
  device.rotational = true;
  return disk;
}

Environment test_environment() {
  Environment environment;
  environment.kernel = "6.1.0-28-amd64";
  environment.distribution = "Debian GNU/Linux 12 (bookworm)";
  environment.machine_vendor = "Tencent Cloud";
  environment.machine_product = "CVM";
  environment.cpu_model = "Intel(R) Xeon(R) Platinum 8255C CPU @ 2.50GHz";
  environment.cpus = 4;
  environment.clocksource = "kvm-clock";
  environment.local_clock = LocalClock{"Asia/Shanghai", 8 * 3600, true};
  return environment;
}

/// A steady series with a small ripple, and the totals that belong to it.
Flow flow_of(double ios_per_second, std::uint64_t block, double latency_us, double seconds) {
  Flow flow;
  const auto bins = static_cast<std::size_t>(std::lround(seconds * 10));
  for (std::size_t i = 0; i < bins; ++i) {
    const double ripple = 1 + 0.01 * std::sin(static_cast<double>(i) * 0.7);
    const auto ios = static_cast<std::uint64_t>(std::lround(ios_per_second / 10 * ripple));
    flow.ios += ios;
    flow.bytes += ios * block;
    flow.series.ios.push_back(ios);
    flow.series.bytes.push_back(ios * block);
    flow.series.latency_mean_us.push_back(std::round(latency_us / ripple * 10) / 10);
    flow.series.latency_max_us.push_back(std::round(latency_us * 1.4 / ripple * 10) / 10);
    flow.series.errors.push_back(0);
  }
  flow.latency = {latency_us,        latency_us * 0.97, latency_us * 1.1, latency_us * 1.15,
                  latency_us * 1.25, latency_us * 1.4,  latency_us * 1.5};
  return flow;
}

/// Looked at each second, as the engine does; some of the latencies are shorter, some longer.
LatencyMap latency_map_of(const Flow& flow) {
  LatencyLog log;
  Histogram so_far;
  for (std::size_t i = 0; i < flow.series.ios.size(); ++i) {
    std::uint64_t left = flow.series.ios[i];
    const auto count = [&](double factor, std::uint64_t ios) {
      const double us = flow.series.latency_mean_us[i] * factor;
      so_far.add_at(Histogram::index_of(static_cast<std::uint64_t>(us * 1e3)), ios);
      left -= ios;
    };
    count(0.5, left / 20);
    count(0.75, left / 5);
    count(1.2, left / 6);
    count(1.4, left / 40);
    count(1, left);
    if (i % 10 == 9) log.look(static_cast<double>(i + 1) / 10, so_far);
  }
  log.look(static_cast<double>(flow.series.ios.size()) / 10, so_far);
  return log.map();
}

std::string clock_text(double seconds_after_noon) {
  const auto ms = static_cast<long>(std::lround(seconds_after_noon * 1000));
  return fmt::format("2026-11-30T12:{:02}:{:02}.{:03}Z", ms / 60000, ms / 1000 % 60, ms % 1000);
}

Measurement measurement_of(const Job& job, double rate, double seconds, double begin) {
  Measurement m;
  const std::uint64_t block = job.scenario.block_size.value;
  const bool in_bytes = job.scenario.metric == Metric::BytesPerSecond;
  const double ios_per_second = in_bytes ? rate / static_cast<double>(block) : rate;
  m.iodepth = job.iodepth;
  m.threads = job.threads;
  m.seconds = seconds;
  m.all = flow_of(ios_per_second, block, job.iodepth / ios_per_second * 1e6, seconds);
  if (job.scenario.direction == Direction::Mixed) {
    const double reads = job.scenario.read_percent / 100.0;
    m.read = flow_of(ios_per_second * reads, block, m.all.latency.mean, seconds);
    m.write = flow_of(ios_per_second * (1 - reads), block, m.all.latency.mean, seconds);
    m.all.ios = m.all.bytes = 0;
    for (std::size_t i = 0; i < m.all.series.ios.size(); ++i) {
      m.all.ios += m.all.series.ios[i] = m.read.series.ios[i] + m.write.series.ios[i];
      m.all.bytes += m.all.series.bytes[i] = m.read.series.bytes[i] + m.write.series.bytes[i];
    }
  }
  m.latency_map = latency_map_of(m.all);
  m.inflight_mean = job.iodepth;
  m.longest_gap_seconds = 0.012;
  m.witness.known = true;
  (job.scenario.direction == Direction::Write ? m.witness.write_ios : m.witness.read_ios) =
      m.all.ios;
  (job.scenario.direction == Direction::Write ? m.witness.write_bytes : m.witness.read_bytes) =
      m.all.bytes;
  m.client = {seconds * 0.04, 0.04, 0.001, false};
  m.engine = "io_uring";
  m.engine_features = {"single_issuer", "defer_taskrun", "fixed_buffers", "fixed_file"};
  m.started = clock_text(begin);
  m.ended = clock_text(begin + seconds);
  return m;
}

Verdict verdict_of(const Job& job, const Came& came) {
  Verdict verdict;
  verdict.outcome = came.outcome;
  verdict.cause = came.cause;
  if (!job.target || came.outcome == Outcome::NotTested) return verdict;
  const double percent = came.rate / job.target->value * 100;
  verdict.percent = percent;
  verdict.bound_by = job.target->bound_by;
  verdict.interval = Interval{percent - 0.3, percent + 0.3, 0.995};
  verdict.reasons = {
      {ReasonCode::Measured, {{"value", came.rate}, {"target", job.target->value}}, ""},
      {ReasonCode::Threshold, {{"percent", 90.0}, {"value", job.target->value * 0.9}}, ""}};
  if (percent > 105) verdict.flags = {"over"};
  return verdict;
}

/// The worst of the outcomes and its cause, as an audit concludes.
void conclude_by_worst(Audit& audit) {
  for (const Outcome outcome : {Outcome::Fail, Outcome::Inconclusive, Outcome::Pass}) {
    const auto found = std::ranges::find_if(audit.scenarios, [outcome](const ScenarioAudit& s) {
      return s.verdict.outcome == outcome;
    });
    if (found == audit.scenarios.end()) continue;
    audit.outcome = outcome;
    audit.cause = found->verdict.cause;
    return;
  }
}

void plan_for(Audit& audit, const std::vector<std::string>& names, bool with_profile) {
  PlanOptions options;
  options.scenarios = must(pick_scenarios(names));
  options.cpus = audit.environment.cpus;
  std::optional<Profile> profile;
  std::optional<Quota> quota;
  Inputs inputs;
  if (with_profile) {
    profile = must(parse_profile(profile_yaml, "tencent/standard.yaml"));
    inputs = {{"gib", 100}};
    quota = must(evaluate(*profile, inputs));
  }
  audit.plan = make_plan(profile, inputs, quota, audit.disk.device, options);
}

}  // namespace

Audit audit_of(const std::vector<Came>& came, const AuditOptions& options) {
  Audit audit;
  audit.id = "0b54a9c6-6a3e-4b53-9d7e-3f0a3b1c2d4e";
  audit.tool_version = "0.1.0";
  audit.tool_commit = "0123456789ab";
  audit.command_line = {"diskaudit", "--profile", "tencent-standard", "--size", "100"};
  audit.disk = test_disk();
  audit.span = {5 * GiB};
  audit.filling = Filling{{5 * GiB}, {MiB}, 46.7, 100'000'000'000};
  audit.environment = test_environment();
  std::vector<std::string> names = options.planned;
  if (names.empty()) {
    for (const Came& scenario : came) names.push_back(scenario.scenario);
  }
  plan_for(audit, names, options.with_profile);

  double clock = 10;
  for (const Came& scenario : came) {
    const auto job = std::ranges::find(audit.plan.jobs, scenario.scenario,
                                       [](const Job& job) { return job.scenario.name; });
    if (job == audit.plan.jobs.end()) throw std::runtime_error("no job " + scenario.scenario);
    ScenarioAudit done;
    done.job = *job;
    if (scenario.outcome != Outcome::NotTested) {
      done.evidence.judged = measurement_of(*job, scenario.rate, options.seconds, clock);
    } else if (job->not_tested.empty()) {
      done.job.not_tested = job->not_tested = "read_only";
    }
    done.verdict = verdict_of(*job, scenario);
    audit.scenarios.push_back(std::move(done));
    clock += options.seconds + 6;
  }
  audit.started = clock_text(0);
  audit.ended = clock_text(clock);
  conclude_by_worst(audit);
  return audit;
}

Audit passing_audit() {
  return audit_of({{"seq-write-256k", 108.7e6},
                   {"seq-read-256k", 114.2e6},
                   {"rand-write-4k", 2495},
                   {"rand-read-4k", 2582}});
}

Audit failing_audit() {
  return audit_of({{"seq-write-256k", 114.6e6},
                   {"seq-read-256k", 114.2e6},
                   {"rand-write-4k", 1801, Outcome::Fail, Cause::BelowQuota},
                   {"rand-read-4k", 1800, Outcome::Fail, Cause::BelowQuota}});
}

}  // namespace diskaudit::test
