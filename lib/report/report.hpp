#pragma once
/// Audit → text in a named format.

#include <span>
#include <string>
#include <string_view>

#include "audit/audit.hpp"
#include "error.hpp"
#include "text.hpp"

namespace diskaudit {

struct ReportStyle {
  bool colour = false;
  bool utf8 = true;
  Language language = Language::English;  ///< of what people read; never of keys or numbers
  bool language_asked = false;  ///< by the user; else a ticket speaks its vendor's language
};

/// A row of the table of formats.
struct ReportFormat {
  std::string_view name;      ///< "json"
  std::string_view suffix;    ///< ".json"
  std::string_view sentence;  ///< what it is for, in one line
  std::string (*render)(const Audit&, const ReportStyle&);
};

std::span<const ReportFormat> report_formats();

/// The format of that name; an unknown one lists the known.
Result<const ReportFormat*> find_format(std::string_view name);

/// The format that a file name's suffix stands for.
Result<const ReportFormat*> format_for_file(std::string_view file_name);

/// The exit code of a monitoring plugin: 0 fine, 2 below quota, 3 no verdict.
int nagios_exit_code(const Audit& audit);

/// A monitoring plugin's line where there is no audit to show; its exit code is 3.
std::string nagios_unknown(std::string_view why);

}  // namespace diskaudit
