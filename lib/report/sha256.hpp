#pragma once
/// SHA-256 (FIPS 180-4), for the digest of a record.

#include <string>
#include <string_view>

namespace diskaudit {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace diskaudit
