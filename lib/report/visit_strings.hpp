#pragma once
/// Every string in an Audit that came from outside, for what must change all of them.

#include <functional>
#include <string>

#include "audit/audit.hpp"

namespace diskaudit {

void visit_strings(Audit& audit, const std::function<void(std::string&)>& visit);

}  // namespace diskaudit
