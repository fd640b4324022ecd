#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "profile/nearest.hpp"
#include "profile/profile.hpp"

namespace diskaudit {
namespace {

Result<void> check_inputs(const Profile& profile, const Inputs& inputs) {
  const std::vector<std::string> known = {"gib"};
  for (const auto& [name, value] : inputs) {
    if (name != "gib")
      return usage_error(fmt::format("unknown input '{}' for {}{}; it takes {}", name, profile.id,
                                     did_you_mean(name, known), fmt::join(known, ", ")));
  }
  const auto gib = inputs.find("gib");
  if (gib == inputs.end())
    return usage_error(fmt::format("cannot evaluate {}: no size given; use --size", profile.id));
  if (!(gib->second >= profile.min_gib && gib->second <= profile.max_gib))
    return usage_error(fmt::format("size {} GiB is outside the capacity range of {}: {} to {} GiB",
                                   format_number(gib->second, 3), profile.id,
                                   format_number(profile.min_gib, 3),
                                   format_number(profile.max_gib, 3)));
  return {};
}

/// Evaluates formulas one after the other and keeps the line that explains each.
class Evaluation {
 public:
  Evaluation(const Profile& profile, const Inputs& inputs) : profile_(profile), inputs_(inputs) {}

  std::optional<double> value(const std::optional<Formula>& formula, const std::string& what,
                              std::string_view unit) {
    if (!formula || error_) return {};
    const FormulaResult<double> value = formula->evaluate(inputs_);
    const FormulaResult<std::string> steps = formula->explain(inputs_);
    if (!value || !steps) {
      const FormulaError& fault = value ? steps.error() : value.error();
      error_ = Error{ExitCode::Usage, fmt::format("cannot evaluate {} of {}: {} in '{}'", what,
                                                  profile_.id, fault.what, formula->text())};
      return {};
    }
    lines_.push_back(fmt::format("{} = {}{}", what, *steps, unit));
    return *value;
  }

  const std::optional<Error>& error() const { return error_; }
  std::vector<std::string>& lines() { return lines_; }

 private:
  const Profile& profile_;
  const Inputs& inputs_;
  std::vector<std::string> lines_;
  std::optional<Error> error_;
};

struct Figures {
  std::optional<double> read;
  std::optional<double> write;
  std::optional<double> total;
};

Figures figures(Evaluation& evaluation, const Ceilings& ceilings, const std::string& what,
                std::string_view unit) {
  if (ceilings.is_single) {
    const std::optional<double> value = evaluation.value(ceilings.total, what, unit);
    return {value, value, value};
  }
  return {evaluation.value(ceilings.read, "read " + what, unit),
          evaluation.value(ceilings.write, "write " + what, unit),
          evaluation.value(ceilings.total, "total " + what, unit)};
}

}  // namespace

Result<Quota> evaluate(const Profile& profile, const Inputs& inputs) {
  if (const Result<void> checked = check_inputs(profile, inputs); !checked)
    return std::unexpected(checked.error());
  Evaluation evaluation(profile, inputs);
  const Figures iops = figures(evaluation, profile.iops, "IOPS", "");
  const Figures throughput = figures(evaluation, profile.throughput, "throughput",
                                     fmt::format(" {}", name_of(profile.unit)));
  if (evaluation.error()) return std::unexpected(*evaluation.error());
  const double unit = bytes_per_second_in(profile.unit);
  const auto limits = [&](std::optional<double> rate, std::optional<double> bytes) {
    Limits result;
    if (rate) result.iops = Iops{*rate};
    if (bytes) result.throughput = BytesPerSec{*bytes * unit};
    return result;
  };
  Quota quota;
  quota.read = limits(iops.read, throughput.read);
  quota.write = limits(iops.write, throughput.write);
  quota.total = limits(iops.total, throughput.total);
  quota.unit = profile.unit;
  quota.explain = std::move(evaluation.lines());
  return quota;
}

}  // namespace diskaudit
