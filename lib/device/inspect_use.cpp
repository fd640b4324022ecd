#include "device/inspect_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "device/inspect_tree.hpp"

namespace diskaudit {

namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The mount tables of all namespaces that this user may look into, the own one first.
std::vector<std::vector<Mount>> all_mount_tables(const SystemRoot& root) {
  std::vector<std::vector<Mount>> tables = {read_mounts(root)};
  std::set<std::filesystem::path> seen;
  std::error_code error;
  seen.insert(std::filesystem::read_symlink(root.at("/proc/self/ns/mnt"), error));
  for (const std::string& process : names_in(root, "/proc")) {
    if (process.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto space =
        std::filesystem::read_symlink(root.at("/proc/" + process + "/ns/mnt"), error);
    if (error || !seen.insert(space).second) continue;
    tables.push_back(parse_mountinfo(root.read("/proc/" + process + "/mountinfo")));
  }
  return tables;
}

Names find_mounts(const SystemRoot& root, const Names& devices) {
  Names found;
  bool own = true;
  for (const auto& table : all_mount_tables(root)) {
    for (const Mount& mount : table) {
      const std::string device = device_of_mount(root, mount);
      if (device.empty() || !contains(devices, device)) continue;
      found.push_back(fmt::format("{} is mounted on {}{}", device, mount.point,
                                  own ? "" : " in another namespace"));
    }
    own = false;
  }
  return found;
}

Names find_swaps(const SystemRoot& root, const Names& devices) {
  Names found;
  std::istringstream lines(root.read("/proc/swaps"));
  std::string line;
  std::getline(lines, line);  // headings
  while (std::getline(lines, line)) {
    const std::string device = device_of_node(root, line.substr(0, line.find_first_of(" \t")));
    if (!device.empty() && contains(devices, device))
      found.push_back(fmt::format("{} is swap space in use", device));
  }
  return found;
}

Names find_holders(const SystemRoot& root, const Names& devices) {
  Names found;
  for (const std::string& device : devices)
    for (const std::string& holder : names_in(root, "/sys/class/block/" + device + "/holders")) {
      const std::string name = root.read("/sys/class/block/" + holder + "/dm/name");
      found.push_back(fmt::format("{} is part of {}{}", device, holder,
                                  name.empty() ? "" : fmt::format(" ({})", name)));
    }
  return found;
}

Names find_members(const SystemRoot& root, const Names& devices) {
  Names found;
  for (const std::string& other : names_in(root, "/sys/block")) {
    const std::string file = root.read("/sys/block/" + other + "/loop/backing_file");
    if (!file.starts_with("/dev/")) continue;
    const std::string below = device_of_node(root, file);
    if (contains(devices, below)) found.push_back(fmt::format("{} is below {}", below, other));
  }
  for (const std::string& filesystem : names_in(root, "/sys/fs/btrfs"))
    for (const std::string& member : names_in(root, "/sys/fs/btrfs/" + filesystem + "/devices"))
      if (contains(devices, member))
        found.push_back(fmt::format("{} is part of the mounted btrfs {}", member, filesystem));
  return found;
}

/// "/dev/disk/by-uuid/X" and UUID="X" → "UUID=X", whether there is such a link or not.
std::string tag_in(std::string field) {
  std::erase_if(field, [](char c) { return c == '"' || c == '\''; });
  for (const auto& [folder, key] : {std::pair{"by-uuid/", "UUID="},
                                    {"by-label/", "LABEL="},
                                    {"by-partuuid/", "PARTUUID="},
                                    {"by-partlabel/", "PARTLABEL="}}) {
    const std::string prefix = std::string("/dev/disk/") + folder;
    if (field.starts_with(prefix)) return key + field.substr(prefix.size());
  }
  return field;
}

/// Lines of a table of the boot whose `column`th field leads to one of the devices.
void find_references(const SystemRoot& root, const std::string& file, int column,
                     const Names& devices, const Names& tags, Names& found) {
  std::istringstream lines(root.read(file));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i <= column; ++i)
      if (!(fields >> field) || field.starts_with("#")) field.clear();
    if (field.empty()) continue;
    const std::string tag = tag_in(field);
    bool named = contains(tags, tag);
    for (const std::string& device : devices) named |= field == "/dev/" + device;
    if (!named && field.starts_with("/dev/"))
      named = contains(devices, device_of_node(root, field));
    if (named) found.push_back(fmt::format("{} line {} names it by {}", file, number, tag));
  }
}

