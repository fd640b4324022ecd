#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/read_parts.hpp"

namespace diskaudit {
namespace {

/// Half a unit of the last digit written: a page that says 31 may mean 31.25.
double tolerance(const Document& number) {
  const std::size_t point = number.text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : number.text.size() - point - 1;
  return 0.5 * std::pow(10, -static_cast<double>(decimals)) + 1e-9;
}

struct Figure {
  std::string_view key;
  std::optional<double> computed;
};

std::vector<Figure> figures_of(const Quota& quota, const Profile& profile) {
  const auto iops = [](const Limits& limits) {
    return limits.iops ? std::optional(limits.iops->value) : std::nullopt;
  };
  const auto rate = [&](const Limits& limits) {
    return limits.throughput
               ? std::optional(limits.throughput->value / bytes_per_second_in(quota.unit))
               : std::nullopt;
  };
  const auto either = [](auto a, auto b, auto c) { return a ? a : b ? b : c; };
  const double burst_unit =
      bytes_per_second_in(profile.burst ? profile.burst->unit : RateUnit::MBps);
  const std::optional<Burst>& burst = quota.iops_burst ? quota.iops_burst : quota.throughput_burst;
  return {
      {"iops", either(iops(quota.read), iops(quota.write), iops(quota.total))},
      {"read_iops", iops(quota.read)},
      {"write_iops", iops(quota.write)},
      {"throughput", either(rate(quota.read), rate(quota.write), rate(quota.total))},
      {"read_throughput", rate(quota.read)},
      {"write_throughput", rate(quota.write)},
      {"burst_iops", quota.iops_burst ? std::optional(quota.iops_burst->rate) : std::nullopt},
      {"burst_throughput", quota.throughput_burst
                               ? std::optional(quota.throughput_burst->rate / burst_unit)
                               : std::nullopt},
      {"burst_seconds", burst ? burst->seconds : std::nullopt},
  };
}

void compare(Reader& reader, const Document& item, const std::vector<Figure>& figures) {
  bool any = false;
  for (const auto& [key, computed] : figures) {
    const Document* number = item.find(key);
    if (!number) continue;
    any = true;
    const double published = reader.number(*number);
    if (!computed)
      reader.fault(*number, fmt::format("published {} without a figure in the quota", key));
    else if (std::abs(published - *computed) > tolerance(*number))
      reader.fault(*number, fmt::format("published {} of {} does not come out; the quota gives {}",
                                        key, number->text, format_number(*computed, 3)));
  }
  if (!any) reader.fault(item, "published point states no figure");
}

Result<Inputs> inputs_of(Reader& reader, const Document& item, const Profile& profile) {
  std::vector<std::pair<std::string, std::string>> words;
  if (const Document* inputs = item.find("inputs")) {
    if (inputs->kind != Document::Kind::Mapping)
      reader.fault(*inputs, "inputs of a published point must be a mapping of names");
    for (const auto& [name, value] : inputs->members) words.emplace_back(name, reader.text(value));
  }
  return read_inputs(profile, reader.positive_number(*item.find("gib")), words);
}

}  // namespace

void check_published(Reader& reader, const Document& published, const Profile& profile) {
  if (!reader.sequence(published, "published")) return;
  for (const Document& item : published.items) {
    if (!reader.mapping(item, "published point",
                        {{"gib", true},
                         {"inputs"},
                         {"iops"},
                         {"read_iops"},
                         {"write_iops"},
                         {"throughput"},
                         {"read_throughput"},
                         {"write_throughput"},
                         {"burst_iops"},
                         {"burst_throughput"},
                         {"burst_seconds"},
                         {"derived"}}))
      return;
    if (const Document* derived = item.find("derived")) reader.flag(*derived);
    const Result<Inputs> inputs = inputs_of(reader, item, profile);
    const Result<Quota> quota =
        inputs ? evaluate(profile, *inputs) : std::unexpected(inputs.error());
    if (!quota) return reader.fault(item, "published point: " + quota.error().message);
    compare(reader, item, figures_of(*quota, profile));
  }
}

}  // namespace diskaudit
