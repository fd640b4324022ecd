#pragma once
/// Where profiles are looked for.

#include "profile/library.hpp"

namespace diskaudit {

/// The installed folder, else the source tree's or one beside the binary; then those of
/// `DISKAUDIT_PROFILES`, separated by colons.
Library profile_library();

}  // namespace diskaudit
