#include "profile_folders.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

namespace diskaudit {
namespace {

namespace fs = std::filesystem;

// A binary that was moved together with its prefix, or copied with a folder "profiles" beside it.
std::vector<fs::path> shipped_candidates() {
  std::vector<fs::path> candidates;
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    candidates.push_back(binary.parent_path() / "profiles");
    candidates.push_back(binary.parent_path().parent_path() / "share/diskaudit/profiles");
    if (binary.parent_path() == fs::path(DISKAUDIT_BUILD)) {
      candidates.emplace_back(DISKAUDIT_SOURCE_PROFILES);
    }
  }
  candidates.emplace_back(DISKAUDIT_DATA);
  return candidates;
}

}  // namespace

Library profile_library() {
  Library library;
  // The user's own come first: only then can one take the place of a shipped profile.
  const char* own = std::getenv("DISKAUDIT_PROFILES");
  std::istringstream folders(own == nullptr ? "" : own);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) library.folders.emplace_back(folder);
  }
  std::error_code error;
  for (const fs::path& candidate : shipped_candidates()) {
    if (!fs::is_directory(candidate, error)) continue;
    library.folders.push_back(candidate);
    break;
  }
  return library;
}

}  // namespace diskaudit
