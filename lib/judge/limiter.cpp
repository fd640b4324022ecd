#include "judge/limiter.hpp"

#include <algorithm>
#include <limits>

#include "judge/witness.hpp"

namespace diskaudit {
namespace {

constexpr double busy_worker = 0.9;
constexpr double much_steal = 0.05;
constexpr double full_queue = 0.9;

// Measured at no less than this share of a cap, the cap is what bound. Kernel throttling works in
// slices and comes out a few percent low.
constexpr double close_to_cap = 0.9;

// Fewer blocks of zeros than this are what real data holds here and there.
constexpr double many_zeros = 0.1;
// Blocks that were fetched from elsewhere at their first touch come this much faster at the second.
constexpr double touched_before = 1.25;

// A file system that writes so much beside our own blocks is in the way.
constexpr double much_beside = 0.1;

// Foreign I/O below this share of ours is not worth a word.
constexpr double worth_noting = 0.01;

double bytes_per_request(const Job& job) {
  return static_cast<double>(job.scenario.block_size.value);
}

// A cgroup's limits of one direction in the job's metric, whose requests are `share` of the whole.
double cap_of(const Job& job, double request, std::optional<Iops> iops_limit,
              std::optional<BytesPerSec> throughput, double share) {
  double cap = std::numeric_limits<double>::infinity();
  const bool in_bytes = job.target->metric == Metric::BytesPerSecond;
  if (iops_limit) cap = iops_limit->value * (in_bytes ? request : 1);
  if (throughput) {
    cap = std::min(cap, throughput->value / (in_bytes ? 1 : bytes_per_request(job)));
  }
  return cap / share;
}

double cgroup_cap(const Job& job, const Measurement& measurement, const Environment& environment) {
  const double request = request_bytes(job, measurement);
  const double read_share = job.scenario.direction == Direction::Write ? 0
                            : job.scenario.direction == Direction::Read
                                ? 1
                                : job.scenario.read_percent / 100.0;
  double cap = std::numeric_limits<double>::infinity();
  if (read_share > 0) {
    cap = cap_of(job, request, environment.cgroup_read_iops, environment.cgroup_read_throughput,
                 read_share);
  }
  if (read_share < 1) {
    cap = std::min(cap, cap_of(job, request, environment.cgroup_write_iops,
                               environment.cgroup_write_throughput, 1 - read_share));
  }
  return cap;
}

bool is_cgroup_limited(const Job& job, const Measurement& measurement, const Rate& rate,
                       const Environment& environment, std::vector<Reason>& reasons) {
  if (job.target->metric == Metric::LatencyUs) return false;
  const double cap = cgroup_cap(job, measurement, environment);
  // A cap above the threshold leaves a disk room to pass.
  if (cap >= rate.threshold.value / close_to_cap || rate.value < close_to_cap * cap) return false;
  reasons.push_back({ReasonCode::CgroupLimit, {{"limit", cap}}});
  return true;
}

bool is_contaminated(const Job& job, const Measurement& measurement, const Rate& rate) {
  if (job.target->metric == Metric::LatencyUs) return false;
  const double foreign = foreign_rate(job, measurement);
  return foreign > worth_noting * rate.value && rate.value + foreign >= rate.threshold.value;
}

// Writing elsewhere and keeping the books on it shows as I/O that is not ours.
bool is_filesystem_limited(const Job& job, const Measurement& measurement, const Rate& rate,
                           const Circumstances& circumstances, std::vector<Reason>& reasons) {
  if (circumstances.kind != DiskKind::File || !circumstances.copy_on_write) return false;
  if (!is_contaminated(job, measurement, rate)) return false;
  if (foreign_rate(job, measurement) < much_beside * rate.value) return false;
  reasons.push_back({ReasonCode::CopyOnWrite});
  return true;
}

bool is_instance_limited(const Job& job, const Rate& rate, std::vector<Reason>& reasons) {
  if (!job.target->bound_by.starts_with("instance_")) return false;
  if (rate.value < close_to_cap * job.target->value) return false;
  reasons.push_back({ReasonCode::InstanceCap, {{"cap", job.target->value}}});
  return true;
}

bool is_client_limited(const Measurement& measurement, std::vector<Reason>& reasons) {
  const ClientCost& client = measurement.client;
  const std::size_t before = reasons.size();
  if (client.busiest_worker_share >= busy_worker) {
    reasons.push_back({ReasonCode::ClientBusy, {{"share", client.busiest_worker_share}}});
  }
  if (client.steal_share > much_steal) {
    reasons.push_back({ReasonCode::ClientSteal, {{"share", client.steal_share}}});
  }
  if (client.cpu_throttled) reasons.push_back({ReasonCode::ClientThrottled});
  // 0 stands for a queue that nobody measured.
  if (measurement.inflight_mean > 0 &&
      measurement.inflight_mean < full_queue * measurement.iodepth) {
    reasons.push_back({ReasonCode::QueueNotFull,
                       {{"inflight", measurement.inflight_mean},
                        {"iodepth", static_cast<double>(measurement.iodepth)}}});
  }
  return reasons.size() > before;
}

}  // namespace

std::optional<Cause> other_limiter(const Job& job, const Measurement& measurement, const Rate& rate,
                                   const Circumstances& circumstances,
                                   std::vector<Reason>& reasons) {
  if (is_cgroup_limited(job, measurement, rate, circumstances.environment, reasons)) {
    return Cause::CgroupLimited;
  }
  if (is_filesystem_limited(job, measurement, rate, circumstances, reasons)) {
    return Cause::FilesystemLimited;
  }
  if (is_contaminated(job, measurement, rate)) return Cause::Contaminated;
  if (is_client_limited(measurement, reasons)) return Cause::ClientLimited;
  if (is_instance_limited(job, rate, reasons)) return Cause::InstanceLimited;
  return std::nullopt;
}

bool cannot_be_the_disk(const Job& job, const Measurement& measurement,
                        const Circumstances& circumstances, bool passes,
                        std::vector<Reason>& reasons) {
  const std::size_t before = reasons.size();
  if (circumstances.device.page_cache_below) reasons.push_back({ReasonCode::PageCacheBelow});
  const double zeros = circumstances.device.zero_share.value_or(0);
  if (passes && zeros >= many_zeros && job.scenario.direction != Direction::Write) {
    reasons.push_back({ReasonCode::ZeroBlocks, {{"share", zeros}}});
  }
  if (served_elsewhere(job, measurement)) {
    const Comparison counts = compare(job, measurement);
    reasons.push_back({ReasonCode::FewerDeviceBytes,
                       {{"own", counts.own_bytes / measurement.seconds},
                        {"device", counts.device_bytes / measurement.seconds}}});
  }
  return reasons.size() > before;
}

bool may_be_initialising(const Job& job, const Circumstances& circumstances) {
  return job.scenario.direction == Direction::Read && circumstances.kind == DiskKind::BlockDevice &&
         job.target->metric != Metric::LatencyUs;
}

bool is_initialising(const Job& job, const Evidence& evidence, const Circumstances& circumstances,
                     std::vector<Reason>& reasons) {
  if (!may_be_initialising(job, circumstances)) return false;
  for (const Probe& probe : evidence.probes) {
    const Measurement& second = probe.measurement;
    if (probe.purpose != Purpose::SecondPass || second.interrupted || second.hung) continue;
    if (second.iodepth != evidence.judged->iodepth) continue;
    const double before = value_of(job, *evidence.judged);
    const double after = value_of(job, second);
    if (after < touched_before * before) continue;
    reasons.push_back({ReasonCode::FirstTouch, {{"first", before}, {"second", after}}});
    return true;
  }
  return false;
}

}  // namespace diskaudit
