#include "plan/burst.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace diskaudit {
namespace {

// The first time at which an automatic window may end.
constexpr double first_look_seconds = 30;

// What the forecast may be short by.
constexpr double reserve = 1.05;

// The lowest figure is what the vendor's own durations rest on.
double lowest(const Quota& quota, bool of_iops) {
  double least = std::numeric_limits<double>::infinity();
  for (const Limits* limits : {&quota.read, &quota.write, &quota.total}) {
    if (of_iops && limits->iops) least = std::min(least, limits->iops->value);
    if (!of_iops && limits->throughput) least = std::min(least, limits->throughput->value);
  }
  return least;
}

double seconds_until_empty(const Job& job, const BurstCredit& credit) {
  return credit.bucket / (credit.rate - job.target->value);
}

// Calls back for each job that is run, with the burst's seconds; then draws what the job will.
template <typename Visit>
void simulate(const Plan& plan, Visit visit) {
  BurstAccount account(plan.quota);
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    const Job& job = plan.jobs[i];
    if (!job.not_tested.empty() || !job.target) continue;
    const auto credit = account.credit_for(job);
    const double seconds = credit ? seconds_until_empty(job, *credit) : 0;
    visit(i, seconds);
    const double rate = credit ? credit->rate : job.target->value;
    const double block = static_cast<double>(job.scenario.block_size.value);
    const bool in_bytes = job.target->metric == Metric::BytesPerSecond;
    const double running = job.ramp_seconds + usual_seconds(job);
    account.draw({.seconds = running,
                  .bytes = (in_bytes ? rate : rate * block) * running,
                  .request_bytes = block,
                  .pattern = job.scenario.pattern});
  }
}

}  // namespace

void BurstAccount::Bucket::draw(double amount, double seconds) {
  level = std::clamp(level + refill * seconds - amount, 0.0, size);
}

std::optional<BurstAccount::Bucket> BurstAccount::bucket_of(const std::optional<Burst>& burst,
                                                            double baseline) {
  if (!burst || !std::isfinite(baseline)) return std::nullopt;
  const double refill = burst->refill.value_or(baseline);
  if (burst->bucket) return Bucket{burst->rate, *burst->bucket, *burst->bucket, refill};
  if (!burst->seconds) return std::nullopt;
  const double size = *burst->seconds * (burst->rate - baseline);
  return Bucket{burst->rate, size, size, refill};
}

BurstAccount::BurstAccount(const std::optional<Quota>& quota) {
  if (!quota) return;
  io_unit_ = quota->io_unit;
  ios_ = bucket_of(quota->iops_burst, lowest(*quota, true));
  bytes_ = bucket_of(quota->throughput_burst, lowest(*quota, false));
}

std::optional<BurstCredit> BurstAccount::credit_for(const Job& job) const {
  if (!job.target) return std::nullopt;
  const bool in_bytes = job.target->metric == Metric::BytesPerSecond;
  const bool by_bytes = job.target->bound_by == "throughput";
  if (job.target->bound_by != (by_bytes ? "throughput" : "iops") || (in_bytes && !by_bytes)) {
    return std::nullopt;
  }
  const std::optional<Bucket>& bucket = by_bytes ? bytes_ : ios_;
  if (!bucket) return std::nullopt;
  // What the vendor counts for one of what the target counts.
  const double block = static_cast<double>(job.scenario.block_size.value);
  double unit = 1;
  if (!by_bytes) unit = counted_ios(io_unit_, block);
  if (by_bytes && !in_bytes) unit = charged_bytes(io_unit_, job.scenario.pattern, block);
  const BurstCredit credit{bucket->rate / unit, bucket->level / unit};
  if (credit.rate <= job.target->value || credit.bucket <= 0) return std::nullopt;
  return credit;
}

void BurstAccount::draw(const Traffic& traffic) {
  double size = traffic.request_bytes;
  // A vendor that counts in units may merge smaller neighbours into one.
  if (io_unit_ && traffic.pattern == Pattern::Sequential) {
    size = std::max(size, static_cast<double>(io_unit_->size.value));
  }
  const double requests = size > 0 ? traffic.bytes / size : 0;
  if (ios_) ios_->draw(requests * counted_ios(io_unit_, size), traffic.seconds);
  if (bytes_) {
    bytes_->draw(requests * charged_bytes(io_unit_, traffic.pattern, size), traffic.seconds);
  }
}

double usual_seconds(const Job& job) {
  return job.runtime_seconds > 0 ? job.runtime_seconds : first_look_seconds;
}

std::vector<double> burst_forecast(const Plan& plan) {
  std::vector<double> forecast(plan.jobs.size(), 0);
  simulate(plan, [&](std::size_t job, double seconds) { forecast[job] = seconds; });
  return forecast;
}

void run_until_baseline(Plan& plan) {
  simulate(plan, [&](std::size_t i, double seconds) {
    if (seconds <= 0) return;
    Job& job = plan.jobs[i];
    const double burst = std::max(0.0, seconds * reserve - job.ramp_seconds);
    job.runtime_seconds = std::ceil(burst + usual_seconds(job));
  });
}

}  // namespace diskaudit
