#pragma once
/// A run as root keeps, once everything is open, only what the rest of it needs.

#include <filesystem>
#include <vector>

namespace diskaudit {

/// Gives up all capabilities but those for locked memory, for io_uring where a sysctl asks for one,
/// and for writing into `folders` where these are not root's own; and what a program that is
/// started from here could gain.
void drop_privileges(const std::vector<std::filesystem::path>& folders);

}  // namespace diskaudit
