#include "plan/target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace diskaudit {
namespace {

// A vendor that promises all of the quota is held to this much: a file system's own writes count
// against the same quota, and a healthy disk must not fail for them.
constexpr double strictest_percent = 97;

struct Ceiling {
  double value = std::numeric_limits<double>::infinity();
  const char* bound_by = "";

  void lower_to(double other, const char* name) {
    if (other < value) *this = {other, name};
  }
};

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
  const double bytes = charged_bytes(quota.io_unit, Pattern::Random, block);
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

}  // namespace

double charged_bytes(const std::optional<IoUnit>& unit, Pattern pattern, double size) {
  if (!unit || !unit->full_charge || pattern == Pattern::Sequential) return size;
  return std::max(size, static_cast<double>(unit->size.value));
}

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

std::optional<Target> latency_target(const Scenario& scenario, const Profile& profile) {
  const auto& range =
      scenario.direction == Direction::Read ? profile.read_latency : profile.write_latency;
  if (!range || scenario.direction == Direction::Mixed) return std::nullopt;
  return Target{Metric::LatencyUs, range->max_us, "latency"};
}

Tolerance tolerance_of(const Profile* profile, std::optional<double> min_percent) {
  if (min_percent) return {*min_percent, "user"};
  if (!profile || !profile->promise || !profile->promise->percent) return {};
  return {std::min(*profile->promise->percent, strictest_percent), "profile"};
}

}  // namespace diskaudit
