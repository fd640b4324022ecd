#pragma once
/// Does a record say what it said when it was written, and does it add up?

#include <string_view>

#include "error.hpp"

namespace diskaudit {

/// Checks schema, digest, counts against series, rates and quota against what they follow from, and
/// the verdict by judging again. Fails (usage) with the first thing that does not add up. More
/// members than this version knows are fine; the digest covers them.
Result<void> verify_record(std::string_view json);

}  // namespace diskaudit
