#pragma once
/// Which cloud the machine is in and which volume the disk is, from what the hardware says itself.
/// A hint for people and for warnings; no quota is ever chosen by it.

#include <string>

#include "device/device.hpp"

namespace diskaudit {

/// The vendor, spelt as the folder of its profiles ("tencent"); empty if unknown.
std::string cloud_vendor(const Environment& environment);

/// The vendor's own name for the volume ("disk-1a2b3c4d", "vol-0123…"): what a support ticket and
/// `--destroy-data-on` name it by. Empty if the disk does not tell.
std::string volume_id(const BlockDevice& device);

/// Whether the disk is in the host itself and no cloud disk, as far as its model tells.
bool is_local_instance_disk(const BlockDevice& device);

}  // namespace diskaudit
