#pragma once
/// Records from files.

#include <string>

#include "audit/audit.hpp"
#include "error.hpp"

namespace diskaudit {

/// The text of a record, decompressed where it is compressed. Errors name the file.
Result<std::string> read_saved_text(const std::string& file);

Result<Audit> read_saved_record(const std::string& file);

}  // namespace diskaudit
