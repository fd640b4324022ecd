#pragma once
/// What a scripted disk puts into the system, and how each piece is taken out again.

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "error.hpp"

namespace diskaudit {

/// A folder of the disk's own with two mount points: of the FUSE file system, which is detached as
/// soon as the loop device holds its file, and of the file system on the disk, when one is wanted.
struct Place {
  std::string folder, fuse, directory;
  std::string cgroup;  ///< that throttles the device, when one is wanted
  std::string name;    ///< nobody else's; the loop device's backing file carries it
  int lock = -1;       ///< held while one of the disk's processes lives
};

Result<Place> make_place();

/// Tears down the places of disks whose processes were all killed at once.
void sweep_places();

/// Unmounts what is mounted there, lazily where it is in use, and removes the folder.
void tear_down(const Place& place);

/// Calls tear_down() in a process of its own, which a stuck disk can block without blocking us.
/// `inherited` is closed there.
pid_t tear_down_apart(const Place& place, int inherited);

struct Loop {
  int fd = -1;  ///< the device lives as long as somebody has it open
  std::string device;
};

/// Attaches a free loop device with direct I/O to a file.
Result<Loop> attach_loop(const std::string& file, std::uint32_t block_size);

/// Makes a file system without background work and mounts it, writable by everybody.
Result<void> mount_filesystem(const std::string& type, const std::string& device,
                              const std::string& directory);

}  // namespace diskaudit
