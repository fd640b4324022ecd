#include "device/inspect_tree.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <charconv>

namespace diskaudit {

namespace {

bool exists(const SystemRoot& root, const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(root.at(path), ignored);
}

/// What a loop device shows: its file, or the device that it was set up on.
std::string device_below_loop(const SystemRoot& root, const std::string& name) {
  std::string file = root.read("/sys/block/" + name + "/loop/backing_file");
  constexpr std::string_view deleted = " (deleted)";
  if (file.ends_with(deleted)) file.resize(file.size() - deleted.size());
  if (file.empty()) return {};
  if (file.starts_with("/dev/")) {
    const std::string device = device_of_node(root, file);
    if (!device.empty()) return device;
  }
  // By the mount table, not by stat: the file may be served by a program that hangs.
  const auto mounts = read_mounts(root);
  const Mount* mount = mount_of(mounts, file, "");
  return mount != nullptr ? device_of_mount(root, *mount) : std::string{};
}

/// nvme0n1 with multipath is reached through nvme0c0n1, nvme0c1n1, …
/// (drivers/nvme/host/multipath.c).
std::vector<std::string> nvme_paths(const SystemRoot& root, const std::string& name) {
  const std::size_t n = name.rfind('n');
  if (!name.starts_with("nvme") || n == std::string::npos || n < 5) return {};
  const std::string head = name.substr(0, n) + "c";
  const std::string tail = name.substr(n);
  std::vector<std::string> paths;
  for (const std::string& other : names_in(root, "/sys/block"))
    if (other.starts_with(head) && other.ends_with(tail) &&
        other.size() > head.size() + tail.size())
      paths.push_back(other);
  return paths;
}

std::vector<std::string> directly_below(const SystemRoot& root, const std::string& name) {
  std::vector<std::string> below = names_in(root, "/sys/block/" + name + "/slaves");
  for (const std::string& path : nvme_paths(root, name)) below.push_back(path);
  const std::string disk = device_below_loop(root, name);
  if (!disk.empty()) below.push_back(disk);
  return below;
}

}  // namespace

std::vector<std::string> names_in(const SystemRoot& root, const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(root.at(folder), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    names.push_back(entry->path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string link_target(const SystemRoot& root, const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(root.at(path), error);
  return error ? std::string{} : target.filename().string();
}

std::uint64_t read_number(const SystemRoot& root, const std::string& path) {
  const std::string text = root.read(path);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<Mount> read_mounts(const SystemRoot& root) {
  return parse_mountinfo(root.read("/proc/self/mountinfo"));
}

std::string device_of_number(const SystemRoot& root, const std::string& number) {
  return number.empty() ? std::string{} : link_target(root, "/sys/dev/block/" + number);
}

std::string device_of_node(const SystemRoot& root, const std::string& path) {
  struct stat node {};
  if (::stat(root.at(path).c_str(), &node) != 0) return {};
  if (S_ISBLK(node.st_mode))
    return device_of_number(
        root, std::to_string(major(node.st_rdev)) + ":" + std::to_string(minor(node.st_rdev)));
  // A fixture has no device nodes: there a file of the device's name stands for it.
  const std::string name = link_target(root, path);
  const bool real = root.folder == "/" || !exists(root, "/sys/class/block/" + name);
  return real ? std::string{} : name;
}

std::string device_of_mount(const SystemRoot& root, const Mount& mount) {
  const std::string device = device_of_number(root, mount.number);
  if (!device.empty() || !mount.source.starts_with("/dev/")) return device;
  return device_of_node(root, mount.source);
}

std::string whole_device(const SystemRoot& root, const std::string& name) {
  const std::string folder = "/sys/class/block/" + name;
  if (!exists(root, folder + "/partition")) return name;
  std::error_code error;
  const auto place = std::filesystem::canonical(root.at(folder), error);
  return error ? name : place.parent_path().filename().string();
}

std::vector<std::string> lower_devices(const SystemRoot& root, const std::string& name) {
  std::vector<std::string> found;
  std::vector<std::string> level = {name};
  while (!level.empty()) {
    std::vector<std::string> next;
    for (const std::string& upper : level)
      for (const std::string& member : directly_below(root, upper)) {
        const std::string disk = whole_device(root, member);
        if (disk == name || std::find(found.begin(), found.end(), disk) != found.end()) continue;
        found.push_back(disk);
        next.push_back(disk);
      }
    level = std::move(next);
  }
  return found;
}

}  // namespace diskaudit
