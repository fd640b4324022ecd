#include <algorithm>

#include "report/html/page.hpp"
#include "report/phrases.hpp"

namespace diskaudit::html {
namespace {

std::string cells_of(const std::vector<std::string>& cells, const char* first, const char* others) {
  std::string text = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char* tag = i == 0 ? first : others;
    text += fmt::format("<{0}>{1}</{0}>", tag, cells[i]);
  }
  return text + "</tr>\n";
}

/// How far to the quota, with a mark at the threshold; the figure beside it says the same.
std::string bar(double percent, double threshold) {
  constexpr double full = 1.2;  // the bar's end is at 120 %
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100\" height=\"10\"/>"
      "<rect class=\"fill\" width=\"{:.1f}\" height=\"10\"/>"
      "<rect class=\"mark\" x=\"{:.1f}\" width=\"1\" height=\"10\"/></svg>",
      std::clamp(percent / full, 0.0, 100.0), std::clamp(threshold / full, 0.0, 99.0));
}

std::string judged_row(const Audit& audit, const ScenarioAudit& scenario) {
  const Verdict& verdict = scenario.verdict;
  const auto& target = scenario.job.target;
  const RateUnit unit = rate_unit(audit);
  const Metric metric = target ? target->metric : scenario.job.scenario.metric;
  const double threshold = audit.plan.options.tolerance.min_percent;
  const std::string outcome(name_of(verdict.outcome));
  const std::string percent = verdict.percent ? fmt::format("<span class=\"{}\">{}</span>", outcome,
                                                            bar(*verdict.percent, threshold))
                                              : "";
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td class=\"word\">{}</td>"
      "<td>{}</td><td class=\"word {}\">{} {}</td></tr>\n",
      both([&](Language language) { return label_of(scenario.job.scenario, language); }),
      target ? figure(metric, target->value, unit) : "–",
      scenario.evidence.judged ? figure(metric, measured_value(scenario), unit) : "–",
      verdict.percent ? percent_text(*verdict.percent, threshold) : "–", percent,
      interval_text(verdict), outcome, symbol_of(verdict.outcome),
      both([&](Language language) { return verdict_text(scenario, language); }));
}

std::string measured_row(const Audit& audit, const ScenarioAudit& scenario) {
  if (!scenario.evidence.judged) return "";
  const Measurement& m = *scenario.evidence.judged;
  return row({both([&](Language language) { return label_of(scenario.job.scenario, language); }),
              format_iops({iops(m)}), format_throughput({bytes_per_second(m)}, rate_unit(audit)),
              latency_text(m.all.latency.mean), latency_text(m.all.latency.p99)});
}

std::string table(const Audit& audit) {
  using enum Message;
  if (audit.scenarios.empty()) return "";
  std::string text = "<div class=\"wide\"><table class=\"numbers\"><thead>";
  if (audit.plan.profile) {
    text += fmt::format(
        "<tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th>"
        "<th scope=\"col\">{}</th><td></td><th scope=\"col\">{}</th>"
        "<th scope=\"col\" class=\"word\">{}</th></tr>",
        both_say(Scenario), both_say(QuotaColumn), both_say(MeasuredColumn), both_say(Percent),
        both_say(IntervalColumn), both_say(VerdictColumn));
  } else {
    text += head_row({both_say(Scenario), both_say(RateColumn), both_say(ThroughputColumn),
                      both_say(MeanLatency), both_say(P99Latency)});
  }
  text += "</thead><tbody>\n";
  for (const ScenarioAudit& scenario : audit.scenarios) {
    text += audit.plan.profile ? judged_row(audit, scenario) : measured_row(audit, scenario);
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string row(const std::vector<std::string>& cells) { return cells_of(cells, "th", "td"); }

std::string head_row(const std::vector<std::string>& cells) { return cells_of(cells, "th", "th"); }

std::string summary(const Audit& audit) {
  const bool measured_only = !audit.plan.profile && !audit.signal && !audit.refused;
  const Outcome outcome = measured_only ? Outcome::NotTested : audit.outcome;
  std::string text = fmt::format(
      "<h1>{}</h1>\n<div class=\"banner {}\"><p><span class=\"word\">{} {}</span> "
      "{}</p>\n<p>{}</p></div>\n",
      both_say(Message::PageTitle), name_of(outcome),
      audit.refused ? "⛔" : (measured_only ? "•" : symbol_of(outcome)),
      both([&](Language language) { return headline_word(audit, language); }),
      both([&](Language language) { return headline_sentence(audit, language); }),
      both([&](Language language) {
        return fmt::format("{}{}{}", say(Message::Next, language), colon_in(language),
                           next_text(audit, language));
      }));
  return text + table(audit);
}

}  // namespace diskaudit::html
