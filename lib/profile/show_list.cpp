#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "profile/called.hpp"
#include "profile/show.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

/// Formulas beyond this width would push the other columns off the screen.
constexpr std::size_t formula_columns = 44;

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

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
  const std::string text = formulas(profile.quota.throughput);
  return text.empty() ? "" : fmt::format("{} {}", text, name_of(profile.quota.unit));
}

/// Of the source that is named beside it; where it bears no date, when it was read.
std::string date_of(const Source& source, bool zh) {
  if (!source.dated.empty()) return source.dated;
  return fmt::format("{} {}", zh ? "查阅于" : "read", source.read);
}

bool holds(std::string_view text, const std::string& wanted) {
  return lower(text).find(wanted) != std::string::npos;
}

}  // namespace

std::vector<Profile> filtered(std::span<const Profile> profiles, std::string_view vendor,
                              std::string_view text) {
  const std::string by = lower(vendor);
  const std::string wanted = lower(text);
  std::vector<Profile> found;
  for (const Profile& profile : profiles) {
    const bool of_vendor = by.empty() || profile.id.starts_with(by + "-") ||
                           holds(profile.vendor.en, by) || holds(profile.vendor.zh, by) ||
                           is_vendor(profile, vendor);
    const auto is_here = [&](std::string_view where) { return holds(where, wanted); };
    const bool has_text = is_here(profile.id) || is_here(profile.name.en) ||
                          is_here(profile.name.zh) || is_here(profile.vendor.en) ||
                          is_here(profile.vendor.zh) ||
                          std::ranges::any_of(profile.aliases, is_here) ||
                          how_called(profile, "", text) != Call::None;
    if (of_vendor && has_text) found.push_back(profile);
  }
  return found;
}

std::string list_text(std::span<const Profile> profiles, const ShowStyle& style) {
  const bool zh = style.language == Language::Chinese;
  std::vector<std::vector<std::string>> rows;
  if (zh)
    rows.push_back({"ID", "类型", "IOPS", "吞吐量", "日期", "来源"});
  else
    rows.push_back({"ID", "TYPE", "IOPS", "THROUGHPUT", "DATED", "SOURCE"});
  for (const Profile& profile : profiles) {
    const std::string type = zh ? profile.vendor.zh + "，" + profile.name.zh
                                : profile.vendor.en + ", " + profile.name.en;
    rows.push_back({profile.id, sanitised(type),
                    clipped(formulas(profile.quota.iops), formula_columns),
                    clipped(throughput_formulas(profile), formula_columns),
                    date_of(profile.sources.front(), zh), sanitised(profile.sources.front().url)});
  }
  std::string text;
  for (const std::string& line : aligned(rows, "llllll")) text += line + "\n";
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
    item["iops"] = formulas(profile.quota.iops);
    item["throughput"] = throughput_formulas(profile);
    const Source& source = profile.sources.front();
    item["dated"] = source.dated.empty() ? Json() : Json(source.dated);
    item["read"] = source.read;
    item["source"] = source.url;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace diskaudit
