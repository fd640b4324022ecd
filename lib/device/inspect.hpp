#pragma once
/// Asks the kernel about a disk and the machine. Every /sys and /proc path goes through SystemRoot.

#include <filesystem>
#include <string>

#include "device/device.hpp"
#include "error.hpp"

namespace diskaudit {

/// Where /sys, /proc, /etc and /dev/disk are read from: "/" for real, a fixture's folder in tests.
struct SystemRoot {
  std::filesystem::path folder = "/";

  /// The file's text without trailing white space; empty where it cannot be read.
  std::string read(const std::string& path) const;
  /// `path` ("/sys/block/vda") below the root.
  std::filesystem::path at(const std::string& path) const;
};

/// Resolves `path` (a directory or a block device) to the disk that serves it.
/// Fails with a refusal where it is neither, or lies on no disk of its own (tmpfs, overlay, network
/// and FUSE file systems), naming the file system and the nearest target that would do.
Result<Disk> inspect_disk(const SystemRoot& root, const std::string& path);

/// Facts of the whole device `name` ("vdb").
BlockDevice inspect_device(const SystemRoot& root, const std::string& name);

/// The machine, with the cgroup limits in force for `device`.
Environment inspect_environment(const SystemRoot& root, const BlockDevice& device);

}  // namespace diskaudit
