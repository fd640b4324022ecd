#include "plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace diskaudit {
namespace {

// One thread carries at least 150 k IOPS on an ordinary guest; a second one below that only costs.
constexpr double iops_per_thread = 150'000;

// No device queue is worth filling beyond this: what does not saturate at 1024 outstanding is
// limited by something else.
constexpr unsigned deepest_iodepth = 1024;

struct Ceiling {
  double value = std::numeric_limits<double>::infinity();
  const char* bound_by = "";

  void lower_to(double other, const char* name) {
    if (other < value) *this = {other, name};
  }
};

// How many bytes the vendor charges for a random request.
double charged_bytes(const Quota& quota, double size) {
  if (!quota.io_unit || !quota.io_unit->full_charge) return size;
  return std::max(size, static_cast<double>(quota.io_unit->size.value));
}

// Requests per second that `limits` allow, where one request costs `ios` and `bytes`.
void lower_by(Ceiling& ceiling, const Limits& limits, Combine combine, double ios, double bytes,
              double share) {
  if (combine == Combine::Serial && limits.iops && limits.throughput) {
    const double for_ios = ios / limits.iops->value;
    const double for_bytes = bytes / limits.throughput->value;
    ceiling.lower_to(1 / (for_ios + for_bytes) / share,
                     for_ios >= for_bytes ? "iops" : "throughput");
    return;
  }
  if (limits.iops) ceiling.lower_to(limits.iops->value / ios / share, "iops");
  if (limits.throughput) ceiling.lower_to(limits.throughput->value / bytes / share, "throughput");
}

Ceiling random_ceiling(const Scenario& scenario, const Quota& quota) {
  const double block = static_cast<double>(scenario.block_size.value);
  const double ios = counted_ios(quota.io_unit, block);
  const double bytes = charged_bytes(quota, block);
  Ceiling ceiling;
  lower_by(ceiling, quota.total, quota.combine, ios, bytes, 1);
  const double read_share = scenario.read_percent / 100.0;
  if (read_share > 0) lower_by(ceiling, quota.read, quota.combine, ios, bytes, read_share);
  if (read_share < 1) lower_by(ceiling, quota.write, quota.combine, ios, bytes, 1 - read_share);
  return ceiling;
}

// Both directions of the quota that a scenario's requests count against.
std::vector<const Limits*> limits_of(const Scenario& scenario, const Quota& quota) {
  std::vector<const Limits*> limits = {&quota.total};
  if (scenario.direction != Direction::Write) limits.push_back(&quota.read);
  if (scenario.direction != Direction::Read) limits.push_back(&quota.write);
  return limits;
}

// In bytes per second. Where IOPS and throughput limit a request in turn, its size counts here too.
Ceiling sequential_ceiling(const Scenario& scenario, const Quota& quota) {
  const double block = static_cast<double>(scenario.block_size.value);
  Ceiling ceiling;
  for (const Limits* limits : limits_of(scenario, quota)) {
    if (!limits->throughput) continue;
    if (quota.combine == Combine::Min || !limits->iops) {
      ceiling.lower_to(limits->throughput->value, "throughput");
      continue;
    }
    Ceiling requests;
    lower_by(requests, *limits, quota.combine, counted_ios(quota.io_unit, block), block, 1);
    ceiling.lower_to(requests.value * block, requests.bound_by);
  }
  return ceiling;
}

// The top of the published range for one request at a time.
std::optional<Target> latency_target(const Scenario& scenario, const Profile& profile) {
  const auto& range =
      scenario.direction == Direction::Read ? profile.read_latency : profile.write_latency;
  if (!range || scenario.direction == Direction::Mixed) return std::nullopt;
  return Target{Metric::LatencyUs, range->max_us, "latency"};
}

std::string why_not_tested(const Scenario& scenario, const Job& job, const Plan& plan) {
  if (plan.options.read_only && scenario.direction != Direction::Read) return "read_only";
  if (plan.quota && !job.target) return "not_published";
  return "";
}

unsigned threads_for(double rate, unsigned cpus, unsigned iodepth) {
  const double wanted = std::ceil(rate / iops_per_thread);
  const double spare = cpus > 1 ? cpus - 1 : 1;
  return static_cast<unsigned>(std::clamp(std::min(wanted, spare), 1.0, double(iodepth)));
}

Job make_job(const Scenario& scenario, const Plan& plan, unsigned queue) {
  const PlanOptions& options = plan.options;
  Job job;
  job.scenario = scenario;
  if (plan.quota) {
    job.target = target_of(scenario, *plan.quota, options.instance);
    job.iops_ceiling = iops_ceiling_of(scenario, *plan.quota, options.instance);
    job.io_unit = plan.quota->io_unit;
  }
  if (scenario.metric == Metric::LatencyUs && plan.profile) {
    job.target = latency_target(scenario, *plan.profile);
  }
  job.not_tested = why_not_tested(scenario, job, plan);
  const unsigned deepest = std::min(queue > 0 ? queue : deepest_iodepth, deepest_iodepth);
  job.max_iodepth = std::min(options.iodepth.value_or(deepest), deepest);
  job.iodepth = std::min(options.iodepth.value_or(scenario.iodepth), job.max_iodepth);
  if (scenario.metric == Metric::LatencyUs) job.max_iodepth = job.iodepth;
  const double rate = job.target && job.target->metric == Metric::Iops ? job.target->value : 0;
  job.threads =
      std::min(options.threads.value_or(threads_for(rate, options.cpus, job.iodepth)), job.iodepth);
  job.ramp_seconds = options.ramp_seconds;
  job.runtime_seconds = options.runtime_seconds.value_or(scenario.min_runtime_seconds);
  job.seed = options.seed;
  return job;
}

}  // namespace

