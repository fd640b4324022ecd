#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "files.hpp"
#include "report/github.hpp"
#include "report/gzip.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool wants_colour(const std::string& when) {
  if (when != "auto") return when == "always";
  if (!environment("NO_COLOR").empty()) return false;
  const std::string_view forced = environment("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return environment("TERM") != "dumb" && isatty(STDOUT_FILENO) == 1;
}

// The first of LC_ALL, the category and LANG that is set decides, as everywhere.
std::string_view locale_for(const char* category) {
  for (const char* name : {"LC_ALL", category, "LANG"}) {
    if (!environment(name).empty()) return environment(name);
  }
  return "";
}

bool speaks_utf8() {
  const std::string_view locale = locale_for("LC_CTYPE");
  return locale.find("UTF-8") != std::string_view::npos ||
         locale.find("utf8") != std::string_view::npos;
}

Result<Output> parse_output(const std::string& output) {
  const std::size_t colon = output.find(':');
  const auto prefixed = find_format(output.substr(0, colon));
  const bool has_prefix = colon != std::string::npos && prefixed.has_value();
  const std::string file = has_prefix ? output.substr(colon + 1) : output;
  const auto chosen = has_prefix ? prefixed : format_for_file(file);
  if (!chosen) return usage_error(fmt::format("-o {}: {}", output, chosen.error().message));
  if (auto writable = check_writable(file); !writable) return std::unexpected(writable.error());
  return Output{file, *chosen};
}

// A ticket leaves the house.
std::string rendered(const Audit& audit, const ReportFormat& format, const Outputs& outputs) {
  const Redaction by_default = format.name == "ticket" ? Redaction::Ticket : Redaction::None;
  const Redaction redaction = outputs.redaction.value_or(by_default);
  if (redaction == Redaction::None) return format.render(audit, outputs.style);
  return format.render(redacted(audit, redaction), outputs.style);
}

// In a step of GitHub Actions what people read is followed by annotations.
std::string on_stdout(const Audit& audit, const Outputs& outputs) {
  const std::string text = rendered(audit, *outputs.format, outputs);
  const std::string_view name = outputs.format->name;
  const bool for_people = name == "text" || name == "markdown" || name == "ticket";
  if (environment("GITHUB_ACTIONS") != "true" || !for_people) return text;
  const auto annotations = find_format("github");
  return safe_in_github_log(text) + (annotations ? rendered(audit, **annotations, outputs) : "");
}

}  // namespace

Language language_for(const std::string& wanted) {
  if (wanted == "auto") {
    return locale_for("LC_MESSAGES").starts_with("zh") ? Language::Chinese : Language::English;
  }
  return wanted == "zh" ? Language::Chinese : Language::English;
}

ReportStyle style_for(const Options& options) {
  return {.colour = wants_colour(options.color),
          .utf8 = speaks_utf8(),
          .language = language_for(options.lang),
          .language_asked = options.lang != "auto"};
}

Result<Outputs> make_outputs(const Options& options) {
  Outputs outputs{.style = style_for(options)};
  auto format = find_format(options.format);
  if (!format) return usage_error("--format: " + format.error().message);
  outputs.format = *format;
  if (!options.redact.empty()) {
    auto redaction = parse_redaction(options.redact);
    if (!redaction) return usage_error("--redact: " + redaction.error().message);
    outputs.redaction = *redaction;
  }
  for (const std::string& output : options.outputs) {
    auto parsed = parse_output(output);
    if (!parsed) return std::unexpected(parsed.error());
    outputs.files.push_back(std::move(*parsed));
  }
  return outputs;
}

Result<void> write_output(const std::filesystem::path& file, const std::string& text) {
  return write_whole(file, file.extension() == ".gz" ? gzipped(text) : text);
}

Result<void> show_in_files(const Audit& audit, const Outputs& outputs) {
  Result<void> shown;
  for (const Output& output : outputs.files) {
    auto written = write_output(output.file, rendered(audit, *output.format, outputs));
    if (!written && shown) shown = std::move(written);
  }
  return shown;
}

Result<void> show(const Audit& audit, const Outputs& outputs) {
  const auto shown = show_in_files(audit, outputs);
  const auto printed = print_to_stdout(on_stdout(audit, outputs));
  return shown ? printed : shown;
}

int exit_code_with(const Outputs& outputs, const Audit& audit, int code) {
  return outputs.format->name == "nagios" ? nagios_exit_code(audit) : code;
}

}  // namespace diskaudit
