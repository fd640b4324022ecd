#include "profile/advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

#include "profile/names.hpp"

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

// What reads and writes can each reach; 0 where it is not published for both.
double least_of(const std::optional<double>& read, const std::optional<double>& write,
                const std::optional<double>& total) {
  if (!read && !write) return total.value_or(0);
  if (!read || !write) return 0;
  return std::min({*read, *write, total.value_or(INFINITY)});
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

// Every way to set what has named choices; left out stands for the default and comes first.
std::vector<Inputs> combinations(const Profile& profile) {
  std::vector<Inputs> all{Inputs{}};
  for (const Input& input : profile.inputs) {
    if (input.choices.empty() || !is_setting(profile, input)) continue;
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

bool is_bought_number(const Profile& profile, const Input& input) {
  return input.choices.empty() && is_setting(profile, input);
}

// Customers buy whole numbers or steps; a limit between them is rounded to what can be bought.
double step_of(const Input& input) { return input.step > 0 ? input.step : 1; }

// The numbers that are bought, each at the most that is allowed after those before it.
std::optional<Inputs> with_most(const Profile& profile, Inputs inputs) {
  Names names = inputs;
  for (const Input& input : profile.inputs) {
    if (!add_tables(profile.tables, names)) return std::nullopt;
    if (inputs.contains(input.name)) continue;
    const bool is_number = is_bought_number(profile, input);
    if (!is_number && !input.initial) continue;
    const auto value = (is_number ? input.max : input.initial)->evaluate(names);
    if (!value) return std::nullopt;
    names[input.name] = *value;
    if (!is_number) continue;
    const double whole = std::floor(*value / step_of(input)) * step_of(input);
    names[input.name] = std::max(whole, input.min->evaluate(names).value_or(0));
    inputs[input.name] = names[input.name];
  }
  return inputs;
}

struct Found {
  Inputs inputs{};  ///< without the defaults
  Quota quota{};
};

std::optional<Found> attempt(const Profile& profile, const Wish& wish, const Inputs& inputs) {
  auto quota = evaluate(profile, inputs);
  if (!quota || !meets(*quota, wish)) return std::nullopt;
  return Found{inputs, std::move(*quota)};
}

// With the defaults if they suffice, else with the most that may be bought at this size.
std::optional<Found> at_size(const Profile& profile, const Wish& wish, Inputs chosen, double gib) {
  chosen["gib"] = gib;
  if (auto found = attempt(profile, wish, chosen)) return found;
  const auto most = with_most(profile, chosen);
  return most && *most != chosen ? attempt(profile, wish, *most) : std::nullopt;
}

// One choice may end where another goes on (a tier is sold up to its own size), so a larger disk is
// not slower only with the best choice at each size. Where it may be slower, every size is tried.
std::optional<double> smallest(const Profile& profile, const Wish& wish,
                               const std::vector<Inputs>& choices,
                               const std::vector<double>& sizes) {
  const auto suffices = [&](double size) {
    return std::ranges::any_of(choices, [&](const Inputs& chosen) {
      return at_size(profile, wish, chosen, size).has_value();
    });
  };
  const auto first = profile.is_monotone
                         ? std::ranges::partition_point(sizes, std::not_fn(suffices))
                         : std::ranges::find_if(sizes, suffices);
  return first == sizes.end() ? std::nullopt : std::optional(*first);
}

// One setting as low as still suffices with the others as they are, in whole numbers or steps.
void lower(const Profile& profile, const Wish& wish, const Input& input, double least,
           Found& found) {
  const double step = step_of(input);
  double low = least;
  double high = found.inputs.at(input.name);
  for (int i = 0; i < halvings && low < high; ++i) {
    const double middle = std::max(least, std::floor((low + high) / 2 / step) * step);
    Inputs lower = found.inputs;
    lower[input.name] = middle;
    if (auto better = attempt(profile, wish, lower)) {
      found = std::move(*better);
      high = middle;
    } else {
      low = std::floor(middle / step) * step + step;
    }
  }
}

// From the last setting to the first: the limits of one hang on those before it.
Found with_least_settings(const Profile& profile, const Wish& wish, Found found) {
  const auto names = resolve_names(profile, found.inputs);
  if (!names) return found;
  for (const Input& input : std::views::reverse(profile.inputs)) {
    if (!is_bought_number(profile, input) || !found.inputs.contains(input.name)) continue;
    if (const auto least = input.min->evaluate(*names)) lower(profile, wish, input, *least, found);
  }
  return found;
}

// A tier that follows the size by default has no name at most sizes: there is nothing to set.
bool has_word(const Input& input, double value) {
  const auto is_value = [&](const auto& choice) { return choice.second == value; };
  return input.choices.empty() || std::ranges::any_of(input.choices, is_value);
}

// Fills in the inputs as numbers and in words, apart those bought and those taken as given.
void add_inputs(const Profile& profile, const Inputs& inputs, Advice& advice) {
  advice.inputs = inputs;
  advice.words["gib"] = inputs.at("gib");
  for (const Input& input : profile.inputs) {
    const auto found = inputs.find(input.name);
    if (found == inputs.end() || !has_word(input, found->second)) continue;
    const std::string word = input_text(profile, input.name, found->second);
    if (input.choices.empty())
      advice.words[input.name] = found->second;
    else
      advice.words[input.name] = word;
    std::string& text = is_setting(profile, input) ? advice.settings : advice.assumed;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", input.name, word);
  }
}

std::string not_published(const Profile& profile, std::string_view what) {
  for (const Input& input : profile.inputs) {
    if (!is_setting(profile, input) && !input.initial)
      return fmt::format("depends on {}{}", input.name,
                         input.label.en.empty() ? "" : fmt::format(" ({})", input.label.en));
  }
  return fmt::format("no {} figure is published for reads and writes", what);
}

std::string why_none(const Profile& profile, const Wish& wish, const std::vector<Inputs>& choices,
                     const std::vector<double>& sizes) {
  double iops = 0;
  double throughput = 0;
  for (const Inputs& chosen : choices) {
    for (const double size : {sizes.front(), sizes.back()}) {
      Inputs at = chosen;
      at["gib"] = size;
      const auto quota = evaluate(profile, with_most(profile, at).value_or(at));
      if (!quota) continue;
      iops = std::max(iops, iops_of(*quota));
      throughput = std::max(throughput, throughput_of(*quota));
    }
  }
  if (wish.iops && iops == 0) return not_published(profile, "IOPS");
  if (wish.throughput && throughput == 0) return not_published(profile, "throughput");
  if (wish.iops && iops < wish.iops->value) return "at most " + format_iops(Iops{iops});
  if (wish.throughput && throughput < wish.throughput->value)
    return "at most " + format_throughput(BytesPerSec{throughput}, profile.quota.unit);
  return "not both at once";
}

}  // namespace

bool is_setting(const Profile& profile, const Input& input) {
  const Document* inputs = profile.document.find("inputs");
  const Document* written = inputs ? inputs->find(input.name) : nullptr;
  const Document* setting = written ? written->find("setting") : nullptr;
  return !setting || setting->text != "false";
}

Advice advise(const Profile& profile, const Wish& wish) {
  Advice advice{.id = profile.id, .name = profile.name, .status = profile.status};
  advice.unit = profile.quota.unit;
  const std::vector<double> sizes = sizes_of(profile.capacity);
  const std::vector<Inputs> choices = combinations(profile);
  const std::optional<double> gib = smallest(profile, wish, choices, sizes);
  std::optional<Found> best;
  for (std::size_t i = 0; gib && !best && i < choices.size(); ++i)
    best = at_size(profile, wish, choices[i], *gib);
  if (!best) {
    advice.why_not = why_none(profile, wish, choices, sizes);
    return advice;
  }
  best = with_least_settings(profile, wish, std::move(*best));
  add_inputs(profile, complete_inputs(profile, best->inputs).value_or(best->inputs), advice);
  advice.quota = std::move(best->quota);
  advice.conditions = profile.conditions;
  return advice;
}

}  // namespace diskaudit
