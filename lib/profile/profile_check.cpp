#include "profile/profile_check.hpp"

#include <fmt/format.h>

#include <cmath>

namespace diskaudit {
namespace {

/// Half a unit of the last digit written: a page that says 31 may mean 31.25.
double tolerance(const Document& number) {
  const std::size_t point = number.text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : number.text.size() - point - 1;
  return 0.5 * std::pow(10, -static_cast<double>(decimals)) + 1e-9;
}

void compare(Reader& reader, const Document& number, std::string_view what, double published,
             std::optional<double> computed) {
  if (!computed) {
    reader.fault(number, fmt::format("published {} without a figure in the quota", what));
  } else if (std::abs(published - *computed) > tolerance(number)) {
    reader.fault(number, fmt::format("published {} of {} does not come out; the quota gives {}",
                                     what, number.text, format_number(*computed, 3)));
  }
}

}  // namespace

void check_published(Reader& reader, const Document& item, const Profile& profile,
                     const PublishedPoint& point) {
  const Result<Quota> quota = evaluate(profile, {{"gib", point.gib}});
  if (!quota) return reader.fault(item, "published point: " + quota.error().message);
  if (!point.iops && !point.throughput)
    return reader.fault(item, "published point states neither iops nor throughput");
  const auto either = [](const auto& read, const auto& write, const auto& total) {
    return read ? read : write ? write : total;
  };
  if (point.iops) {
    const auto iops = either(quota->read.iops, quota->write.iops, quota->total.iops);
    compare(reader, *item.find("iops"), "iops", *point.iops,
            iops ? std::optional(iops->value) : std::nullopt);
  }
  if (point.throughput) {
    const auto rate =
        either(quota->read.throughput, quota->write.throughput, quota->total.throughput);
    compare(reader, *item.find("throughput"), "throughput", *point.throughput,
            rate ? std::optional(rate->value / bytes_per_second_in(profile.unit)) : std::nullopt);
  }
}

}  // namespace diskaudit
