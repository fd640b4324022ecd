#pragma once
/// What is written on a device: signatures that libblkid knows, names that boot tables may use, and
/// whether sampled blocks hold data. Only reads.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/guard.hpp"
#include "error.hpp"

namespace diskaudit {

/// A part of what a descriptor leads to; no size: all of it.
struct Part {
  std::string device{};  ///< how to call it
  Bytes start{};
  Bytes size{};
};

/// Everything libblkid recognises on a part of a device, one of a kind; `tags` are the names that
/// fstab and crypttab may use for it ("UUID=…") and for partitions in its table.
struct Content {
  std::vector<Signature> signatures{};
  std::vector<std::string> tags{};
};

/// `fd` is opened without O_DIRECT.
Result<Content> read_content(int fd, const Part& part);

/// The place of a block that is not zero, among the first and last MiB and 64 random blocks of 4
/// KiB; nothing if all are zero. `fd` is opened with O_DIRECT.
Result<std::optional<std::uint64_t>> find_data(int fd, Bytes size);

/// The share (0 to 1) of 64 random blocks of 4 KiB that hold nothing but zeros. A disk that was
/// never written, or was trimmed, may answer reads of such blocks from nowhere.
Result<double> zero_share(int fd, Bytes size);

}  // namespace diskaudit
