#pragma once
/// Finds one's way in /sys/block: from numbers, names and mounts to devices, and down their stacks.

#include <string>
#include <vector>

#include "device/inspect.hpp"
#include "device/mounts.hpp"

namespace diskaudit {

/// The names in a folder, sorted; none where it cannot be read.
std::vector<std::string> names_in(const SystemRoot& root, const std::string& folder);

/// The last part of what the link `path` leads to; empty where it leads nowhere.
std::string link_target(const SystemRoot& root, const std::string& path);

/// The whole number in the file; 0 where there is none.
std::uint64_t read_number(const SystemRoot& root, const std::string& path);

/// The mount table of this process.
std::vector<Mount> read_mounts(const SystemRoot& root);

/// The device or partition ("vdb1") of `number` ("254:17"); empty if there is none.
std::string device_of_number(const SystemRoot& root, const std::string& number);

/// The device or partition at `path` ("/dev/mapper/vg-data"); empty if it is none.
std::string device_of_node(const SystemRoot& root, const std::string& path);

/// The device or partition that a file system lies on: by `number`, or where that is anonymous
/// (btrfs) by its source. Empty if there is none of its own.
std::string device_of_mount(const SystemRoot& root, const Mount& mount);

/// The whole device that the partition `name` is part of; `name` itself if it is whole.
std::string whole_device(const SystemRoot& root, const std::string& name);

/// The whole devices that `name` rests on, nearest first, as far down as can be followed: members
/// of device-mapper and md, the paths of a multipath NVMe, the disk below a loop device's file.
std::vector<std::string> lower_devices(const SystemRoot& root, const std::string& name);

}  // namespace diskaudit
