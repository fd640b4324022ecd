#pragma once
/// The judge's findings as sentences.

#include <string>

#include "judge/reasons.hpp"
#include "plan/scenario.hpp"
#include "text.hpp"
#include "units.hpp"

namespace diskaudit {

/// One finding of a scenario whose target is in `metric`, with rates in the vendor's unit.
std::string sentence_of(const Reason& reason, Metric metric, RateUnit unit, Language language);

}  // namespace diskaudit
