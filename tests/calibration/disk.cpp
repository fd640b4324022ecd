#include "calibration/disk.hpp"

#include <algorithm>
#include <cmath>

#include "judge/batches.hpp"

namespace diskaudit::calibration {
namespace {

constexpr double probe_seconds = 10;
constexpr double probe_ramp_seconds = 2;

double depth_share(const Disk& disk, double iodepth) {
  if (disk.full_depth <= 0) return 1;
  const double share = iodepth / disk.full_depth;
  // Half the level at half the depth or a little less than two thirds of it.
  return disk.soft_knee ? share / std::pow(1 + std::pow(share, 3), 1.0 / 3) : std::min(1.0, share);
}

void count(const Job& job, Measurement& measurement, const Disk& disk) {
  Flow& flow = measurement.all;
  const double own = static_cast<double>(flow.ios);
  measurement.seconds = static_cast<double>(flow.series.ios.size()) / 10;
  measurement.inflight_mean = measurement.iodepth;
  const double rate = own / measurement.seconds;
  flow.latency.mean = rate > 0 ? measurement.iodepth / rate * 1e6 : 0;
  Witness& witness = measurement.witness;
  const double foreign = disk.foreign * job.target->value * measurement.seconds;
  witness.known = true;
  witness.read_ios = static_cast<std::uint64_t>(own * disk.split * (disk.cached ? 0.1 : 1));
  witness.read_bytes =
      static_cast<std::uint64_t>(static_cast<double>(flow.bytes) * (disk.cached ? 0.1 : 1));
  witness.write_ios = static_cast<std::uint64_t>(foreign);
  witness.write_bytes = witness.write_ios * job.scenario.block_size.value;
}

// As the pipeline adapts it.
Job adapted(const Job& job, const NextStep& step) {
  Job next = job;
  next.iodepth = step.iodepth;
  if (step.purpose == Purpose::Attempt) return next;
  next.ramp_seconds = std::min(job.ramp_seconds, probe_ramp_seconds);
  next.runtime_seconds = probe_seconds;
  return next;
}

}  // namespace

double Bench::next_second(const Job& job) {
  const double correlation = disk_.autocorrelation;
  deviation_ =
      correlation * deviation_ + std::sqrt(1 - correlation * correlation) * random_.normal();
  double rate = disk_.level(clock_) * (1 + disk_.noise * deviation_) - disk_.foreign;
  rate *= depth_share(disk_, job.iodepth);
  if (disk_.client_cap > 0) rate = std::min(rate, disk_.client_cap);
  if (disk_.cgroup_cap > 0) rate = std::min(rate, disk_.cgroup_cap);
  clock_ += 1;
  return std::max(0.0, rate) / disk_.split;
}

void Bench::append(const Job& job, Measurement& measurement, double rate) {
  Series& series = measurement.all.series;
  const double ios_per_second = rate * job.target->value;
  for (int tenth = 0; tenth < 10; ++tenth) {
    double share = 0.1;
    if (disk_.saw_tooth > 0)
      share = std::clamp((disk_.saw_tooth * 10 - tenth), 0.0, 1.0) / (disk_.saw_tooth * 10);
    carry_ += ios_per_second * share;
    const double whole = std::floor(carry_ + 1e-9);
    carry_ -= whole;
    const auto ios = static_cast<std::uint64_t>(whole);
    series.ios.push_back(ios);
    series.bytes.push_back(ios * job.scenario.block_size.value);
    series.latency_mean_us.push_back(0);
    measurement.all.ios += ios;
    measurement.all.bytes += ios * job.scenario.block_size.value;
  }
}

Measurement Bench::run(const Job& job, const std::function<bool(const Measurement&)>& settled) {
  for (int second = 0; second < job.ramp_seconds; ++second) next_second(job);
  Measurement measurement;
  measurement.iodepth = job.iodepth;
  const double most = job.runtime_seconds > 0 ? job.runtime_seconds : job.max_runtime_seconds;
  for (int second = 1; second <= most; ++second) {
    append(job, measurement, next_second(job));
    if (disk_.error_every > 0 && std::fmod(clock_, disk_.error_every) < 1) ++measurement.all.errors;
    // The judge changes its mind at looks only; asking in between would cost and change nothing.
    if (last_look(second) != second) continue;
    count(job, measurement, disk_);
    if (settled(measurement)) break;
  }
  count(job, measurement, disk_);
  measurement.client.busiest_worker_share = disk_.client_cap > 0 ? 0.97 : 0.2;
  return measurement;
}

Circumstances circumstances_of(const Disk& disk, const Job& job, double min_percent) {
  Circumstances circumstances;
  circumstances.tolerance.min_percent = min_percent;
  if (disk.cgroup_cap > 0) {
    circumstances.environment.cgroup_read_iops = Iops{disk.cgroup_cap * job.target->value};
  }
  return circumstances;
}

Trial try_disk(const Disk& disk, const Job& job, double min_percent, std::uint64_t seed) {
  Bench bench(disk, seed);
  Trial trial;
  const Circumstances circumstances = circumstances_of(disk, job, min_percent);
  while (const auto step = next_step(job, trial.evidence, circumstances)) {
    const Job next = adapted(job, *step);
    const bool is_attempt = step->purpose == Purpose::Attempt;
    Measurement measurement = bench.run(next, [&](const Measurement& so_far) {
      return is_attempt && is_settled(next, so_far, circumstances.tolerance);
    });
    trial.seconds += next.ramp_seconds + measurement.seconds;
    if (!is_attempt) {
      trial.evidence.probes.push_back({step->purpose, std::move(measurement)});
      continue;
    }
    if (trial.evidence.judged) trial.evidence.attempts.push_back(*trial.evidence.judged);
    trial.evidence.judged = std::move(measurement);
  }
  trial.verdict = judge(job, trial.evidence, circumstances);
  return trial;
}

Job random_read_job() {
  Job job;
  job.scenario = {.name = "rand-read-4k", .block_size = Bytes{4096}, .iodepth = 256};
  job.target = Target{Metric::Iops, 2600, "iops"};
  job.iops_ceiling = Iops{2600};
  job.iodepth = 256;
  job.max_iodepth = 1024;
  return job;
}

}  // namespace diskaudit::calibration
