#pragma once
/// Holds a profile to its own published points.

#include "profile/profile.hpp"
#include "profile/reader.hpp"

namespace diskaudit {

/// A fault where the profile's formulas do not give `point`, rounded as `item` writes it.
void check_published(Reader& reader, const Document& item, const Profile& profile,
                     const PublishedPoint& point);

}  // namespace diskaudit
