// One line of a monitoring plugin. Its exit code is not the audit's: see nagios_exit_code.

#include <algorithm>
#include <cmath>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/phrases.hpp"

namespace diskaudit {
namespace {

std::string_view state_of(const Audit& audit) {
  switch (nagios_exit_code(audit)) {
    case 0:
      return "OK";
    case 2:
      return "CRITICAL";
    default:
      return "UNKNOWN";
  }
}

/// A bar would begin the performance data.
std::string without_bars(std::string text) {
  std::ranges::replace(text, '|', '/');
  return text;
}

/// 'label'=value[unit];warn;crit — no exponent, whole bytes, alarms below the threshold.
std::string performance(const Audit& audit, const ScenarioAudit& scenario) {
  const Job& job = scenario.job;
  if (!scenario.evidence.judged) return "";
  const double value = measured_value(scenario);
  const std::string name = identifier(job.scenario.name);
  if (job.scenario.metric == Metric::LatencyUs) {
    return fmt::format(" '{}_latency'={:.6f}s", name, value / 1e6);
  }
  const bool in_bytes = job.scenario.metric == Metric::BytesPerSecond;
  std::string text = fmt::format(" '{}_{}'={:.0f}{}", name, in_bytes ? "bytes_per_second" : "iops",
                                 value, in_bytes ? "B" : "");
  if (!job.target) return text;
  const double threshold = job.target->value * audit.plan.options.tolerance.min_percent / 100;
  return text + fmt::format(";;{:.0f}:;0", std::ceil(threshold));
}

}  // namespace

int nagios_exit_code(const Audit& audit) {
  if (audit.signal || audit.refused) return 3;
  if (!audit.plan.profile) return 0;
  if (audit.outcome == Outcome::Pass) return 0;
  return audit.outcome == Outcome::Fail ? 2 : 3;
}

std::string nagios_unknown(std::string_view why) {
  return fmt::format("DISKAUDIT UNKNOWN - {}\n", without_bars(sanitised(why)));
}

std::string render_nagios(const Audit& audit, const ReportStyle& style) {
  std::string line = fmt::format("DISKAUDIT {} - {}", state_of(audit),
                                 without_bars(headline_sentence(audit, style.language)));
  std::string data;
  for (const ScenarioAudit& scenario : audit.scenarios) data += performance(audit, scenario);
  if (!data.empty()) line += " |" + data;
  return line + "\n";
}

}  // namespace diskaudit
