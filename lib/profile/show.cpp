#include "profile/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "profile/profile_json.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

/// The formulas of one kind as a reader wants them: "F", or "read F, write G".
std::string formulas(const Ceilings& ceilings) {
  if (ceilings.is_single) return ceilings.total->text();
  std::string text;
  const auto add = [&](std::string_view what, const std::optional<Formula>& formula) {
    if (formula) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, formula->text());
  };
  add("read", ceilings.read);
  add("write", ceilings.write);
  add("total", ceilings.total);
  return text;
}

std::string throughput_formulas(const Profile& profile) {
  const std::string text = formulas(profile.throughput);
  return text.empty() ? "" : fmt::format("{} {}", text, name_of(profile.unit));
}

/// The newest date that a source bears, or was read on.
std::string date_of(const Profile& profile) {
  std::string dated;
  std::string read;
  for (const Source& source : profile.sources) {
    dated = std::max(dated, source.dated);
    read = std::max(read, source.read);
  }
  return dated.empty() ? read : dated;
}

std::string latency_line(std::string_view what, const LatencyRange& range) {
  const std::string max = format_number(range.max_us / 1000, 3);
  if (range.min_us == 0) return fmt::format("{} latency: up to {} ms\n", what, max);
  return fmt::format("{} latency: {} to {} ms\n", what, format_number(range.min_us / 1000, 3), max);
}

std::string promise_line(const Promise& promise) {
  if (promise.none) return "Promise: none; the figures are ceilings\n";
  std::string text = fmt::format("Promise: {} % of the quota", format_number(*promise.percent, 3));
  if (promise.time_percent)
    text += fmt::format(", {} % of the time", format_number(*promise.time_percent, 3));
  return text + (promise.note.en.empty() ? "\n" : fmt::format("; {}\n", promise.note.en));
}

std::string background(const Profile& profile) {
  std::string text;
  if (profile.read_latency) text += latency_line("Read", *profile.read_latency);
  if (profile.write_latency) text += latency_line("Write", *profile.write_latency);
  if (!profile.latency_note.en.empty())
    text += fmt::format("  {}\n", sanitised(profile.latency_note.en));
  if (profile.promise) text += promise_line(*profile.promise);
  for (const LocalText& condition : profile.conditions)
    text += fmt::format("Condition: {}\n", sanitised(condition.en));
  for (const Source& source : profile.sources)
    text += fmt::format("Source: {}{}, read {}\n  {}\n", sanitised(source.title),
                        source.dated.empty() ? "" : ", dated " + source.dated, source.read,
                        sanitised(source.url));
  return text;
}

}  // namespace

std::string list_text(std::span<const Profile> profiles) {
  constexpr std::size_t columns = 5;
  std::vector<std::array<std::string, columns>> rows = {
      {"ID", "TYPE", "IOPS", "THROUGHPUT", "DATED"}};
  for (const Profile& profile : profiles)
    rows.push_back({profile.id, sanitised(profile.vendor.en + ", " + profile.name.en),
                    formulas(profile.iops), throughput_formulas(profile), date_of(profile)});
  std::array<std::size_t, columns> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns; ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < columns; ++i) text += pad_right(row[i], widths[i] + 2);
    text += row.back() + "\n";
  }
  return text;
}

Json list_json(std::span<const Profile> profiles) {
  Json list = Json::array();
  for (const Profile& profile : profiles) {
    Json item = {{"id", profile.id}};
    item["aliases"] = profile.aliases;
    item["vendor"] = {{"en", profile.vendor.en}, {"zh", profile.vendor.zh}};
    item["name"] = {{"en", profile.name.en}, {"zh", profile.name.zh}};
    item["status"] = profile.status;
    item["iops"] = formulas(profile.iops);
    item["throughput"] = throughput_formulas(profile);
    item["dated"] = date_of(profile);
    item["source"] = profile.sources.front().url;
    list.push_back(std::move(item));
  }
  return list;
}

Result<std::string> show_text(const Profile& profile, const Inputs& inputs) {
  const Result<Quota> quota = evaluate(profile, inputs);
  if (!quota) return std::unexpected(quota.error());
  std::string text = fmt::format("{}: {}, {}\n", profile.id, sanitised(profile.vendor.en),
                                 sanitised(profile.name.en));
  text += fmt::format("Size: {} GiB, of {} to {} GiB\n", format_number(inputs.at("gib"), 3),
                      format_number(profile.min_gib, 3), format_number(profile.max_gib, 3));
  for (const std::string& line : quota->explain) text += line + "\n";
  return text + background(profile);
}

Result<Json> show_json(const Profile& profile, const Inputs& inputs) {
  const Result<Quota> quota = evaluate(profile, inputs);
  if (!quota) return std::unexpected(quota.error());
  Json json = {{"profile", profile_to_json(profile, inputs)}};
  json["quota"] = quota_to_json(*quota);
  return json;
}

}  // namespace diskaudit
