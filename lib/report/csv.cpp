// The series, one row an interval: the judged attempt, those before it, and the probes.

#include <fmt/format.h>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "units.hpp"

namespace diskaudit {
namespace {

void append_rows(std::string& text, std::string_view scenario, std::string_view run,
                 std::string_view direction, const Series& series) {
  const std::string lead = fmt::format("{},{},{}", escaped_csv(scenario), run, direction);
  const double interval = series.interval_seconds;
  for (std::size_t i = 0; i < series.ios.size(); ++i) {
    const auto at = [i](const auto& column) { return i < column.size() ? column[i] : 0; };
    text += fmt::format(
        "{},{},{},{},{},{},{},{}\n", lead, format_number(static_cast<double>(i) * interval, 3),
        format_number(interval, 3), series.ios[i], at(series.bytes), at(series.errors),
        format_number(at(series.latency_mean_us), 1), format_number(at(series.latency_max_us), 1));
  }
}

void append_measurement(std::string& text, const Scenario& scenario, std::string_view run,
                        const Measurement& measurement) {
  append_rows(text, scenario.name, run, name_of(scenario.direction), measurement.all.series);
  if (scenario.direction != Direction::Mixed) return;
  append_rows(text, scenario.name, run, "read", measurement.read.series);
  append_rows(text, scenario.name, run, "write", measurement.write.series);
}

}  // namespace

std::string render_csv(const Audit& audit, const ReportStyle&) {
  std::string text =
      "scenario,run,direction,start_seconds,interval_seconds,ios,bytes,errors,latency_mean_us,"
      "latency_max_us\n";
  for (const ScenarioAudit& scenario : audit.scenarios) {
    const Scenario& what = scenario.job.scenario;
    const Evidence& evidence = scenario.evidence;
    for (std::size_t i = 0; i < evidence.attempts.size(); ++i) {
      append_measurement(text, what, fmt::format("attempt_{}", i + 1), evidence.attempts[i]);
    }
    if (evidence.judged) append_measurement(text, what, "judged", *evidence.judged);
    for (std::size_t i = 0; i < evidence.probes.size(); ++i) {
      append_measurement(text, what, fmt::format("probe_{}", i + 1),
                         evidence.probes[i].measurement);
    }
  }
  return text;
}

}  // namespace diskaudit
