#pragma once
/// A cgroup that holds a program to a share of one CPU, in either version of cgroups.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "support/catch.hpp"

namespace diskaudit {

class CpuCgroup {
 public:
  /// Skips the test where this machine has no CPU controller.
  explicit CpuCgroup(int percent) {
    const std::string period = "100000";
    const std::string quota = std::to_string(percent * 1000);
    const std::string name = "/diskaudit-test-cpu-" + std::to_string(getpid());
    path_ = "/sys/fs/cgroup/cpu" + name;
    if (mkdir(path_.c_str(), 0755) == 0) {
      if (set("cpu.cfs_period_us", period) && set("cpu.cfs_quota_us", quota)) return;
      remove();
    }
    path_ = "/sys/fs/cgroup" + name;
    std::ofstream("/sys/fs/cgroup/cgroup.subtree_control") << "+cpu";
    if (mkdir(path_.c_str(), 0755) == 0) {
      if (set("cpu.max", quota + " " + period)) return;
      remove();
    }
    skip("no cgroup controller for CPU time");
  }
  ~CpuCgroup() { remove(); }
  CpuCgroup(const CpuCgroup&) = delete;
  CpuCgroup& operator=(const CpuCgroup&) = delete;

  /// For ProcessOptions::before_exec.
  std::function<void()> join() const {
    return [path = path_ + "/cgroup.procs"] {
      const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd < 0 || write(fd, "0", 1) != 1) _exit(126);
      close(fd);
    };
  }

 private:
  bool set(const std::string& file, const std::string& value) const {
    std::ofstream stream(path_ + "/" + file);
    return static_cast<bool>(stream << value << std::flush);
  }
  // A killed program's last thread may be a moment in leaving.
  void remove() const {
    for (int i = 0; i < 50 && rmdir(path_.c_str()) != 0; ++i) usleep(20'000);
  }

  std::string path_{};
};

}  // namespace diskaudit
