#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/clean.hpp"
#include "report/formats.hpp"

namespace diskaudit {
namespace {

/// Only the record shows an audit as it is; the page cleans it after taking the digest.
template <auto Render>
std::string clean(const Audit& audit, const ReportStyle& style) {
  return Render(cleaned(audit), style);
}

constexpr ReportFormat table[] = {
    {"text", ".txt", "a card of at most 20 lines for people", clean<render_text>},
    {"json", ".json", "the record: the whole evidence, to be judged or shown again", render_json},
    {"markdown", ".md", "for job summaries and merge requests", clean<render_markdown>},
    {"html", ".html", "one self-contained page with charts, in both languages", render_html},
    {"junit", ".xml", "JUnit XML, for CI servers", clean<render_junit>},
    {"csv", ".csv", "the series over time, one row an interval", clean<render_csv>},
    {"prometheus", ".prom", "for the node exporter's textfile collector", clean<render_prometheus>},
    {"openmetrics", "", "for GitLab's metrics reports", clean<render_openmetrics>},
    {"nagios", "", "one line of a monitoring plugin, with its own exit codes",
     clean<render_nagios>},
    {"terraform", "", "a flat map for Terraform's external data source", clean<render_terraform>},
    {"fio", ".fio", "a fio job file that repeats the scenarios", clean<render_fio>},
    {"github", "", "annotations for a step of GitHub Actions", clean<render_github>},
    {"ticket", "", "plain text for the vendor's support, at most 7500 characters",
     clean<render_ticket>},
};

}  // namespace

std::span<const ReportFormat> report_formats() { return table; }

Result<const ReportFormat*> find_format(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &ReportFormat::name);
  if (found != std::end(table)) return found;
  std::vector<std::string_view> names;
  for (const ReportFormat& format : table) names.push_back(format.name);
  return usage_error(
      fmt::format("unknown format '{}'; known: {}", sanitised(name, 64), fmt::join(names, ", ")));
}

Result<const ReportFormat*> format_for_file(std::string_view file_name) {
  std::string_view name = file_name;
  if (name.ends_with(".gz")) name.remove_suffix(3);
  std::vector<std::string_view> suffixes;
  for (const ReportFormat& format : table) {
    if (format.suffix.empty()) continue;
    if (name.ends_with(format.suffix)) return &format;
    suffixes.push_back(format.suffix);
  }
  return usage_error(
      fmt::format("cannot tell the format of '{}' by its suffix (known: {}); write "
                  "FORMAT:FILE",
                  sanitised(file_name, 256), fmt::join(suffixes, ", ")));
}

}  // namespace diskaudit
