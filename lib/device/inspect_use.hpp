#pragma once
/// Who uses a block device, or will at the next start of the machine: the facts that the guard
/// needs from /sys, /proc and /etc.

#include "device/guard.hpp"
#include "device/inspect.hpp"

namespace diskaudit {

/// The target itself, its partitions if it is whole, and its whole disk if it is a partition: sysfs
/// names, the target first.
std::vector<std::string> touched_devices(const SystemRoot& root, const Disk& disk);

/// Fills in names, twins, system, mounts, swaps, holders, members, references and removable.
/// References by UUID or label are found through `tags` ("UUID=…", "PARTLABEL=…") of the devices.
void inspect_use(const SystemRoot& root, const std::vector<std::string>& tags, GuardFacts& facts);

}  // namespace diskaudit
