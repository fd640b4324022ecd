#pragma once
/// A cgroup that throttles a block device, in either version of cgroups.

#include <string>

#include "error.hpp"
#include "support/scripted_disk_script.hpp"

namespace diskaudit {

/// Where a cgroup called `name` can throttle block devices; empty when nowhere.
std::string throttling_cgroup(const std::string& name);

bool wants_cgroup(const Script& script);

/// Makes it with the script's limits on the device that is open as `device`.
Result<void> make_cgroup(const std::string& path, int device, const Script& script);

/// Removes it, if it was made; programs that are still in it go on outside.
void remove_cgroup(const std::string& path);

}  // namespace diskaudit
