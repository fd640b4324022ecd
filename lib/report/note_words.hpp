#pragma once
/// What a record keeps in English as people read it: notes, the guard's findings, refusals,
/// explanations.

#include <string>
#include <string_view>

#include "text.hpp"

namespace diskaudit {

/// A sentence that a record keeps in English, or that goes to stderr, in the language asked for;
/// one that no table knows as it is.
std::string note_in(std::string_view note, Language language);

/// A line that explains a ceiling of a quota.
std::string explained(std::string_view line, Language language);

}  // namespace diskaudit
