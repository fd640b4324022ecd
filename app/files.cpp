#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace diskaudit {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> cannot(const std::string& operation, const fs::path& file, int error) {
  return refusal(fmt::format("cannot {} {}: {}", operation, file.string(), std::strerror(error)));
}

// 0, or the errno of what failed.
int write_and_sync(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(fd) == 0 ? 0 : errno;
}

// Not every file system has files without a name, nor every root /proc.
int write_named(const fs::path& file, std::string_view content) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  const int error = write_and_sync(fd, content);
  return close(fd) != 0 && error == 0 ? errno : error;
}

// The file gets its name when it is whole, so that a kill leaves nothing: open(2), O_TMPFILE.
int write_unnamed(const fs::path& file, std::string_view content) {
  const int fd = open(folder_of(file).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  int error = write_and_sync(fd, content);
  const std::string link = fmt::format("/proc/self/fd/{}", fd);
  if (error == 0 &&
      linkat(AT_FDCWD, link.c_str(), AT_FDCWD, file.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    error = errno;
  }
  return close(fd) != 0 && error == 0 ? errno : error;
}

// Else a power cut could take the name back.
int sync_folder(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return 0;  // one may write there without being allowed to look
  const int error = fsync(fd) != 0 && errno != EINVAL ? errno : 0;
  close(fd);
  return error;
}

}  // namespace

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

Result<void> write_whole(const fs::path& file, std::string_view content) {
  const fs::path temporary = fs::path(file).concat(fmt::format(".tmp.{}", getpid()));
  int error = write_unnamed(temporary, content);
  if (error != 0) error = write_named(temporary, content);
  if (error == 0 && rename(temporary.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) error = sync_folder(folder_of(file));
  if (error == 0) return {};
  if (error != EEXIST) unlink(temporary.c_str());
  return cannot("write", file, error);
}

Result<void> check_writable(const fs::path& file) {
  if (!file.has_filename()) {
    return usage_error(fmt::format("cannot write '{}': it names no file", file.string()));
  }
  const fs::path folder = folder_of(file);
  std::error_code error;
  // A new file takes the place of an old one: that of a link, such as /dev/stdout, would be lost.
  if (fs::is_symlink(fs::symlink_status(file, error))) {
    return refusal(
        fmt::format("cannot write {}: it is a symbolic link; name the file itself", file.string()));
  }
  if (!fs::is_directory(folder, error)) {
    return refusal(fmt::format("cannot write {}: no folder {}; create it first", file.string(),
                               folder.string()));
  }
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    return refusal(fmt::format("cannot write {}: it is not a regular file", file.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) return cannot("write into", folder, errno);
  return {};
}

Result<std::string> read_whole(const fs::path& file, std::size_t limit) {
  std::error_code error;
  if (fs::is_directory(file, error))
    return usage_error(fmt::format("cannot read {}: it is a folder", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return usage_error(fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)));
  }
  std::string content(limit + 1, '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(in.gcount()));
  if (content.size() > limit) {
    return usage_error(fmt::format("cannot read {}: larger than {} bytes", file.string(), limit));
  }
  return content;
}

Result<fs::path> state_folder() {
  fs::path folder;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && *state == '/') {
    folder = fs::path(state) / "diskaudit";
  } else if (geteuid() == 0) {
    folder = "/var/lib/diskaudit";
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".local/state/diskaudit";
  } else {
    return refusal(
        "cannot keep a record: neither XDG_STATE_HOME nor HOME names a folder; set one, "
        "or say --no-save");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return refusal(
        fmt::format("cannot create state folder {}: {}; set XDG_STATE_HOME, or say "
                    "--no-save",
                    folder.string(), error.message()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) return cannot("write into", folder, errno);
  return folder;
}

}  // namespace diskaudit
