#include "profile/advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace diskaudit {
namespace {

// Combinations of named choices that are tried; no profile comes near.
constexpr std::size_t most_combinations = 512;

// Halvings that narrow any setting's range to one step.
constexpr int halvings = 40;

std::vector<double> sizes_of(const Capacity& capacity) {
  if (!capacity.sizes.empty()) return capacity.sizes;
  const double step = capacity.step > 0 ? capacity.step : 1;
  std::vector<double> sizes;
  for (double size = std::ceil(capacity.min / step) * step; size <= capacity.max; size += step) {
    sizes.push_back(size);
  }
  return sizes;
}

double least_of(const std::optional<double>& read, const std::optional<double>& write,
                const std::optional<double>& total) {
  double least = INFINITY;
  for (const auto& figure : {read, write}) {
    if (figure) least = std::min(least, *figure);
  }
  if (std::isinf(least) && total) least = *total;
  return std::isinf(least) ? 0 : least;
}

double iops_of(const Quota& quota) {
  const auto value = [](const Limits& limits) {
    return limits.iops ? std::optional(limits.iops->value) : std::nullopt;
  };
  return least_of(value(quota.read), value(quota.write), value(quota.total));
}

double throughput_of(const Quota& quota) {
  const auto value = [](const Limits& limits) {
    return limits.throughput ? std::optional(limits.throughput->value) : std::nullopt;
  };
  return least_of(value(quota.read), value(quota.write), value(quota.total));
}

bool meets(const Quota& quota, const Wish& wish) {
  return (!wish.iops || iops_of(quota) >= wish.iops->value) &&
         (!wish.throughput || throughput_of(quota) >= wish.throughput->value);
}

// Every way to set the inputs that have named choices; left out stands for the default.
std::vector<Inputs> combinations(const Profile& profile) {
  std::vector<Inputs> all{Inputs{}};
  for (const Input& input : profile.inputs) {
    if (input.choices.empty()) continue;
    std::vector<Inputs> next;
    if (input.initial) next = all;
    for (const Inputs& chosen : all) {
      for (const auto& [name, value] : input.choices) {
        if (next.size() == most_combinations) break;
        next.push_back(chosen);
        next.back()[input.name] = value;
      }
    }
    all = std::move(next);
  }
  return all;
}

// The inputs that are numbers, each at a share (0 to 1) of what is allowed after those before it.
std::optional<Inputs> with_settings(const Profile& profile, Inputs inputs, double share) {
  for (const Input& input : profile.inputs) {
    if (!input.choices.empty()) {
      if (inputs.contains(input.name) || !input.initial) continue;
      const auto value = input.initial->evaluate(inputs);
      if (!value) return std::nullopt;
      inputs[input.name] = *value;
      continue;
    }
    const auto least = input.min ? input.min->evaluate(inputs) : FormulaResult<double>(0);
    const auto most = input.max ? input.max->evaluate(inputs) : least;
    if (!least || !most || *most < *least) return std::nullopt;
    double value = *least + (*most - *least) * share;
    if (input.step > 0) value = std::max(*least, std::floor(value / input.step) * input.step);
    inputs[input.name] = value;
  }
  return inputs;
}

struct Found {
  Inputs inputs{};
  Quota quota{};
};

std::optional<Found> attempt(const Profile& profile, const Wish& wish, const Inputs& inputs) {
  const auto complete = complete_inputs(profile, inputs);
  if (!complete) return std::nullopt;
  auto quota = evaluate(profile, *complete);
  if (!quota || !meets(*quota, wish)) return std::nullopt;
  return Found{*complete, std::move(*quota)};
}

// With the defaults if they suffice, else with the most that may be bought at this size.
std::optional<Found> at_size(const Profile& profile, const Wish& wish, Inputs chosen, double gib) {
  chosen["gib"] = gib;
  if (auto found = attempt(profile, wish, chosen)) return found;
  const auto most = with_settings(profile, chosen, 1);
  return most ? attempt(profile, wish, *most) : std::nullopt;
}

// Larger disks are not slower unless the profile says so; then every size is tried.
std::optional<Found> smallest(const Profile& profile, const Wish& wish, const Inputs& chosen,
                              const std::vector<double>& sizes) {
  if (!profile.is_monotone) {
    for (const double size : sizes) {
      if (auto found = at_size(profile, wish, chosen, size)) return found;
    }
    return std::nullopt;
  }
  const auto first = std::ranges::partition_point(
      sizes, [&](double size) { return !at_size(profile, wish, chosen, size); });
  return first == sizes.end() ? std::nullopt : at_size(profile, wish, chosen, *first);
}

// Each setting as low as still suffices with the others as they are, in whole numbers or steps.
Found with_least_settings(const Profile& profile, const Wish& wish, const Inputs& chosen,
                          Found found) {
  Inputs at = chosen;
  at["gib"] = found.inputs.at("gib");
  if (attempt(profile, wish, at)) return found;
  for (const Input& input : profile.inputs) {
    if (!input.choices.empty() || !found.inputs.contains(input.name)) continue;
    const auto least = input.min ? input.min->evaluate(found.inputs) : FormulaResult<double>(0);
    if (!least) continue;
    const double step = input.step > 0 ? input.step : 1;
    double low = *least;
    double high = found.inputs.at(input.name);
    for (int i = 0; i < halvings && low < high; ++i) {
      const double middle = std::max(*least, std::floor((low + high) / 2 / step) * step);
      Inputs lower = found.inputs;
      lower[input.name] = middle;
      if (auto better = attempt(profile, wish, lower)) {
        found = std::move(*better);
        high = middle;
      } else {
        low = middle + step;
      }
    }
  }
  return found;
}

std::string settings_text(const Profile& profile, const Inputs& inputs) {
  std::string text;
  for (const Input& input : profile.inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end()) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", input.name, input_text(profile, input.name, value->second));
  }
  return text;
}

