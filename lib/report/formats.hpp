#pragma once
/// The function behind each report format; the table of formats names them.

#include <string>

#include "audit/audit.hpp"
#include "report/report.hpp"

namespace diskaudit {

std::string render_text(const Audit& audit, const ReportStyle& style);
std::string render_json(const Audit& audit, const ReportStyle& style);
std::string render_markdown(const Audit& audit, const ReportStyle& style);
std::string render_html(const Audit& audit, const ReportStyle& style);
std::string render_junit(const Audit& audit, const ReportStyle& style);
std::string render_csv(const Audit& audit, const ReportStyle& style);
std::string render_prometheus(const Audit& audit, const ReportStyle& style);
std::string render_openmetrics(const Audit& audit, const ReportStyle& style);
std::string render_nagios(const Audit& audit, const ReportStyle& style);
std::string render_terraform(const Audit& audit, const ReportStyle& style);
std::string render_fio(const Audit& audit, const ReportStyle& style);
std::string render_github(const Audit& audit, const ReportStyle& style);
std::string render_ticket(const Audit& audit, const ReportStyle& style);

}  // namespace diskaudit
