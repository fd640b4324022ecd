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

// IOPS that `limits` and the block size allow.
void lower_by(Ceiling& ceiling, const Limits& limits, double block, double share) {
  if (limits.iops) ceiling.lower_to(limits.iops->value / share, "iops");
  if (limits.throughput) ceiling.lower_to(limits.throughput->value / block / share, "throughput");
}

Ceiling random_ceiling(const Scenario& scenario, const Quota& quota) {
  const double block = static_cast<double>(scenario.block_size.value);
  Ceiling ceiling;
  lower_by(ceiling, quota.total, block, 1);
  const double read_share = scenario.read_percent / 100.0;
  if (read_share > 0) lower_by(ceiling, quota.read, block, read_share);
  if (read_share < 1) lower_by(ceiling, quota.write, block, 1 - read_share);
  return ceiling;
}

// Both directions of the quota that a scenario's requests count against.
std::vector<const Limits*> limits_of(const Scenario& scenario, const Quota& quota) {
  std::vector<const Limits*> limits = {&quota.total};
  if (scenario.direction != Direction::Write) limits.push_back(&quota.read);
  if (scenario.direction != Direction::Read) limits.push_back(&quota.write);
  return limits;
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
    for (const Limits* limits : limits_of(scenario, quota)) {
      if (limits->throughput) ceiling.lower_to(limits->throughput->value, "throughput");
    }
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