std::string why_none(const Profile& profile, const Wish& wish, const std::vector<Inputs>& choices,
                     const std::vector<double>& sizes) {
  double iops = 0;
  double throughput = 0;
  for (const Inputs& chosen : choices) {
    for (const double size : {sizes.front(), sizes.back()}) {
      Inputs at = chosen;
      at["gib"] = size;
      const auto most = with_settings(profile, at, 1);
      const auto complete = complete_inputs(profile, most.value_or(at));
      const auto quota = complete ? evaluate(profile, *complete) : Result<Quota>(Quota{});
      if (!quota) continue;
      iops = std::max(iops, iops_of(*quota));
      throughput = std::max(throughput, throughput_of(*quota));
    }
  }
  if (wish.iops && iops == 0) return "no IOPS figure is published for all it takes";
  if (wish.throughput && throughput == 0) {
    return "no throughput figure is published for all it takes";
  }
  if (wish.iops && iops < wish.iops->value) {
    return "at most " + format_iops(Iops{iops});
  }
  if (wish.throughput && throughput < wish.throughput->value) {
    return "at most " + format_throughput(BytesPerSec{throughput}, profile.quota.unit);
  }
  return "not both at once";
}

}  // namespace

Advice advise(const Profile& profile, const Wish& wish) {
  Advice advice{.id = profile.id, .name = profile.name};
  const std::vector<double> sizes = sizes_of(profile.capacity);
  const std::vector<Inputs> choices = combinations(profile);
  std::optional<Found> best;
  for (const Inputs& chosen : choices) {
    auto found = smallest(profile, wish, chosen, sizes);
    if (!found || (best && best->inputs.at("gib") <= found->inputs.at("gib"))) continue;
    best = with_least_settings(profile, wish, chosen, std::move(*found));
  }
  if (!best) {
    advice.why_not = why_none(profile, wish, choices, sizes);
    return advice;
  }
  advice.settings = settings_text(profile, best->inputs);
  advice.inputs = std::move(best->inputs);
  advice.unit = best->quota.unit;
  advice.quota = std::move(best->quota);
  return advice;
}

}  // namespace diskaudit
