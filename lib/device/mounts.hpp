#pragma once
/// The mount table as text from /proc/self/mountinfo, and which of its file systems lie on a disk.

#include <string>
#include <string_view>
#include <vector>

namespace diskaudit {

struct Mount {
  std::string number{};  ///< "254:1"; major 0 where the file system has no single block device
  std::string root{};    ///< the part of the file system that is mounted
  std::string point{};
  std::string options{};  ///< of the mount and of the file system, each once
  std::string filesystem{};
  std::string source{};
};

/// Parses mountinfo (proc_pid_mountinfo(5)); lines that do not fit are left out.
std::vector<Mount> parse_mountinfo(std::string_view text);

/// The mount that shows `path` (absolute, without symlinks); null if none. Several may be
/// candidates where one hides another: `number`, the st_dev of the path, decides where it can.
const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path,
                      std::string_view number);

/// Why files on such a file system are not on a disk of this machine ("is memory, not a disk"), by
/// its name or its statfs f_type; empty if they may be.
std::string_view why_no_disk(std::string_view filesystem, unsigned long magic);

/// Whether the comma-separated `options` have `name`, with or without a value.
bool has_option(std::string_view options, std::string_view name);

}  // namespace diskaudit
