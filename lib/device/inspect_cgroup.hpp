#pragma once
/// What the control groups of this process allow it: I/O on a disk, and processor time.

#include "device/device.hpp"
#include "device/inspect.hpp"

namespace diskaudit {

/// Sets the smallest I/O limits in force for `device` or for a device that it rests on: io.max of
/// this group and all above it (version 2), blkio.throttle.* of this group (version 1).
void read_io_limits(const SystemRoot& root, const BlockDevice& device, Environment& environment);

/// The processors' worth of time that the groups allow; 0 where they set no limit.
double cpu_quota(const SystemRoot& root);

}  // namespace diskaudit
