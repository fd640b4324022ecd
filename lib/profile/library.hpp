#pragma once
/// Finds profiles: the installed library, `DISKAUDIT_PROFILES`, or a file of the user's own.

#include <filesystem>
#include <string>
#include <vector>

#include "error.hpp"
#include "profile/profile.hpp"

namespace diskaudit {

/// Folders that are searched, first match first. Layout: <folder>/<vendor>/<type>.yaml.
struct Library {
  std::vector<std::filesystem::path> folders{};
};

/// The profile that `name` means: a path ending in .yaml, an id, or what how_called() knows. A name
/// of several is an error that lists their ids, an unknown one near matches. An id reads only its
/// own file.
Result<Profile> find_profile(const Library& library, const std::string& name);

/// Every profile of the library, sorted by id; the first faulty file is the error.
Result<std::vector<Profile>> load_all(const Library& library);

/// Reads and checks one file.
Result<Profile> load_profile(const std::filesystem::path& file);

}  // namespace diskaudit
