#include "support/scripted_disk_cgroup.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace diskaudit {
namespace {

bool has_word(const std::string& words, const std::string& word, char separator) {
  std::istringstream stream(words);
  for (std::string part; std::getline(stream, part, separator);) {
    if (part == word) return true;
  }
  return false;
}

/// One write call: the kernel reads each as a setting of its own.
bool write_setting(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool is_written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int cause = errno;
  close(fd);
  errno = cause;
  return is_written;
}

}  // namespace

std::string throttling_cgroup(const std::string& name) {
  std::ifstream mounts("/proc/self/mounts");
  std::string source, folder, type, options, rest;
  while (mounts >> source >> folder >> type >> options && std::getline(mounts, rest)) {
    if (type == "cgroup" && has_word(options, "blkio", ',')) return folder + "/" + name;
    if (type != "cgroup2") continue;
    std::ifstream file(folder + "/cgroup.controllers");
    std::string controllers;
    std::getline(file, controllers);
    if (has_word(controllers, "io", ' ')) return folder + "/" + name;
  }
  return "";
}

bool wants_cgroup(const Script& script) {
  return script.cgroup_read_iops > 0 || script.cgroup_write_iops > 0 ||
         script.cgroup_read_bytes > 0 || script.cgroup_write_bytes > 0;
}

Result<void> make_cgroup(const std::string& path, int device, const Script& script) {
  const auto failed = [&] {
    return refusal(
        fmt::format("cannot make a throttling cgroup {}: {}", path, std::strerror(errno)));
  };
  struct stat info {};
  if (path.empty() || mkdir(path.c_str(), 0755) != 0 || fstat(device, &info) != 0) return failed();
  const bool is_v1 = access((path + "/blkio.throttle.read_iops_device").c_str(), W_OK) == 0;
  if (!is_v1) write_setting(path + "/../cgroup.subtree_control", "+io");
  struct Setting {
    double limit;
    const char *v1, *v2;
  };
  const Setting settings[] = {
      {script.cgroup_read_iops, "blkio.throttle.read_iops_device", "riops"},
      {script.cgroup_write_iops, "blkio.throttle.write_iops_device", "wiops"},
      {script.cgroup_read_bytes, "blkio.throttle.read_bps_device", "rbps"},
      {script.cgroup_write_bytes, "blkio.throttle.write_bps_device", "wbps"}};
  for (const auto& setting : settings) {
    if (setting.limit <= 0) continue;
    const auto number = fmt::format("{}:{}", major(info.st_rdev), minor(info.st_rdev));
    const bool is_set =
        is_v1 ? write_setting(path + "/" + setting.v1,
                              fmt::format("{} {:.0f}", number, setting.limit))
              : write_setting(path + "/io.max",
                              fmt::format("{} {}={:.0f}", number, setting.v2, setting.limit));
    if (!is_set) return failed();
  }
  return {};
}

void remove_cgroup(const std::string& path) {
  if (path.empty() || rmdir(path.c_str()) == 0 || errno != EBUSY) return;
  std::ifstream members(path + "/cgroup.procs");
  for (std::string process; std::getline(members, process);) {
    write_setting(path + "/../cgroup.procs", process);
  }
  rmdir(path.c_str());
}

}  // namespace diskaudit
