#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "profile/names.hpp"
#include "profile/profile.hpp"
#include "profile/reader.hpp"

namespace diskaudit {
namespace {

/// Evaluates formulas one after the other and keeps the line that explains each.
class Evaluation {
 public:
  Evaluation(const Profile& profile, const Names& names) : profile_(profile), names_(names) {}

  /// None where there is no formula, or an optional input that it uses was not given.
  std::optional<double> value(const std::optional<Formula>& formula, const std::string& what,
                              std::string_view unit) {
    if (!formula || error_) return {};
    for (const std::string& name : formula->names()) {
      if (names_.contains(name)) continue;
      lines_.push_back(fmt::format("{} = {}: not known without {}", what, formula->text(), name));
      return {};
    }
    const FormulaResult<std::string> steps = formula->explain(names_);
    if (!steps) {
      error_ =
          Error{ExitCode::Usage, fmt::format("cannot evaluate {} of {}: {} in '{}'", what,
                                             profile_.id, steps.error().what, formula->text())};
      return {};
    }
    lines_.push_back(fmt::format("{} = {}{}", what, *steps, unit));
    return *formula->evaluate(names_);
  }

  const std::optional<Error>& error() const { return error_; }
  std::vector<std::string> take_lines() { return std::exchange(lines_, {}); }

 private:
  const Profile& profile_;
  const Names& names_;
  std::vector<std::string> lines_;
  std::optional<Error> error_;
};

struct Values {
  std::optional<double> read;
  std::optional<double> write;
  std::optional<double> total;
};

Values values_of(Evaluation& evaluation, const Ceilings& ceilings, const std::string& what,
                 std::string_view unit) {
  if (ceilings.is_single) {
    const std::optional<double> value = evaluation.value(ceilings.total, what, unit);
    return {value, value, value};
  }
  return {evaluation.value(ceilings.read, "read " + what, unit),
          evaluation.value(ceilings.write, "write " + what, unit),
          evaluation.value(ceilings.total, "total " + what, unit)};
}

/// Fills the three Limits of a Quota or a DisputedQuota.
template <typename Target>
void fill(Target& target, Evaluation& evaluation, const Figures& figures) {
  const Values iops = values_of(evaluation, figures.iops, "IOPS", "");
  const Values throughput = values_of(evaluation, figures.throughput, "throughput",
                                      fmt::format(" {}", name_of(figures.unit)));
  const double unit = bytes_per_second_in(figures.unit);
  const auto limits = [&](std::optional<double> rate, std::optional<double> bytes) {
    Limits result;
    if (rate) result.iops = Iops{*rate};
    if (bytes) result.throughput = BytesPerSec{*bytes * unit};
    return result;
  };
  target.read = limits(iops.read, throughput.read);
  target.write = limits(iops.write, throughput.write);
  target.total = limits(iops.total, throughput.total);
}

/// The smallest figure that the burst would have to exceed.
std::optional<double> lowest(const Quota& quota, bool of_iops) {
  std::optional<double> result;
  for (const Limits* limits : {&quota.read, &quota.write, &quota.total}) {
    std::optional<double> value;
    if (of_iops && limits->iops) value = limits->iops->value;
    if (!of_iops && limits->throughput) value = limits->throughput->value;
    if (value) result = std::min(result.value_or(*value), *value);
  }
  return result;
}

std::optional<Burst> burst_of(Evaluation& evaluation, const std::optional<BurstRule>& rule,
                              std::optional<double> baseline, const std::string& what,
                              std::string_view unit, double scale) {
  if (!rule || !baseline) return {};
  const std::optional<double> rate = evaluation.value(rule->value, "burst " + what, unit);
  if (!rate || *rate * scale <= *baseline) return {};
  Burst burst;
  burst.rate = *rate * scale;
  burst.seconds = evaluation.value(rule->seconds, "burst seconds of " + what, " s");
  const auto credits = evaluation.value(rule->bucket, "burst bucket of " + what, "");
  if (!credits) return burst;
  const auto refill = evaluation.value(rule->refill, "burst refill of " + what, " per second");
  const auto initial = evaluation.value(rule->initial, "initial burst credits of " + what, "");
  burst.bucket = *credits * scale;
  burst.refill = refill ? *refill * scale : *baseline;
  const double start = std::min(initial ? *initial * scale : *burst.bucket, *burst.bucket);
  if (burst.rate > *burst.refill) burst.seconds = start / (burst.rate - *burst.refill);
  return burst;
}

}  // namespace

double counted_ios(const std::optional<IoUnit>& unit, double size) {
  if (!unit) return 1;
  const double units = size / static_cast<double>(unit->size.value);
  return std::max(1.0, unit->rounds_up ? std::ceil(units) : units);
}

Result<Quota> evaluate(const Profile& profile, const Inputs& inputs) {
  std::vector<std::string> lines;
  const Result<Names> names = resolve_names(profile, inputs, &lines);
  if (!names) return std::unexpected(names.error());
  Evaluation evaluation(profile, *names);
  Quota quota;
  fill(quota, evaluation, profile.quota);
  quota.unit = profile.quota.unit;
  quota.combine = profile.quota.combine;
  quota.io_unit = profile.io_unit;
  if (profile.burst) {
    const BurstRules& rules = *profile.burst;
    quota.iops_burst = burst_of(evaluation, rules.iops, lowest(quota, true), "IOPS", "", 1);
    quota.throughput_burst =
        burst_of(evaluation, rules.throughput, lowest(quota, false), "throughput",
                 fmt::format(" {}", name_of(rules.unit)), bytes_per_second_in(rules.unit));
  }
  quota.explain = std::move(lines);
  for (std::string& line : evaluation.take_lines()) quota.explain.push_back(std::move(line));
  for (const Dispute& dispute : profile.disputes) {
    DisputedQuota other{.note = dispute.note};
    if (dispute.source) other.source = dispute.source->title;
    fill(other, evaluation, dispute.quota);
    other.explain = evaluation.take_lines();
    quota.disputes.push_back(std::move(other));
  }
  if (evaluation.error()) return std::unexpected(*evaluation.error());
  return quota;
}

Result<Profile> as_of(const Profile& profile, const std::string& date) {
  if (!is_date(date))
    return usage_error(fmt::format("cannot read date '{}': expected YYYY-MM-DD", date));
  // Sorted by `until`: the first entry that was still in force then.
  for (const Former& former : profile.history) {
    if (date >= former.until) continue;
    if (date < former.from)
      return usage_error(fmt::format("no formula of {} is known for {}; the next one is of {}",
                                     profile.id, date, former.from));
    Profile then = profile;
    then.as_of = date;
    then.quota = former.quota;
    if (former.capacity) then.capacity = *former.capacity;
    then.sources = {former.source};
    then.disputes.clear();
    if (!former.note.en.empty()) then.conditions.push_back(former.note);
    return then;
  }
  return profile;
}

}  // namespace diskaudit
