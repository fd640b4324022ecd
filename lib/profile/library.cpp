#include "profile/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>

#include "profile/called.hpp"
#include "profile/nearest.hpp"

namespace diskaudit {
namespace {

namespace fs = std::filesystem;

/// Files beyond this size are refused by the parser; there is no need to read them whole.
constexpr std::size_t read_limit = 64 * 1024 + 1;

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

Result<std::string> read_text(const fs::path& file) {
  std::error_code failure;
  if (fs::is_directory(file, failure))
    return usage_error(fmt::format("cannot read profile {}: it is a directory", file.string()));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return usage_error(
        fmt::format("cannot read profile {}: {}", file.string(), std::strerror(errno)));
  std::string text(read_limit, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return usage_error(fmt::format("cannot read profile {}", file.string()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

/// The id that a library file must bear: <vendor>-<type>.
std::string id_of(const fs::path& file) {
  return file.parent_path().filename().string() + "-" + file.stem().string();
}

struct Entry {
  std::string id{};
  fs::path file{};
  fs::path shadowed{};  ///< the file of the same id in a later folder
};

/// The profile files of all folders, sorted by id; of two with one id the first folder's.
std::vector<Entry> entries(const Library& library) {
  std::vector<Entry> found;
  for (const fs::path& folder : library.folders) {
    std::error_code failure;
    for (fs::directory_iterator vendor(folder, failure), end; !failure && vendor != end;
         vendor.increment(failure)) {
      std::error_code skipped;
      for (fs::directory_iterator file(vendor->path(), skipped); !skipped && file != end;
           file.increment(skipped)) {
        if (file->path().extension() == ".yaml")
          found.push_back({.id = id_of(file->path()), .file = *file});
      }
    }
  }
  std::ranges::stable_sort(found, {}, &Entry::id);
  std::vector<Entry> first;
  for (Entry& entry : found) {
    if (first.empty() || first.back().id != entry.id)
      first.push_back(std::move(entry));
    else if (first.back().shadowed.empty())
      first.back().shadowed = entry.file;
  }
  return first;
}

Result<Profile> load_entry(const Entry& entry) {
  // A pipe that nobody writes to would hold up whoever looks through the folder.
  std::error_code failure;
  const fs::file_status status = fs::status(entry.file, failure);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return usage_error(
        fmt::format("cannot read profile {}: it is no regular file", entry.file.string()));
  Result<Profile> profile = load_profile(entry.file);
  if (!profile) return profile;
  const Document& id = *profile->document.find("id");
  const auto fault = [&](const std::string& what) {
    return usage_error(fmt::format("{}:{}:{}: {}", entry.file.string(), id.line, id.column, what));
  };
  if (profile->id != entry.id)
    return fault(
        fmt::format("id '{}' must be '{}', as folder and file are named", profile->id, entry.id));
  // A verdict must not hang on a forgotten file of one's own.
  if (!entry.shadowed.empty() && !profile->replaces)
    return fault(
        fmt::format("id '{}' is also {}; add 'replaces: {}' to take its place, or choose "
                    "another id",
                    entry.id, entry.shadowed.string(), entry.id));
  return profile;
}

/// <vendor>-<type>, where both may hold '-': every place to cut is tried.
std::optional<Entry> entry_by_id(const Library& library, const std::string& id) {
  // Only what an id may hold goes into a path.
  if (!std::ranges::all_of(id, [](unsigned char c) {
        return c == '-' || std::isdigit(c) || (c >= 'a' && c <= 'z');
      }))
    return {};
  std::optional<Entry> found;
  for (const fs::path& folder : library.folders) {
    for (std::size_t dash = id.find('-'); dash != std::string::npos;
         dash = id.find('-', dash + 1)) {
      const fs::path file = folder / id.substr(0, dash) / (id.substr(dash + 1) + ".yaml");
      std::error_code failure;
      if (!fs::is_regular_file(file, failure)) continue;
      if (found) {
        found->shadowed = file;
        return found;
      }
      found = Entry{.id = id, .file = file};
    }
  }
  return found;
}

std::vector<std::string> names_of(const Profile& profile) {
  std::vector<std::string> names = profile.aliases;
  names.insert(names.end(), {profile.name.en, profile.name.zh});
  return names;
}

/// "Tencent CLOUD_SSD", "腾讯云高性能云硬盘": the names behind each way to call the vendor.
std::vector<std::string> names_with_vendor(const Profile& profile, const std::string& folder) {
  const LocalText& vendor = profile.vendor;
  const std::string brief = vendor.en.substr(0, vendor.en.find(' '));
  std::vector<std::string> all;
  for (const std::string& name : names_of(profile)) {
    for (const std::string& caller : {brief, vendor.en, vendor.zh})
      all.push_back(caller + " " + name);
    if (folder != lower(brief)) all.push_back(folder + " " + name);
    all.push_back(vendor.zh + name);
  }
  return all;
}

std::string no_such_profile(const Library& library, const std::string& name) {
  std::vector<std::string> known;
  std::vector<std::string> with_vendor;
  for (const Entry& entry : entries(library)) {
    known.push_back(entry.id);
    const Result<Profile> profile = load_profile(entry.file);
    if (!profile) continue;
    known.insert(known.end(), profile->aliases.begin(), profile->aliases.end());
    const std::string folder = entry.file.parent_path().filename().string();
    for (std::string& each : names_with_vendor(*profile, folder))
      with_vendor.push_back(std::move(each));
  }
  if (known.empty()) {
    std::vector<std::string> folders;
    for (const fs::path& folder : library.folders) folders.push_back(folder.string());
    return fmt::format("unknown profile '{}': there are no profiles in {}; set DISKAUDIT_PROFILES",
                       name, fmt::join(folders, ", "));
  }
  std::vector<std::string> near = nearest(name, known, 5);
  const std::vector<std::string> longer = nearest(name, with_vendor, 5);
  const auto distance = [&](const std::vector<std::string>& names) {
    return names.empty() ? std::string::npos : edit_distance(name, names.front());
  };
  if (distance(longer) < distance(near)) near = longer;
  if (near.empty())
    return fmt::format("unknown profile '{}'; 'diskaudit profiles list' shows all", name);
  return fmt::format("unknown profile '{}'; did you mean {}?", name, fmt::join(near, ", "));
}

}  // namespace

Result<Profile> load_profile(const fs::path& file) {
  const Result<std::string> text = read_text(file);
  if (!text) return std::unexpected(text.error());
  return parse_profile(*text, file.string());
}

Result<std::vector<Profile>> load_all(const Library& library) {
  std::vector<Profile> profiles;
  for (const Entry& entry : entries(library)) {
    Result<Profile> profile = load_entry(entry);
    if (!profile) return std::unexpected(profile.error());
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

Result<Profile> find_profile(const Library& library, const std::string& name) {
  if (name.ends_with(".yaml")) return load_profile(name);
  if (const std::optional<Entry> entry = entry_by_id(library, lower(name)))
    return load_entry(*entry);
  std::map<Call, std::vector<Profile>> found;
  for (const Entry& entry : entries(library)) {
    Result<Profile> profile = load_entry(entry);
    if (!profile) return profile;
    const std::string vendor = entry.file.parent_path().filename().string();
    const Call call = how_called(*profile, vendor, name);
    if (call != Call::None) found[call].push_back(std::move(*profile));
  }
  if (found.empty()) return usage_error(no_such_profile(library, name));
  // A code that another vendor has too must not quietly mean the one whose file gives it alone.
  auto& closest = found.begin()->second;
  if (closest.size() == 1 && !found.contains(Call::Part)) return std::move(closest.front());
  std::vector<std::string> ids;
  for (const auto& [call, profiles] : found) {
    for (const Profile& profile : profiles) ids.push_back(profile.id);
  }
  std::ranges::sort(ids);
  if (ids.size() == 1)
    return usage_error(fmt::format("unknown profile '{}'; did you mean {}?", name, ids.front()));
  return usage_error(fmt::format("profile name '{}' is ambiguous; give one of the ids {}", name,
                                 fmt::join(ids, ", ")));
}

}  // namespace diskaudit
