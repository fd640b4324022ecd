#pragma once
/// Turns the limits that a private cloud sets on its disks into a profile.

#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace diskaudit {

struct ImportOptions {
  std::string file = "limits";  ///< stands in messages, and in the profile as its source
  std::string id{};             ///< of the profile; empty: private-<kind>
  std::string today{};          ///< YYYY-MM-DD, when the limits were read
};

/// What can be imported: "cinder", "libvirt", "qemu", "io.max".
std::vector<std::string> import_kinds();

/// A profile as YAML, which parse_profile() accepts. Whatever the original would ignore or refuse
/// is an error "file:line:column: what; what to do": a limit that is not in force must not be held
/// against a disk.
Result<std::string> import_profile(std::string_view kind, std::string_view text,
                                   const ImportOptions& options);

}  // namespace diskaudit
