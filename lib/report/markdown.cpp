// For job summaries and merge requests; well below their limit of 1 MiB, as no series is shown.

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"
#include "report/reason_words.hpp"

namespace diskaudit {
namespace {

std::string_view emoji_of(const Audit& audit) {
  if (audit.refused) return "⛔";
  if (!audit.plan.profile && !audit.signal) return "📏";
  switch (audit.outcome) {
    case Outcome::Pass:
      return "✅";
    case Outcome::Fail:
      return "❌";
    default:
      return "⚠️";
  }
}

std::string row(std::initializer_list<std::string> cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += fmt::format(" {} |", escaped_markdown(cell));
  return text + "\n";
}

std::string table(const Audit& audit, Language language) {
  using enum Message;
  std::string text =
      row({"", say(Scenario, language), say(QuotaColumn, language), say(MeasuredColumn, language),
           say(Percent, language), say(IntervalColumn, language), say(VerdictColumn, language)});
  text += "|---|---|--:|--:|--:|--:|---|\n";
  const RateUnit unit = rate_unit(audit);
  for (const ScenarioAudit& scenario : audit.scenarios) {
    const Verdict& verdict = scenario.verdict;
    const auto& target = scenario.job.target;
    const Metric metric = target ? target->metric : scenario.job.scenario.metric;
    const double threshold = audit.plan.options.tolerance.min_percent;
    text += row({std::string(symbol_of(verdict.outcome)), label_of(scenario.job.scenario, language),
                 target ? figure(metric, target->value, unit) : "–",
                 scenario.evidence.judged ? figure(metric, measured_value(scenario), unit) : "–",
                 verdict.percent ? percent_text(*verdict.percent, threshold) : "–",
                 interval_text(verdict), verdict_text(scenario, language)});
  }
  return text;
}

std::string measured_table(const Audit& audit, Language language) {
  using enum Message;
  std::string text =
      row({say(Scenario, language), say(RateColumn, language), say(ThroughputColumn, language),
           say(MeanLatency, language), say(P99Latency, language)});
  text += "|---|--:|--:|--:|--:|\n";
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (!scenario.evidence.judged) continue;
    const Measurement& measurement = *scenario.evidence.judged;
    text += row({label_of(scenario.job.scenario, language), format_iops({iops(measurement)}),
                 format_throughput({bytes_per_second(measurement)}, rate_unit(audit)),
                 latency_text(measurement.all.latency.mean),
                 latency_text(measurement.all.latency.p99)});
  }
  return text;
}

std::string fact(Message title, const std::string& text, Language language) {
  if (text.empty()) return "";
  return fmt::format("- **{}**{}{}\n", say(title, language), colon_in(language),
                     escaped_markdown(text));
}

std::string findings(const Audit& audit, Language language) {
  std::string text;
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (scenario.verdict.reasons.empty()) continue;
    text +=
        fmt::format("\n**{}**\n\n", escaped_markdown(label_of(scenario.job.scenario, language)));
    for (const Reason& reason : scenario.verdict.reasons) {
      const std::string sentence =
          sentence_of(reason, scenario.job.scenario.metric, rate_unit(audit), language);
      text += fmt::format("- {}\n", escaped_markdown(sentence));
    }
  }
  if (text.empty()) return "";
  return fmt::format("\n<details><summary>{}</summary>\n{}\n</details>\n",
                     say(Message::Findings, language), text);
}

}  // namespace

std::string render_markdown(const Audit& audit, const ReportStyle& style) {
  const Language language = style.language;
  std::string text =
      fmt::format("## {} {}{}{}\n\n", emoji_of(audit), headline_word(audit, language),
                  colon_in(language), escaped_markdown(headline_sentence(audit, language)));
  if (!audit.scenarios.empty()) {
    text += audit.plan.profile ? table(audit, language) : measured_table(audit, language);
  }
  text += "\n" + fact(Message::Bought, bought_text(audit, language), language);
  if (audit.plan.quota) {
    for (const std::string& line : audit.plan.quota->explain) {
      text += fact(Message::Promised, explained(line, language), language);
    }
  }
  if (audit.plan.profile && !audit.plan.profile->sources.empty()) {
    const Source& source = audit.plan.profile->sources.front();
    text += fact(Message::Source, source_text(source, language), language);
  }
  text += fact(Message::Instance, instance_text(audit, language), language);
  text += fact(Message::TestedDisk, disk_text(audit, language), language);
  text += fact(Message::Threshold, threshold_text(audit, language), language);
  text += fact(Message::Next, next_text(audit, language), language);
  for (const std::string& note : audit.notes)
    text += fact(Message::Note, note_in(note, language), language);
  const bool binary = rate_unit(audit) == RateUnit::MiBps;
  text += fact(Message::Units, say(binary ? Message::UnitsMiBps : Message::UnitsMBps, language),
               language);
  text += findings(audit, language);
  return text + fmt::format("\ndiskaudit {} · {} · {}\n", escaped_markdown(audit.tool_version),
                            escaped_markdown(audit.id), escaped_markdown(audit.started));
}

}  // namespace diskaudit
