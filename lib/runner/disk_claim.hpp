#pragma once
/// Keeps two audits off one disk: they would measure each other.

#include "device/device.hpp"
#include "device/inspect_descriptor.hpp"
#include "error.hpp"

namespace diskaudit {

/// Claims the whole disk for as long as the descriptor is open. Refused while another diskaudit of
/// this machine, of whatever user, has it.
Result<Descriptor> claim_disk(const BlockDevice& device);

}  // namespace diskaudit