std::optional<Target> target_of(const Scenario& scenario, const Quota& quota,
                                const InstanceCaps& instance) {
  if (scenario.metric == Metric::LatencyUs) return std::nullopt;
  Ceiling ceiling;
  if (scenario.pattern == Pattern::Sequential) {
    ceiling = sequential_ceiling(scenario, quota);
  } else {
    ceiling = random_ceiling(scenario, quota);
  }
  // An instance cap alone is no promise of the disk's: without a published ceiling nothing is
  // judged.
  if (std::isinf(ceiling.value)) return std::nullopt;
  if (scenario.pattern == Pattern::Sequential) {
    if (instance.throughput) ceiling.lower_to(instance.throughput->value, "instance_throughput");
    return Target{Metric::BytesPerSecond, ceiling.value, ceiling.bound_by};
  }
  if (instance.iops) ceiling.lower_to(instance.iops->value, "instance_iops");
  if (instance.throughput) {
    ceiling.lower_to(instance.throughput->value / double(scenario.block_size.value),
                     "instance_throughput");
  }
  return Target{Metric::Iops, ceiling.value, ceiling.bound_by};
}

std::optional<Iops> iops_ceiling_of(const Scenario& scenario, const Quota& quota,
                                    const InstanceCaps& instance) {
  Ceiling ceiling;
  for (const Limits* limits : limits_of(scenario, quota)) {
    if (limits->iops) ceiling.lower_to(limits->iops->value, "iops");
  }
  if (instance.iops) ceiling.lower_to(instance.iops->value, "instance_iops");
  if (std::isinf(ceiling.value)) return std::nullopt;
  return Iops{ceiling.value};
}

Plan make_plan(std::optional<Profile> profile, Inputs inputs, std::optional<Quota> quota,
               const BlockDevice& device, PlanOptions options) {
  Plan plan{std::move(profile), std::move(inputs), std::move(quota), std::move(options), {}};
  const unsigned queue = queue_depth(device);
  for (const Scenario& scenario : plan.options.scenarios) {
    plan.jobs.push_back(make_job(scenario, plan, queue));
  }
  return plan;
}

}  // namespace diskaudit
