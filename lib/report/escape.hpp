#pragma once
/// Text as each format must spell it, after it was sanitised.

#include <string>
#include <string_view>

namespace diskaudit {

/// For the text and the attributes of HTML and XML.
std::string escaped_xml(std::string_view text);

/// For a line of Markdown or a cell of its tables.
std::string escaped_markdown(std::string_view text);

/// One CSV field: quoted where needed, and never a formula to a spreadsheet.
std::string escaped_csv(std::string_view text);

/// A label's value in Prometheus' and OpenMetrics' text formats.
std::string escaped_label(std::string_view text);

/// "rand-read-4k" as a name where only letters, digits and underscores may stand.
std::string identifier(std::string_view name);

}  // namespace diskaudit
