#include "report/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "judge/batches.hpp"
#include "judge/statistics.hpp"
#include "text.hpp"
#include "units.hpp"

namespace diskaudit {
namespace {

// One side's error; 1 % for both.
constexpr double alpha = 0.005;
// What clock, edges and buckets can do to the best of series, as a share of the mean.
constexpr double least_half_width = 0.002;

ComparedRate rate_of(const ScenarioAudit& scenario) {
  Job job = scenario.job;
  // Without a published figure the scenario is compared in its own metric all the same.
  if (!job.target) job.target = Target{job.scenario.metric, 1, ""};
  const Measurement& judged = *scenario.evidence.judged;
  const std::vector<double> values = batches_of(job, judged).values;
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = values.empty() ? 0 : sum / static_cast<double>(values.size());
  const MeanInterval interval = mean_interval(values, alpha, least_half_width * mean);
  return {sanitised(judged.started), mean, interval.half_width};
}

/// Both half-widths as shares of their means, added as independent errors of the ratio's logarithm.
void judge_change(ComparedScenario& compared) {
  const ComparedRate& before = compared.rates[0];
  const ComparedRate& after = compared.rates[1];
  if (before.mean <= 0) return;
  compared.ratio = after.mean / before.mean;
  if (after.mean <= 0) return;
  const double width = std::hypot(before.half_width / before.mean, after.half_width / after.mean);
  if (!std::isfinite(width)) return;
  compared.ratio_low = *compared.ratio * std::exp(-width);
  compared.ratio_high = *compared.ratio * std::exp(width);
  compared.change = Change::None;
  if (compared.ratio_low > 1) compared.change = Change::Higher;
  if (compared.ratio_high < 1) compared.change = Change::Lower;
}

ComparedRecord record_of(const Audit& audit) {
  const BlockDevice& device = audit.disk.device;
  std::string disk = audit.plan.profile ? sanitised(audit.plan.profile->id) + ", " : "";
  const auto gib = audit.plan.inputs.find("gib");
  disk += gib == audit.plan.inputs.end() ? format_size(device.size)
                                         : format_number(gib->second, 2) + " GiB";
  if (!device.serial.empty()) disk += ", " + sanitised(device.serial);
  return {sanitised(audit.id), sanitised(audit.started), disk, sanitised(audit.environment.kernel)};
}

ComparedScenario compared_scenario(std::span<const Audit> audits, const Scenario& scenario) {
  ComparedScenario compared{.scenario = scenario};
  for (const Audit& audit : audits) {
    const auto found = std::ranges::find_if(audit.scenarios, [&](const ScenarioAudit& other) {
      return other.job.scenario.name == scenario.name && other.evidence.judged;
    });
    if (found != audit.scenarios.end()) compared.rates.push_back(rate_of(*found));
  }
  // RFC 3339 in UTC sorts by time. Of a pair the user says which is the first.
  if (audits.size() > 2) std::ranges::stable_sort(compared.rates, {}, &ComparedRate::started);
  return compared;
}

}  // namespace

std::string_view name_of(Change change) {
  constexpr std::array names = {"higher", "lower", "none", "unknown"};
  return names[static_cast<std::size_t>(change)];
}

Result<Comparison> compare(std::span<const Audit> audits, Redaction redaction) {
  if (audits.size() < 2) return usage_error("cannot compare one record alone; name two or more");
  Comparison comparison;
  const Audit& first = audits.front();
  for (const Audit& audit : audits) {
    comparison.records.push_back(record_of(redacted(audit, redaction)));
    if (audit.disk.device.serial != first.disk.device.serial) comparison.same_disk = false;
  }
  if (first.plan.quota) comparison.unit = first.plan.quota->unit;
  for (const ScenarioAudit& scenario : first.scenarios) {
    ComparedScenario compared = compared_scenario(audits, scenario.job.scenario);
    if (compared.rates.size() < 2) continue;
    if (audits.size() == 2) judge_change(compared);
    const auto [low, high] = std::ranges::minmax_element(compared.rates, {}, &ComparedRate::mean);
    compared.lowest = low->mean;
    compared.highest = high->mean;
    if (high->mean > 0) compared.spread_percent = (1 - low->mean / high->mean) * 100;
    comparison.scenarios.push_back(std::move(compared));
  }
  if (comparison.scenarios.empty()) {
    return usage_error("cannot compare: the records have no measured scenario in common");
  }
  return comparison;
}

}  // namespace diskaudit
