#include "device/inspect_cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "device/inspect_tree.hpp"

namespace diskaudit {

namespace {

/// point/a/b, point/a, point for the path "/a/b".
std::vector<std::string> folders_up(const std::string& point, std::string path) {
  std::vector<std::string> folders;
  while (path.size() > 1) {
    folders.push_back(point + path);
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
  folders.push_back(point);
  return folders;
}

/// The folder of this process's group in the hierarchy of `controller` ("" for version 2), and
/// those above it, nearest first; none where there is no such hierarchy.
std::vector<std::string> group_folders(const SystemRoot& root, const std::string& controller) {
  std::string path;
  std::istringstream lines(root.read("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    // "7:blkio,other:/path", and "0::/path" for version 2
    const std::size_t names = line.find(':');
    const std::size_t end = line.find(':', names + 1);
    if (names == std::string::npos || end == std::string::npos) continue;
    const std::string controllers = line.substr(names + 1, end - names - 1);
    const bool found =
        controller.empty() ? controllers.empty() : has_option(controllers, controller);
    if (found) path = line.substr(end + 1);
  }
  if (path.empty()) return {};
  for (const Mount& mount : read_mounts(root)) {
    const bool found = controller.empty()
                           ? mount.filesystem == "cgroup2"
                           : mount.filesystem == "cgroup" && has_option(mount.options, controller);
    if (!found) continue;
    // A container sees its own group as the root of the mount, and may see its full path here.
    if (mount.root != "/" && path.starts_with(mount.root)) path.erase(0, mount.root.size());
    if (path.find("..") != std::string::npos) path.clear();
    return folders_up(mount.point, path);
  }
  return {};
}

template <typename Quantity>
void lower_to(std::optional<Quantity>& limit, std::string_view text) {
  double value = 0;
  const auto end = text.data() + text.size();
  // "max" is no limit, and neither is 0 in version 1.
  if (std::from_chars(text.data(), end, value).ec != std::errc{} || value <= 0) return;
  if (!limit || value < limit->value) limit = Quantity{value};
}

/// "254:0 rbps=1048576 wbps=max riops=100 wiops=max"
void read_io_max(const std::string& text, const std::string& number, Environment& environment) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != number) continue;
    while (words >> word) {
      const std::string_view value = std::string_view(word).substr(word.find('=') + 1);
      if (word.starts_with("rbps=")) lower_to(environment.cgroup_read_throughput, value);
      if (word.starts_with("wbps=")) lower_to(environment.cgroup_write_throughput, value);
      if (word.starts_with("riops=")) lower_to(environment.cgroup_read_iops, value);
      if (word.starts_with("wiops=")) lower_to(environment.cgroup_write_iops, value);
    }
  }
}

/// "254:0 1048576": the value of `number`, or nothing.
std::string throttle(const SystemRoot& root, const std::string& file, const std::string& number) {
  std::istringstream lines(root.read(file));
  std::string device;
  std::string value;
  while (lines >> device >> value)
    if (device == number) return value;
  return {};
}

void read_throttles(const SystemRoot& root, const std::string& group, const std::string& number,
                    Environment& environment) {
  const std::string files = group + "/blkio.throttle.";
  lower_to(environment.cgroup_read_throughput, throttle(root, files + "read_bps_device", number));
  lower_to(environment.cgroup_write_throughput, throttle(root, files + "write_bps_device", number));
  lower_to(environment.cgroup_read_iops, throttle(root, files + "read_iops_device", number));
  lower_to(environment.cgroup_write_iops, throttle(root, files + "write_iops_device", number));
}

}  // namespace

void read_io_limits(const SystemRoot& root, const BlockDevice& device, Environment& environment) {
  std::vector<std::string> numbers = {device.number};
  for (const std::string& lower : device.lower)
    numbers.push_back(root.read("/sys/block/" + lower + "/dev"));
  const auto groups = group_folders(root, "");
  const auto first_version_groups = group_folders(root, "blkio");
  for (const std::string& number : numbers) {
    for (const std::string& group : groups)
      read_io_max(root.read(group + "/io.max"), number, environment);
    if (!first_version_groups.empty())
      read_throttles(root, first_version_groups.front(), number, environment);
  }
}

double cpu_quota(const SystemRoot& root) {
  double smallest = 0;
  const auto lower = [&smallest](const std::string& quota, const std::string& period) {
    double allowed = 0;
    double every = 0;
    std::from_chars(quota.data(), quota.data() + quota.size(), allowed);
    std::from_chars(period.data(), period.data() + period.size(), every);
    if (allowed <= 0 || every <= 0) return;
    if (smallest == 0 || allowed / every < smallest) smallest = allowed / every;
  };
  for (const std::string& group : group_folders(root, "")) {
    std::istringstream words(root.read(group + "/cpu.max"));
    std::string quota;
    std::string period;
    if (words >> quota >> period) lower(quota, period);
  }
  for (const std::string& group : group_folders(root, "cpu"))
    lower(root.read(group + "/cpu.cfs_quota_us"), root.read(group + "/cpu.cfs_period_us"));
  return smallest;
}

}  // namespace diskaudit
