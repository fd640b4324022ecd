#pragma once
/// The limits of one disk as the layer that enforces them has them: whole I/Os, bytes and seconds.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "profile/figures.hpp"
#include "profile/import.hpp"

namespace diskaudit {

enum class Direction { Read, Write, Total };

/// Per second: `value`, or `value` for each GiB, not below `floor` and not above `cap`.
struct ImportedRate {
  std::uint64_t value = 0;
  bool per_gib = false;
  std::uint64_t floor = 0;
  std::optional<std::uint64_t> cap{};

  std::uint64_t at(std::uint64_t gib) const;
};

/// Credits for `seconds` at `rate`, which refill at the limit's own rate.
struct ImportedBurst {
  std::uint64_t rate = 0;
  std::uint64_t seconds = 1;
};

struct ImportedCeilings {
  std::map<Direction, ImportedRate> rates{};
  std::map<Direction, ImportedBurst> bursts{};
};

struct ImportedLimits {
  ImportedCeilings iops{};
  ImportedCeilings bytes{};
  std::uint64_t io_size = 0;  ///< larger requests count as size / io_size; 0: each counts as one
  bool whole_gib = false;     ///< sizes are whole GiB
  std::vector<LocalText> conditions{};
};

/// Where limits come from, for the profile's name and source.
struct ImportOrigin {
  LocalText name{};
  std::string url{};
};

// One importer a file; each has a row in the table of import.cpp.
Result<ImportedLimits> import_cinder(std::string_view text, const std::string& file);
Result<ImportedLimits> import_libvirt(std::string_view text, const std::string& file);
Result<ImportedLimits> import_qemu(std::string_view text, const std::string& file);
Result<ImportedLimits> import_io_max(std::string_view text, const std::string& file);

/// The profile of disks with these limits.
std::string imported_yaml(const ImportedLimits& limits, const ImportOrigin& origin,
                          const ImportOptions& options);

}  // namespace diskaudit
