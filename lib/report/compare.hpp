#pragma once
/// Two audits side by side, or several as a series over time.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.hpp"
#include "error.hpp"
#include "report/redact.hpp"
#include "report/report.hpp"

namespace diskaudit {

enum class Change { Higher, Lower, None, Unknown };

/// "higher", "lower", "none", "unknown".
std::string_view name_of(Change change);

/// What tells one audit from the other.
struct ComparedRecord {
  std::string id{};
  std::string started{};
  std::string disk{};    ///< "tencent-standard, 100 GiB, serial disk-1a2b"
  std::string kernel{};  ///< "6.1.0-28-cloud-amd64"
};

/// One scenario in one audit. The mean and its half-width are of the judged window.
struct ComparedRate {
  std::string started{};  ///< of the window
  double mean = 0;        ///< in the scenario's metric
  double half_width = 0;  ///< infinite where the window is too short
};

/// One scenario in all audits that measured it.
struct ComparedScenario {
  Scenario scenario{};
  std::vector<ComparedRate> rates{};  ///< of two, as they were given; of more, by time
  std::optional<double> ratio{};      ///< second / first, of exactly two
  double ratio_low = 0;               ///< its interval, 99 % on both sides
  double ratio_high = 0;
  Change change = Change::Unknown;  ///< real only if the interval excludes 1
  double lowest = 0;
  double highest = 0;
  double spread_percent = 0;  ///< (highest − lowest) / highest
};

struct Comparison {
  std::vector<ComparedRecord> records{};
  bool same_disk = true;  ///< as far as serials tell
  RateUnit unit = RateUnit::MBps;
  std::vector<ComparedScenario> scenarios{};
};

/// Fails (usage) with fewer than two audits, or without a scenario in common. What is shown of the
/// records is redacted to that level.
Result<Comparison> compare(std::span<const Audit> audits, Redaction redaction = Redaction::None);

std::string comparison_as_text(const Comparison& comparison, const ReportStyle& style);
std::string comparison_as_markdown(const Comparison& comparison, const ReportStyle& style);
std::string comparison_as_html(const Comparison& comparison, const ReportStyle& style);
std::string comparison_as_json(const Comparison& comparison, const ReportStyle& style);

}  // namespace diskaudit