/// The whole devices that a mount's file system rests on, from the top down.
Names disks_of(const SystemRoot& root, const Mount& mount) {
  const std::string device = device_of_mount(root, mount);
  if (device.empty()) return {};
  Names disks = {whole_device(root, device)};
  for (const std::string& lower : lower_devices(root, disks.front())) disks.push_back(lower);
  return disks;
}

/// What the machine cannot do without, as this process and the first one see it.
Names find_system(const SystemRoot& root, const std::string& disk) {
  std::error_code error;
  Names folders = {"/", "/boot", "/boot/efi", "/usr", "/var"};
  const auto binary = std::filesystem::read_symlink(root.at("/proc/self/exe"), error);
  if (!error) folders.push_back(binary.parent_path());
  Names found;
  for (const char* process : {"self", "1"}) {
    const auto mounts = parse_mountinfo(root.read(fmt::format("/proc/{}/mountinfo", process)));
    for (const std::string& folder : folders) {
      const Mount* mount = mount_of(mounts, folder, "");
      if (mount == nullptr || !contains(disks_of(root, *mount), disk)) continue;
      const std::string sentence = mount->point + ", which the system needs, is on it";
      if (!contains(found, sentence)) found.push_back(sentence);
    }
  }
  return found;
}

Names find_twins(const SystemRoot& root, const BlockDevice& device) {
  Names twins;
  if (device.serial.empty()) return twins;
  for (const std::string& other : names_in(root, "/sys/block")) {
    if (other == device.name || root.read("/sys/block/" + other + "/hidden") == "1") continue;
    const BlockDevice facts = inspect_device(root, other);
    const bool same_stack = contains(facts.lower, device.name) || contains(device.lower, other);
    if (facts.serial == device.serial && !same_stack) twins.push_back(other);
  }
  return twins;
}

}  // namespace

std::vector<std::string> touched_devices(const SystemRoot& root, const Disk& disk) {
  const std::string target = device_of_number(root, disk.number);
  Names devices = {target};
  if (target != disk.device.name) {
    devices.push_back(disk.device.name);
    return devices;
  }
  for (const std::string& name : names_in(root, "/sys/block/" + target))
    if (!root.read("/sys/block/" + target + "/" + name + "/partition").empty())
      devices.push_back(name);
  return devices;
}

void inspect_use(const SystemRoot& root, const std::vector<std::string>& tags, GuardFacts& facts) {
  const Names devices = touched_devices(root, facts.disk);
  const std::string& disk = facts.disk.device.name;
  for (const std::string& link : names_in(root, "/dev/disk/by-id"))
    if (contains({devices.front(), disk}, link_target(root, "/dev/disk/by-id/" + link)))
      facts.by_ids.push_back(link);
  std::stable_sort(facts.by_ids.begin(), facts.by_ids.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  facts.twins = find_twins(root, facts.disk.device);
  facts.system = find_system(root, disk);
  facts.mounts = find_mounts(root, devices);
  facts.swaps = find_swaps(root, devices);
  facts.holders = find_holders(root, devices);
  facts.members = find_members(root, devices);
  find_references(root, "/etc/fstab", 0, devices, tags, facts.references);
  find_references(root, "/etc/crypttab", 1, devices, tags, facts.references);
  facts.removable = root.read("/sys/block/" + disk + "/removable") == "1";
}

}  // namespace diskaudit
