#include "profile/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "profile/names.hpp"

namespace diskaudit {
namespace {

/// Sizes at which to look, dense where small sizes are: terms change more often there.
std::vector<double> sample_sizes(const Capacity& capacity) {
  if (!capacity.sizes.empty()) return capacity.sizes;
  const double step = capacity.step > 0 ? capacity.step : 1;
  std::vector<double> sizes;
  for (double gib = std::ceil(capacity.min / step) * step; gib <= capacity.max;
       gib = std::max(gib + step, std::round(gib * 1.1 / step) * step))
    sizes.push_back(gib);
  if (const double last = std::floor(capacity.max / step) * step;
      !sizes.empty() && sizes.back() < last)
    sizes.push_back(last);
  return sizes;
}

class Terms {
 public:
  Terms(const Formula& formula, const Profile& profile, const Inputs& given)
      : formula_(formula), profile_(profile), given_(given) {}

  /// The term that binds at a size; empty where the inputs do not fit there.
  std::string at(double gib) const {
    Inputs inputs = given_;
    inputs["gib"] = gib;
    const Result<Names> names = resolve_names(profile_, inputs);
    return names ? formula_.binding_term(*names) : "";
  }

  /// The first size above `low` at which the term is not the one of `low`; `high` has another.
  double change(double low, double high, double step) const {
    const std::string term = at(low);
    while (high - low > step) {
      const double middle = std::round((low + high) / 2 / step) * step;
      if (middle <= low || middle >= high) break;
      (at(middle) == term ? low : high) = middle;
    }
    return high;
  }

 private:
  const Formula& formula_;
  const Profile& profile_;
  const Inputs& given_;
};

}  // namespace

std::vector<Stretch> stretches_of(const Formula& formula, const Profile& profile,
                                  const Inputs& given) {
  const Terms terms(formula, profile, given);
  const Capacity& capacity = profile.capacity;
  const double step = capacity.step > 0 ? capacity.step : 1;
  std::vector<Stretch> stretches;
  double before = 0;
  for (const double gib : sample_sizes(capacity)) {
    const std::string term = terms.at(gib);
    if (term.empty()) continue;
    if (stretches.empty()) {
      stretches.push_back({gib, term});
    } else if (stretches.back().term != term) {
      const double from = capacity.sizes.empty() ? terms.change(before, gib, step) : gib;
      const std::string next = terms.at(from);
      if (!next.empty() && next != term) stretches.push_back({from, next});
      stretches.push_back({next == term ? from : gib, term});
    }
    before = gib;
  }
  return stretches;
}

Inputs without_defaults(const Profile& profile, const Inputs& inputs) {
  Inputs given = inputs;
  for (const Input& input : profile.inputs) {
    const auto found = given.find(input.name);
    if (found == given.end() || !input.initial) continue;
    Inputs others = given;
    others.erase(input.name);
    const Result<Inputs> completed = complete_inputs(profile, others);
    if (completed && completed->at(input.name) == found->second) given.erase(input.name);
  }
  return given;
}

}  // namespace diskaudit
