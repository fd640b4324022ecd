#pragma once
/// What is written on a block device, read by a process of its own: the disk may never answer, and
/// what it holds may be made to harm its reader.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/guard.hpp"
#include "device/inspect.hpp"
#include "device/inspect_descriptor.hpp"

namespace diskaudit {

struct RawContent {
  std::vector<Signature> signatures{};  ///< of the disk, its partitions and its whole disk
  std::vector<std::string> tags{};      ///< names for them in fstab and crypttab: "UUID=…"
  std::optional<std::uint64_t> data_at{};
  std::string problem{};  ///< why it could not be looked for
};

/// Opens the device of this sysfs name for reading through the page cache; none where it has no
/// node.
Descriptor open_to_read(const SystemRoot& root, const Disk& disk, const std::string& name);

/// `device` is the disk opened with O_DIRECT. Given up after a minute, or when `stop` returns true.
RawContent read_raw_content(const SystemRoot& root, const Disk& disk, int device,
                            const std::function<bool()>& stop);

}  // namespace diskaudit
