#pragma once
/// What an audit noted, and what the guard found, as people read it.

#include <string>
#include <string_view>

#include "text.hpp"

namespace diskaudit {

/// A record keeps notes in English; those that are known come out in the language asked for, others
/// as they are.
std::string note_in(std::string_view note, Language language);

}  // namespace diskaudit
