#include "profile/called.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

namespace diskaudit {
namespace {

/// What vendors are also called, by how their ids start.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> nicknames = {{
    {"alibaba-", "aliyun"},
    {"aws-", "amazon"},
    {"aws-", "amazonwebservices"},
    {"aws-", "亚马逊云科技"},
    {"azure-", "微软云"},
    {"gcp-", "googlecloudplatform"},
    {"gcp-", "谷歌云"},
    {"open-telekom-cloud-", "otc"},
    {"oracle-", "oci"},
    {"oracle-", "甲骨文云"},
}};

/// Small letters without what people put between words: "ESSD_PL0" and "essd pl0" are one name.
std::string plain(std::string_view text) {
  constexpr std::string_view between = " _-.=()";
  std::string result;
  for (const char c : text) {
    if (between.find(c) != std::string_view::npos) continue;
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

/// Each word of the vendor's name alone, too: "Tencent", "BytePlus".
std::set<std::string> callers(const Profile& profile, std::string_view folder) {
  std::set<std::string> names = {plain(folder), plain(profile.vendor.en), plain(profile.vendor.zh)};
  for (std::string_view rest = profile.vendor.en; !rest.empty();) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    names.insert(plain(rest.substr(0, space)));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  for (const auto& [start, nickname] : nicknames) {
    if (profile.id.starts_with(start)) names.emplace(nickname);
  }
  names.erase("");
  names.erase("cloud");
  return names;
}

/// What stands behind each way to call the vendor at the start of a plain name.
std::set<std::string> behind(const std::set<std::string>& callers, const std::string& name) {
  std::set<std::string> rests;
  for (const std::string& caller : callers) {
    if (name.starts_with(caller) && name != caller) rests.insert(name.substr(caller.size()));
  }
  return rests;
}

/// Dash for dash: Scaleway's code b_ssd is not Tencent's bssd.
bool is_type(const Profile& profile, std::string_view folder, std::string_view name) {
  const auto dashed = [](unsigned char c) {
    return std::string_view(" _.").contains(static_cast<char>(c)) ? '-' : std::tolower(c);
  };
  return !folder.empty() &&
         std::ranges::equal(profile.id.substr(folder.size() + 1), name, {}, {}, dashed);
}

}  // namespace

Call how_called(const Profile& profile, std::string_view folder, std::string_view name) {
  const std::string wanted = plain(name);
  if (wanted.empty()) return Call::None;
  const std::set<std::string> vendor = callers(profile, folder);
  std::set<std::string> names = {plain(profile.name.en), plain(profile.name.zh)};
  for (const std::string& alias : profile.aliases) names.insert(plain(alias));
  if (names.contains(wanted) || wanted == plain(profile.id)) return Call::Name;
  // Behind the longest: "Swiss OTC SAS" means SAS, not "OTC SAS".
  std::set<std::string> codes;
  for (const std::string& each : names) {
    const std::set<std::string> rests = behind(vendor, each);
    if (!rests.empty()) codes.insert(*std::ranges::min_element(rests, {}, &std::string::size));
  }
  const std::string type = folder.empty() ? "" : plain(profile.id.substr(folder.size()));
  const std::set<std::string> rests = behind(vendor, wanted);
  const auto is_code = [&](const auto& rest) {
    return names.contains(rest) || codes.contains(rest);
  };
  if (std::ranges::any_of(rests, is_code)) return Call::Name;
  if (!type.empty() && rests.contains(type)) return Call::Type;
  return codes.contains(wanted) || is_type(profile, folder, name) ? Call::Part : Call::None;
}

bool is_vendor(const Profile& profile, std::string_view name) {
  return callers(profile, "").contains(plain(name));
}

}  // namespace diskaudit
