#include "judge/hints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace diskaudit {
namespace {

constexpr double near = 0.005;
constexpr double clearly_off = 0.07;
constexpr double good_fit = 0.02;

// 10^6 / 2^20 and 10^9 / 2^30, either way; a figure for both directions taken for each.
constexpr double ratios[] = {1e6 / 1048576,    1048576 / 1e6, 1e9 / 1073741824,
                             1073741824 / 1e9, 0.5,           2};

constexpr int sizes_tried = 400;

struct Fit {
  double worst = std::numeric_limits<double>::infinity();  ///< relative error of any observation
  double share = 0;                                        ///< mean of measured / target
};

// `target_of_scenario` gives 0 for what has no target.
template <typename TargetOf>
Fit fit_by(std::span<const Observation> observations, TargetOf target_of_scenario) {
  Fit fit{0, 0};
  for (const Observation& observation : observations) {
    const double target = target_of_scenario(observation.scenario);
    if (target <= 0) return {};
    const double share = observation.value / target;
    fit.worst = std::max(fit.worst, std::abs(share - 1));
    fit.share += share / static_cast<double>(observations.size());
  }
  return fit;
}

Fit fit_of(const Plan& plan, double gib, std::span<const Observation> observations) {
  Inputs inputs = plan.inputs;
  inputs["gib"] = gib;
  const Result<Quota> quota = evaluate(*plan.profile, inputs);
  if (!quota) return {};
  return fit_by(observations, [&](const Scenario& scenario) {
    const auto target = target_of(scenario, *quota, plan.options.instance);
    return target ? target->value : 0;
  });
}

Fit fit_of(const Alternative& alternative, std::span<const Observation> observations) {
  return fit_by(observations, [&](const Scenario& scenario) {
    for (const auto& [name, target] : alternative.targets) {
      if (name == scenario.name) return target;
    }
    return 0.0;
  });
}

// Whole sizes, evenly spread by ratio over the capacity range.
std::vector<double> sizes_of(const Profile& profile) {
  std::vector<double> sizes;
  const double low = std::max(1.0, profile.capacity.min);
  const double high = std::max(low, profile.capacity.max);
  for (int i = 0; i <= sizes_tried; ++i) {
    const double size = std::round(low * std::pow(high / low, double(i) / sizes_tried));
    if (sizes.empty() || size > sizes.back()) sizes.push_back(size);
  }
  return sizes;
}

// The size with the smallest error; of equals (a quota is flat beyond its cap) the one nearest to
// the stated size.
std::optional<Reason> best_size(const Plan& plan, std::span<const Observation> observations) {
  const double stated = plan.inputs.at("gib");
  Fit best;
  double best_gib = 0;
  for (const double gib : sizes_of(*plan.profile)) {
    const Fit fit = fit_of(plan, gib, observations);
    const bool as_good = fit.worst < best.worst + 1e-9;
    const bool nearer = std::abs(std::log(gib / stated)) < std::abs(std::log(best_gib / stated));
    if (fit.worst < best.worst - 1e-9 || (as_good && nearer)) {
      best = fit;
      best_gib = gib;
    }
  }
  if (best.worst > good_fit) return std::nullopt;
  return Reason{ReasonCode::OtherSize, {{"gib", best_gib}, {"percent", best.share * 100}}};
}

}  // namespace

std::optional<double> mix_up_ratio(double share) {
  for (const double ratio : ratios) {
    if (std::abs(share / ratio - 1) <= near) return ratio;
  }
  return std::nullopt;
}

std::vector<Reason> better_fits(const Plan& plan, std::span<const Observation> observations) {
  std::vector<Reason> reasons;
  if (!plan.profile || !plan.inputs.contains("gib")) return reasons;
  for (const Metric metric : {Metric::Iops, Metric::BytesPerSecond}) {
    const auto is_of = [&](const Observation& observation) {
      return observation.scenario.metric == metric;
    };
    if (std::ranges::none_of(observations, is_of)) return reasons;
  }
  const Fit stated = fit_of(plan, plan.inputs.at("gib"), observations);
  if (std::isinf(stated.worst) || stated.worst < clearly_off) return reasons;
  if (auto size = best_size(plan, observations)) reasons.push_back(std::move(*size));
  for (const Alternative& alternative : plan.alternatives) {
    const Fit fit = fit_of(alternative, observations);
    if (fit.worst > good_fit) continue;
    reasons.push_back({ReasonCode::OtherProfile, {{"percent", fit.share * 100}}, alternative.id});
  }
  return reasons;
}

}  // namespace diskaudit
