#pragma once
/// The gzip format, for records and bundles.

#include <cstddef>
#include <string>
#include <string_view>

#include "error.hpp"

namespace diskaudit {

/// The same bytes for the same text: no name and no time in it.
std::string gzipped(std::string_view text);

bool is_gzipped(std::string_view bytes);

/// Fails (usage) on what is no whole gzip file, and as soon as it proves to hold more than `most`
/// bytes.
Result<std::string> gunzipped(std::string_view bytes, std::size_t most);

}  // namespace diskaudit
