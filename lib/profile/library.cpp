#include "profile/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

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
  std::string id;
  fs::path file;
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
        if (file->path().extension() == ".yaml") found.push_back({id_of(file->path()), *file});
      }
    }
  }
  std::ranges::stable_sort(found, {}, &Entry::id);
  const auto [first, last] = std::ranges::unique(found, {}, &Entry::id);
  found.erase(first, last);
  return found;
}

Result<Profile> load_entry(const Entry& entry) {
  Result<Profile> profile = load_profile(entry.file);
  if (profile && profile->id != entry.id)
    return usage_error(fmt::format("{}:{}:{}: id '{}' must be '{}', as folder and file are named",
                                   entry.file.string(), profile->document.find("id")->line,
                                   profile->document.find("id")->column, profile->id, entry.id));
  return profile;
}

/// <vendor>-<type>, where both may hold '-': every place to cut is tried.
std::optional<Entry> entry_by_id(const Library& library, const std::string& id) {
  // Only what an id may hold goes into a path.
  if (!std::ranges::all_of(id, [](unsigned char c) {
        return c == '-' || std::isdigit(c) || (c >= 'a' && c <= 'z');
      }))
    return {};
  for (const fs::path& folder : library.folders) {
    for (std::size_t dash = id.find('-'); dash != std::string::npos;
         dash = id.find('-', dash + 1)) {
      const fs::path file = folder / id.substr(0, dash) / (id.substr(dash + 1) + ".yaml");
      std::error_code failure;
      if (fs::is_regular_file(file, failure)) return Entry{id, file};
    }
  }
  return {};
}

std::string no_such_profile(const Library& library, const std::string& name) {
  std::vector<std::string> known;
  for (const Entry& entry : entries(library)) {
    known.push_back(entry.id);
    const Result<Profile> profile = load_profile(entry.file);
    if (profile) known.insert(known.end(), profile->aliases.begin(), profile->aliases.end());
  }
  if (known.empty()) {
    std::vector<std::string> folders;
    for (const fs::path& folder : library.folders) folders.push_back(folder.string());
    return fmt::format("unknown profile '{}': there are no profiles in {}; set DISKAUDIT_PROFILES",
                       name, fmt::join(folders, ", "));
  }
  const std::vector<std::string> near = nearest(name, known, 5);
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
  const std::string wanted = lower(name);
  if (const std::optional<Entry> entry = entry_by_id(library, wanted)) return load_entry(*entry);
  for (const Entry& entry : entries(library)) {
    // A look at the text first: parsing every file to find one alias would be slow.
    const Result<std::string> text = read_text(entry.file);
    if (!text || lower(*text).find(wanted) == std::string::npos) continue;
    Result<Profile> profile = load_entry(entry);
    if (!profile) return profile;
    const auto is_wanted = [&](const std::string& alias) { return lower(alias) == wanted; };
    if (std::ranges::any_of(profile->aliases, is_wanted)) return profile;
  }
  return usage_error(no_such_profile(library, name));
}

}  // namespace diskaudit
