#include <fmt/format.h>

#include <algorithm>

#include "profile/advise.hpp"
#include "profile/profile_json.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

std::string gives(const Quota& quota) {
  std::string text;
  for (const Limits* limits : {&quota.read, &quota.write}) {
    const bool same =
        quota.read.iops == quota.write.iops && quota.read.throughput == quota.write.throughput;
    if (limits == &quota.write && same) break;
    if (!text.empty()) text += "; ";
    if (!same) text += limits == &quota.read ? "read " : "write ";
    if (!limits->iops && !limits->throughput) text += "not published";
    if (limits->iops) text += format_iops(*limits->iops);
    if (limits->iops && limits->throughput) text += ", ";
    if (limits->throughput) text += format_throughput(*limits->throughput, quota.unit);
  }
  return text;
}

double gib_of(const Advice& advice) {
  return advice.inputs ? advice.inputs->at("gib") : std::numeric_limits<double>::infinity();
}

std::vector<Advice> smallest_first(std::span<const Advice> advices) {
  std::vector<Advice> sorted(advices.begin(), advices.end());
  std::ranges::stable_sort(sorted, {}, gib_of);
  return sorted;
}

}  // namespace

std::string advice_text(std::span<const Advice> advices) {
  std::size_t width = 0;
  for (const Advice& advice : advices) width = std::max(width, display_width(advice.id));
  std::string text;
  bool any = false;
  for (const Advice& advice : smallest_first(advices)) {
    text += pad_right(advice.id, width + 2);
    if (!advice.inputs) {
      text += "none: " + advice.why_not + "\n";
      continue;
    }
    const std::string size = format_number(gib_of(advice), 2) + " GiB";
    text += pad_left(size, 10) + "  " + gives(*advice.quota);
    if (!advice.settings.empty()) text += " (" + advice.settings + ")";
    if (!advice.assumed.empty()) text += " assuming " + advice.assumed;
    if (advice.status != "current") text += " [" + advice.status + "]";
    text += "\n";
    any = true;
  }
  if (any) text += "Conditions apply to each: see diskaudit profiles show ID\n";
  return text;
}

nlohmann::ordered_json advice_json(std::span<const Advice> advices) {
  auto list = nlohmann::ordered_json::array();
  for (const Advice& advice : smallest_first(advices)) {
    nlohmann::ordered_json entry = {
        {"id", advice.id},    {"status", advice.status}, {"gib", nullptr},    {"inputs", nullptr},
        {"assumed", nullptr}, {"quota", nullptr},        {"why_not", nullptr}};
    if (advice.inputs) {
      entry["gib"] = gib_of(advice);
      entry["inputs"] = advice.words;
      if (!advice.assumed.empty()) entry["assumed"] = advice.assumed;
      entry["quota"] = quota_to_json(*advice.quota);
    } else {
      entry["why_not"] = advice.why_not;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace diskaudit
