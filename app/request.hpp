#pragma once
/// From the options to what an audit needs to know, before anything is touched.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "plan/plan.hpp"
#include "profile/profile.hpp"
#include "report/report.hpp"
#include "runner/runner.hpp"
#include "runner/test_area.hpp"

namespace diskaudit {

/// A report that is to be written to a file.
struct Output {
  std::filesystem::path file{};
  const ReportFormat* format = nullptr;
};

/// Names and values of `--input`, as typed.
using InputWords = std::vector<std::pair<std::string, std::string>>;

/// What the user asked for, checked as far as that goes without looking at the disk.
struct Request {
  std::optional<Profile> profile{};  ///< none for `measure`
  std::optional<Bytes> size{};       ///< provisioned; none = the device's own
  InputWords inputs{};               ///< as the profile will read them
  PlanOptions plan{};
  FileOptions file{};
  std::optional<Bytes> reserve{};
  EngineChoice engine = EngineChoice::Auto;
  std::vector<Output> outputs{};
  const ReportFormat* format = nullptr;
  ReportStyle style{};
};

Result<Request> make_request(const Options& options);

/// `--input NAME=VALUE`, each name once.
Result<InputWords> parse_inputs(const std::vector<std::string>& inputs);

/// The profile that the options name, as of the day that they name.
Result<Profile> named_profile(const std::string& name, const Options& options);

Language language_for(const std::string& wanted);

/// Formats and files of `-o`, stdout's format, and how it looks.
Result<void> add_outputs(Request& request, const Options& options);

/// The audit into every output file and onto stdout; the first failure, after all were tried.
Result<void> show(const Audit& audit, const Request& request);

}  // namespace diskaudit
