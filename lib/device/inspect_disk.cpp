#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "device/inspect.hpp"
#include "device/inspect_tree.hpp"

namespace diskaudit {

namespace {

// A test file is 5 GiB by default; with less free, a place is hardly worth recommending.
constexpr std::uint64_t worth_naming = GiB;

std::string number_of(dev_t device) { return fmt::format("{}:{}", major(device), minor(device)); }

std::uint64_t free_space(const struct statfs& space) {
  return space.f_bavail * static_cast<std::uint64_t>(space.f_bsize);
}

/// " (ext4, 93 GiB free)" of the mount with the most room that this user may write to and that lies
/// on a disk; empty if there is none.
std::string place_that_would_do(const SystemRoot& root) {
  std::string best;
  std::uint64_t most = worth_naming;
  for (const Mount& mount : read_mounts(root)) {
    struct statfs space {};
    if (!why_no_disk(mount.filesystem, 0).empty() || device_of_mount(root, mount).empty()) continue;
    const std::string folder = root.at(mount.point);
    struct stat place {};
    if (has_option(mount.options, "ro") || ::stat(folder.c_str(), &place) != 0 ||
        !S_ISDIR(place.st_mode) || ::access(folder.c_str(), W_OK) != 0 ||
        ::statfs(folder.c_str(), &space) != 0 || free_space(space) < most)
      continue;
    most = free_space(space);
    best = fmt::format("use --disk {} ({}, {} free)", mount.point, mount.filesystem,
                       format_size(Bytes{most / GiB * GiB}));
  }
  return best.empty() ? "name a folder on a disk with --disk" : best;
}

/// Whether files on `mount` may be on any of several disks; the kernel names one of them alone.
bool spans_several_disks(const SystemRoot& root, const std::string& device) {
  for (const std::string& filesystem : names_in(root, "/sys/fs/btrfs")) {
    const auto members = names_in(root, "/sys/fs/btrfs/" + filesystem + "/devices");
    for (const std::string& member : members)
      if (member == device && members.size() > 1) return true;
  }
  return false;
}

bool copies_on_write(const Mount& mount) {
  if (mount.filesystem == "btrfs") return !has_option(mount.options, "nodatacow");
  return mount.filesystem == "bcachefs" || mount.filesystem == "nilfs2" ||
         mount.filesystem == "f2fs";
}

void describe_mount(const Mount& mount, Disk& disk) {
  disk.filesystem = mount.filesystem;
  disk.mount_point = mount.point;
  disk.mount_options = mount.options;
  disk.copy_on_write = copies_on_write(mount);
  disk.compressing =
      has_option(mount.options, "compress") || has_option(mount.options, "compress-force") ||
      has_option(mount.options, "compression") || has_option(mount.options, "compress_algorithm");
}

/// Fills in the whole device behind `name`, which may be a partition.
void describe_device(const SystemRoot& root, const std::string& name, Disk& disk) {
  disk.device = inspect_device(root, whole_device(root, name));
  if (name != disk.device.name)
    disk.partition_start = Bytes{read_number(root, "/sys/class/block/" + name + "/start") * 512};
}

Result<Disk> inspect_folder(const SystemRoot& root, Disk disk) {
  struct statfs space {};
  if (::statfs(root.at(disk.path).c_str(), &space) != 0)
    return refusal(
        fmt::format("cannot read the file system of {}: {}", disk.path, std::strerror(errno)));
  const auto mounts = read_mounts(root);
  const Mount* mount = mount_of(mounts, disk.path, disk.number);
  if (mount == nullptr)
    return refusal(fmt::format("cannot find the mount of {} in /proc/self/mountinfo", disk.path));
  const auto why = why_no_disk(mount->filesystem, static_cast<unsigned long>(space.f_type));
  if (!why.empty())
    return refusal(fmt::format("{} is on {}, which {}; {}", disk.path, mount->filesystem, why,
                               place_that_would_do(root)));
  std::string device = device_of_number(root, disk.number);
  if (device.empty()) device = device_of_mount(root, *mount);
  if (device.empty())
    return refusal(fmt::format("cannot tell which disk {} ({} from {}) is on; {}", disk.path,
                               mount->filesystem, mount->source, place_that_would_do(root)));
  if (spans_several_disks(root, device))
    return refusal(
        fmt::format("{} is on a {} of several disks, and a file there may be on any of "
                    "them; name a folder on one disk with --disk",
                    disk.path, mount->filesystem));
  describe_mount(*mount, disk);
  describe_device(root, device, disk);
  disk.total = Bytes{space.f_blocks * static_cast<std::uint64_t>(space.f_bsize)};
  disk.available = Bytes{free_space(space)};
  return disk;
}

Result<Disk> inspect_node(const SystemRoot& root, Disk disk) {
  const std::string name = device_of_number(root, disk.number);
  if (name.empty())
    return refusal(fmt::format("no disk stands behind {} ({}); it may have been detached",
                               disk.path, disk.number));
  disk.kind = DiskKind::BlockDevice;
  describe_device(root, name, disk);
  disk.total = Bytes{read_number(root, "/sys/class/block/" + name + "/size") * 512};
  if (disk.total.value == 0)
    return refusal(fmt::format("{} has no medium: its size is 0", disk.path));
  return disk;
}

}  // namespace

Result<Disk> inspect_disk(const SystemRoot& root, const std::string& path) {
  std::error_code error;
  auto absolute = std::filesystem::path(path);
  if (root.folder == "/") absolute = std::filesystem::absolute(absolute, error);
  auto real = std::filesystem::canonical(root.at(absolute), error);
  if (error)
    return refusal(fmt::format("cannot find {}: {}; name a folder or a block device with --disk",
                               path, error.message()));
  struct stat facts {};
  if (::stat(real.c_str(), &facts) != 0)
    return refusal(fmt::format("cannot inspect {}: {}", path, std::strerror(errno)));
  Disk disk;
  disk.path = real;
  if (root.folder != "/") disk.path = "/" / real.lexically_relative(root.folder);
  if (S_ISBLK(facts.st_mode)) {
    disk.number = number_of(facts.st_rdev);
    return inspect_node(root, disk);
  }
  disk.number = number_of(facts.st_dev);
  if (S_ISDIR(facts.st_mode)) return inspect_folder(root, disk);
  return refusal(fmt::format(
      "{} is neither a folder nor a block device; name the folder that it is in with --disk",
      path));
}

}  // namespace diskaudit
