#include "plan/plan.hpp"

#include <algorithm>
#include <cmath>

#include "plan/burst.hpp"

namespace diskaudit {
namespace {

// One thread carries at least 150 k IOPS on an ordinary guest; a second one below that only costs.
constexpr double iops_per_thread = 150'000;

// No device queue is worth filling beyond this: what does not saturate at 1024 outstanding is
// limited by something else.
constexpr unsigned deepest_iodepth = 1024;

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
  retarget(job, plan);
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

void retarget(Job& job, const Plan& plan) {
  job.target.reset();
  job.iops_ceiling.reset();
  job.io_unit.reset();
  if (plan.quota) {
    job.io_unit = plan.quota->io_unit;
    job.target = target_of(job.scenario, *plan.quota, plan.options.instance);
    job.iops_ceiling = iops_ceiling_of(job.scenario, *plan.quota, plan.options.instance);
  }
  if (job.scenario.metric == Metric::LatencyUs && plan.profile) {
    job.target = latency_target(job.scenario, *plan.profile);
  }
}

Plan make_plan(std::optional<Profile> profile, Inputs inputs, std::optional<Quota> quota,
               const BlockDevice& device, PlanOptions options) {
  Plan plan{.profile = std::move(profile),
            .inputs = std::move(inputs),
            .quota = std::move(quota),
            .options = std::move(options)};
  const unsigned queue = queue_depth(device);
  for (const Scenario& scenario : plan.options.scenarios) {
    plan.jobs.push_back(make_job(scenario, plan, queue));
  }
  if (plan.options.until_baseline) run_until_baseline(plan);
  return plan;
}

}  // namespace diskaudit
