#pragma once
/// Files that are whole or not there.

#include <filesystem>
#include <string>
#include <string_view>

#include "error.hpp"

namespace diskaudit {

/// Writes under a temporary name in the same folder, syncs, renames. Mode 0600. A failure leaves
/// neither the file nor the temporary one.
Result<void> write_whole(const std::filesystem::path& file, std::string_view content);

std::filesystem::path folder_of(const std::filesystem::path& file);

/// Whether `write_whole` would find a folder to write into; found out before a run, not after.
Result<void> check_writable(const std::filesystem::path& file);

/// All of a file of at most `limit` bytes.
Result<std::string> read_whole(const std::filesystem::path& file, std::size_t limit);

/// The folder in which records are kept, created when missing.
Result<std::filesystem::path> state_folder();

}  // namespace diskaudit
