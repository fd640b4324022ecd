#pragma once
/// Whether a disk answers at all, found out before this process makes a call that would hang on it.

#include <functional>

#include "device/device.hpp"
#include "error.hpp"

namespace diskaudit {

/// Reads a block of a device, or writes one into an unnamed file of the directory, and waits for
/// it. Fails (code Fail) where nothing comes back within a minute; any other trouble is left to
/// whoever opens the disk. Ends early when `stop` returns true.
Result<void> wait_for_answer(const Disk& disk, const std::function<bool()>& stop);

}  // namespace diskaudit
