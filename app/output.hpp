#pragma once
/// Where a report goes and what it looks like.

#include <filesystem>
#include <optional>
#include <vector>

#include "cli.hpp"
#include "report/redact.hpp"
#include "report/report.hpp"

namespace diskaudit {

/// A report that is to be written to a file; compressed where its name ends in ".gz".
struct Output {
  std::filesystem::path file{};
  const ReportFormat* format = nullptr;
};

struct Outputs {
  std::vector<Output> files{};
  const ReportFormat* format = nullptr;  ///< of stdout
  ReportStyle style{};
  std::optional<Redaction> redaction{};  ///< none asked for: what each format has by default
};

/// Colour, characters and language: what was asked for, else what the terminal and the locale say.
ReportStyle style_for(const Options& options);
Language language_for(const std::string& wanted);

/// Files and formats of `-o`, stdout's format. Whether each file can be written is found out here.
Result<Outputs> make_outputs(const Options& options);

/// Writes a text under that name, compressed where the name says so.
Result<void> write_output(const std::filesystem::path& file, const std::string& text);

/// The audit into every output file; the first failure, after all were tried.
Result<void> show_in_files(const Audit& audit, const Outputs& outputs);

/// Into every output file and onto stdout.
Result<void> show(const Audit& audit, const Outputs& outputs);

/// `code`, unless stdout's format has exit codes of its own.
int exit_code_with(const Outputs& outputs, const Audit& audit, int code);

}  // namespace diskaudit
