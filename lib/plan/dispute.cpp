#include "plan/dispute.hpp"

namespace diskaudit {

Quota quota_under(const DisputedQuota& dispute, const Quota& quota) {
  Quota other = quota;
  const auto any = [&](auto Limits::*figure) {
    return dispute.read.*figure || dispute.write.*figure || dispute.total.*figure;
  };
  // One kind of figure is given whole: a read ceiling alone means that writes have none there.
  const auto take = [&](auto Limits::*figure) {
    if (!any(figure)) return;
    other.read.*figure = dispute.read.*figure;
    other.write.*figure = dispute.write.*figure;
    other.total.*figure = dispute.total.*figure;
  };
  take(&Limits::iops);
  take(&Limits::throughput);
  return other;
}

Job job_under(const DisputedQuota& dispute, const Job& job, const Plan& plan) {
  Job other = job;
  if (!plan.quota || job.scenario.metric == Metric::LatencyUs) return other;
  const Quota quota = quota_under(dispute, *plan.quota);
  other.target = target_of(job.scenario, quota, plan.options.instance);
  other.iops_ceiling = iops_ceiling_of(job.scenario, quota, plan.options.instance);
  return other;
}

}  // namespace diskaudit
