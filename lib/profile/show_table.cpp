#include <fmt/format.h>

#include <functional>

#include "profile/show.hpp"

namespace diskaudit {
namespace {

struct Column {
  std::string heading;
  std::function<std::string(const Quota&)> cell;
};

using Pick = Limits Quota::*;

Column iops_column(const std::string& heading, Pick limits) {
  return {heading, [limits](const Quota& quota) {
            const auto& iops = (quota.*limits).iops;
            return iops ? format_number(iops->value, 0) : "";
          }};
}

Column throughput_column(const std::string& heading, Pick limits) {
  return {heading, [limits](const Quota& quota) {
            const auto& rate = (quota.*limits).throughput;
            return rate ? format_throughput(*rate, quota.unit) : "";
          }};
}

std::vector<Column> columns_of(const Profile& profile, bool zh) {
  const std::string read = zh ? "读 " : "READ ";
  const std::string write = zh ? "写 " : "WRITE ";
  const std::string total = zh ? "合计 " : "TOTAL ";
  const std::string throughput = zh ? "吞吐量" : "THROUGHPUT";
  std::vector<Column> columns;
  const auto add = [&](const Ceilings& ceilings, const std::string& what, auto make) {
    if (ceilings.is_single) return columns.push_back(make(what, &Quota::total));
    if (ceilings.read) columns.push_back(make(read + what, &Quota::read));
    if (ceilings.write) columns.push_back(make(write + what, &Quota::write));
    if (ceilings.total) columns.push_back(make(total + what, &Quota::total));
  };
  add(profile.quota.iops, "IOPS", iops_column);
  add(profile.quota.throughput, throughput, throughput_column);
  if (profile.burst)
    columns.push_back(
        {zh ? "突发" : "BURST", [](const Quota& quota) {
           const auto& burst = quota.iops_burst ? quota.iops_burst : quota.throughput_burst;
           if (!burst) return std::string();
           const std::string rate = quota.iops_burst ? format_iops({burst->rate})
                                                     : format_throughput({burst->rate}, quota.unit);
           return burst->seconds ? fmt::format("{}, {} s", rate, format_number(*burst->seconds, 0))
                                 : rate;
         }});
  return columns;
}

}  // namespace

Result<std::string> show_table(const Profile& profile, std::span<const Inputs> disks,
                               const ShowStyle& style) {
  const bool zh = style.language == Language::Chinese;
  const std::vector<Column> columns = columns_of(profile, zh);
  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back(zh ? "容量" : "SIZE");
  for (const Column& column : columns) rows[0].push_back(column.heading);
  for (const Inputs& inputs : disks) {
    const Result<Quota> quota = evaluate(profile, inputs);
    if (!quota) return std::unexpected(quota.error());
    std::vector<std::string> row = {format_number(inputs.at("gib"), 3) + " GiB"};
    for (const Column& column : columns) row.push_back(column.cell(*quota));
    rows.push_back(std::move(row));
  }
  std::string text;
  for (const std::string& line : aligned(rows, std::string(columns.size() + 1, 'r')))
    text += line + "\n";
  return text;
}

}  // namespace diskaudit
