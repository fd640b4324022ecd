// The same metrics in two texts: Prometheus' for the textfile collector, and OpenMetrics for
// GitLab, which compares values as strings and so gets them rounded and without the time of the
// run.

#include <cmath>
#include <functional>
#include <optional>

#include "report/clock_text.hpp"
#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/phrases.hpp"

namespace diskaudit {
namespace {

/// What a metric is rounded to for GitLab: whole IOPS, 0.1 MB/s, 0.1 %, 0.1 ms.
struct Family {
  const char* name;
  const char* unit;  ///< also the end of the name, as OpenMetrics demands
  const char* help;
  double step;
  std::function<std::optional<double>(const ScenarioAudit&)> value;
};

std::optional<double> target_in(const ScenarioAudit& scenario, Metric metric) {
  const auto& target = scenario.job.target;
  if (!target || target->metric != metric) return std::nullopt;
  return target->value;
}

std::optional<double> measured(const ScenarioAudit& scenario, double (*rate)(const Measurement&)) {
  if (!scenario.evidence.judged) return std::nullopt;
  return rate(*scenario.evidence.judged);
}

const std::vector<Family>& families() {
  using Each = const ScenarioAudit&;
  static const std::vector<Family> all = {
      {"measured_iops", "iops", "I/Os per second of the measured window.", 1,
       [](Each s) { return measured(s, iops); }},
      {"expected_iops", "iops", "Target in I/Os per second, from the vendor's formula.", 1,
       [](Each s) { return target_in(s, Metric::Iops); }},
      {"measured_bytes_per_second", "bytes_per_second", "Bytes per second of the measured window.",
       1e5, [](Each s) { return measured(s, bytes_per_second); }},
      {"expected_bytes_per_second", "bytes_per_second",
       "Target in bytes per second, from the vendor's formula.", 1e5,
       [](Each s) { return target_in(s, Metric::BytesPerSecond); }},
      {"quota_ratio", "ratio", "Measured rate as a share of the target.", 1e-3,
       [](Each s) {
         return s.verdict.percent ? std::optional(*s.verdict.percent / 100) : std::nullopt;
       }},
      {"check_passed", "", "1 when the scenario reached its quota, 0 when it is below.", 1,
       [](Each s) -> std::optional<double> {
         if (s.verdict.outcome == Outcome::Pass) return 1;
         if (s.verdict.outcome == Outcome::Fail) return 0;
         return std::nullopt;
       }},
      {"io_errors", "", "Requests that failed or were short.", 1,
       [](Each s) {
         return s.evidence.judged
                    ? std::optional(static_cast<double>(s.evidence.judged->all.errors))
                    : std::nullopt;
       }},
  };
  return all;
}

class MetricsText {
 public:
  MetricsText(const Audit& audit, bool for_gitlab) : audit_(audit), rounded_(for_gitlab) {
    base_ = fmt::format("device=\"{}\",profile=\"{}\"", escaped_label(audit.disk.device.name),
                        escaped_label(audit.plan.profile ? audit.plan.profile->id : ""));
  }

  void add(const Family& family) {
    std::string samples;
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      const auto value = family.value(scenario);
      if (!value || !std::isfinite(*value)) continue;
      samples += fmt::format("diskaudit_{}{{{}}} {}\n", family.name, labels(scenario),
                             number(*value, family.step));
    }
    if (samples.empty()) return;
    head(family.name, "gauge", family.unit, family.help);
    text_ += samples;
  }

  void add_latency() {
    std::string samples;
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      if (!scenario.evidence.judged || scenario.evidence.judged->all.ios == 0) continue;
      const Flow& flow = scenario.evidence.judged->all;
      const LatencySummary& latency = flow.latency;
      for (const auto& [quantile, us] : {std::pair{"0.5", latency.p50},
                                         {"0.9", latency.p90},
                                         {"0.95", latency.p95},
                                         {"0.99", latency.p99},
                                         {"0.999", latency.p999}}) {
        samples += fmt::format("diskaudit_latency_seconds{{{},quantile=\"{}\"}} {}\n",
                               labels(scenario), quantile, number(us / 1e6, 1e-4));
      }
      if (rounded_) continue;
      samples += fmt::format("diskaudit_latency_seconds_sum{{{}}} {}\n", labels(scenario),
                             number(latency.mean / 1e6 * static_cast<double>(flow.ios), 0));
      samples +=
          fmt::format("diskaudit_latency_seconds_count{{{}}} {}\n", labels(scenario), flow.ios);
    }
    if (samples.empty()) return;
    head("latency_seconds", "summary", "seconds", "Completion latency, submit to completion.");
    text_ += samples;
  }

  void add_single(const char* name, const char* unit, const char* help, const std::string& labels,
                  const std::string& value) {
    head(name, "gauge", unit, help);
    text_ += fmt::format("diskaudit_{}{{{}}} {}\n", name, labels, value);
  }

  const std::string& base() const { return base_; }
  std::string take() { return std::move(text_); }

 private:
  void head(const char* name, const char* type, const char* unit, const char* help) {
    text_ +=
        fmt::format("# HELP diskaudit_{} {}\n# TYPE diskaudit_{} {}\n", name, help, name, type);
    if (rounded_ && *unit) text_ += fmt::format("# UNIT diskaudit_{} {}\n", name, unit);
  }

  std::string labels(const ScenarioAudit& scenario) const {
    return fmt::format("{},scenario=\"{}\"", base_, escaped_label(scenario.job.scenario.name));
  }

  std::string number(double value, double step) const {
    if (rounded_ && step > 0) value = std::round(value / step) * step;
    return format_number(value, step >= 1 && rounded_ ? 0 : 9);
  }

  const Audit& audit_;
  bool rounded_;
  std::string base_;
  std::string text_;
};

std::string render_metrics(const Audit& audit, bool for_gitlab) {
  MetricsText text(audit, for_gitlab);
  for (const Family& family : families()) text.add(family);
  text.add_latency();
  text.add_single("outcome_code", "", "0 pass, 1 fail, 3 no verdict; the audit's exit code.",
                  text.base(), std::to_string(exit_code_of(audit)));
  if (for_gitlab) return text.take() + "# EOF\n";
  if (const auto ended = unix_milliseconds(audit.ended)) {
    text.add_single("last_run_timestamp_seconds", "seconds", "When the audit ended.", text.base(),
                    fmt::format("{}.{:03}", *ended / 1000, *ended % 1000));
  }
  text.add_single(
      "info", "", "The audit behind these figures.",
      fmt::format("device=\"{}\",version=\"{}\",volume_id=\"{}\",instance_type=\"{}\"",
                  escaped_label(audit.disk.device.name), escaped_label(audit.tool_version),
                  escaped_label(audit.disk.device.serial),
                  escaped_label(audit.environment.machine_product)),
      "1");
  return text.take();
}

}  // namespace

std::string render_prometheus(const Audit& audit, const ReportStyle&) {
  return render_metrics(audit, false);
}

std::string render_openmetrics(const Audit& audit, const ReportStyle&) {
  return render_metrics(audit, true);
}

}  // namespace diskaudit
