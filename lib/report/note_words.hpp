#pragma once
/// What a record keeps in English as people read it: notes, the guard's findings, explanations.

#include <string>
#include <string_view>

#include "text.hpp"

namespace diskaudit {

/// A record keeps notes in English; those that are known come out in the language asked for, others
/// as they are.
std::string note_in(std::string_view note, Language language);

/// A line that explains a ceiling of a quota.
std::string explained(std::string_view line, Language language);

}  // namespace diskaudit
