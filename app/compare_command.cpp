#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands.hpp"
#include "files.hpp"
#include "output.hpp"
#include "report/compare.hpp"
#include "saved_record.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

struct CompareFormat {
  std::string_view name;
  std::string_view suffix;
  std::string (*render)(const Comparison&, const ReportStyle&);
};

constexpr CompareFormat formats[] = {{"text", ".txt", comparison_as_text},
                                     {"markdown", ".md", comparison_as_markdown},
                                     {"html", ".html", comparison_as_html},
                                     {"json", ".json", comparison_as_json}};

Result<const CompareFormat*> format_named(const std::string& name) {
  const auto* found = std::ranges::find(formats, name, &CompareFormat::name);
  if (found != std::end(formats)) return found;
  return usage_error(fmt::format(
      "cannot show a comparison as '{}'; known: text, markdown, html, json", sanitised(name, 64)));
}

struct CompareOutput {
  std::string file{};
  const CompareFormat* format = nullptr;
};

Result<CompareOutput> parse_output(const std::string& output) {
  const std::size_t colon = output.find(':');
  if (colon != std::string::npos) {
    if (const auto named = format_named(output.substr(0, colon))) {
      return CompareOutput{output.substr(colon + 1), *named};
    }
  }
  const std::string name = output.ends_with(".gz") ? output.substr(0, output.size() - 3) : output;
  const auto* found = std::ranges::find_if(
      formats, [&](const CompareFormat& format) { return name.ends_with(format.suffix); });
  if (found != std::end(formats)) return CompareOutput{output, found};
  return usage_error(fmt::format(
      "-o {}: a comparison is written as .txt, .md, .html or .json; or write FORMAT:FILE", output));
}

}  // namespace

Result<int> run_compare_command(const Options& options) {
  const auto format = format_named(options.format);
  if (!format) return std::unexpected(format.error());
  const auto redaction = parse_redaction(options.redact.empty() ? "none" : options.redact);
  if (!redaction) return std::unexpected(redaction.error());
  std::vector<CompareOutput> outputs;
  for (const std::string& output : options.outputs) {
    auto parsed = parse_output(output);
    if (!parsed) return std::unexpected(parsed.error());
    if (auto fine = check_writable(parsed->file); !fine) return std::unexpected(fine.error());
    outputs.push_back(std::move(*parsed));
  }
  std::vector<Audit> audits;
  for (const std::string& file : options.arguments) {
    auto audit = read_saved_record(file);
    if (!audit) return std::unexpected(audit.error());
    audits.push_back(std::move(*audit));
  }
  const auto comparison = compare(audits, *redaction);
  if (!comparison) return std::unexpected(comparison.error());
  const ReportStyle style = style_for(options);
  for (const CompareOutput& output : outputs) {
    auto written = write_output(output.file, output.format->render(*comparison, style));
    if (!written) return std::unexpected(written.error());
  }
  auto printed = print_to_stdout((*format)->render(*comparison, style));
  if (!printed) return std::unexpected(printed.error());
  return static_cast<int>(ExitCode::Pass);
}

}  // namespace diskaudit
