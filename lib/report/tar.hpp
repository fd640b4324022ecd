#pragma once
/// The tar format (POSIX ustar), for bundles.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace diskaudit {

/// A file by its name, a plain one without folders.
struct NamedFile {
  std::string name{};
  std::string content{};
};

/// All files in one folder, readable by their owner alone. Name of folder and file together are at
/// most 100 bytes.
std::string tar_of(std::span<const NamedFile> files, std::string_view folder,
                   std::int64_t unix_seconds);

}  // namespace diskaudit
