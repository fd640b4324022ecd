#pragma once
/// The function behind each report format; the table of formats names them.

#include <string>

#include "audit/audit.hpp"
#include "report/report.hpp"

namespace diskaudit {

std::string render_text(const Audit& audit, const ReportStyle& style);
std::string render_json(const Audit& audit, const ReportStyle& style);

}  // namespace diskaudit
