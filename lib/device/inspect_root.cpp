#include <fcntl.h>
#include <unistd.h>

#include "device/inspect.hpp"

namespace diskaudit {

namespace {

// Longer than any file of /proc or /sys that is read whole; mountinfo of a busy container host is
// the longest, with some hundred bytes a mount.
constexpr std::size_t longest_file = 8 << 20;

}  // namespace

std::filesystem::path SystemRoot::at(const std::string& path) const {
  return folder / std::filesystem::path(path).relative_path();
}

std::string SystemRoot::read(const std::string& path) const {
  std::string text;
  const int fd = ::open(at(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return text;
  char buffer[4096];
  while (text.size() < longest_file) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(fd);
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

}  // namespace diskaudit
