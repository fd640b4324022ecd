// The card: at most 20 lines of 80 columns, made to be pasted. Verdict first, then what was bought
// and promised, one table, the disk, what to do next, and the units spelt out.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "report/formats.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"
#include "report/reason_words.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t max_lines = 20;
constexpr std::size_t columns = 80;
constexpr std::size_t indent = 10;  // of facts behind their titles
constexpr std::size_t most_note_lines = 3;

/// A line whose characters from `begin` to `end` may be coloured.
struct Line {
  std::string text{};
  std::size_t begin = 0;
  std::size_t end = 0;
  const char* colour = "";
};
using Lines = std::vector<Line>;

const char* colour_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Pass:
      return "\x1b[1;32m";
    case Outcome::Fail:
      return "\x1b[1;31m";
    case Outcome::Inconclusive:
      return "\x1b[1;33m";
    case Outcome::NotTested:
      break;
  }
  return "\x1b[2m";
}

std::string finished(const Line& line, const ReportStyle& style) {
  // In ASCII an ellipsis is three columns wide.
  const std::string text = clipped(line.text, style.utf8 ? columns : columns - 2);
  const std::size_t begin = std::min(line.begin, text.size());
  const std::size_t end = std::clamp(line.end, begin, text.size());
  const auto spelt = [&](std::size_t from, std::size_t to) {
    const std::string part = text.substr(from, to - from);
    return style.utf8 ? part : to_ascii(part);
  };
  std::string coloured = spelt(begin, end);
  if (style.colour && begin < end) coloured = line.colour + coloured + "\x1b[0m";
  return spelt(0, begin) + coloured + spelt(end, text.size()) + "\n";
}

Lines headline(const Audit& audit, Language language) {
  const std::string word = headline_word(audit, language);
  const bool measured = !audit.plan.profile && !audit.refused;
  const std::string sentence = word + "  " + headline_sentence(audit, language);
  Lines lines = {
      {sentence, 0, word.size(), colour_of(measured ? Outcome::NotTested : audit.outcome)}};
  // Why it was refused is all that there is to say, so it is said to the end.
  if (!audit.refused) return lines;
  std::vector<std::string> parts = wrapped(sentence, columns);
  lines.front().text = parts.front();
  constexpr std::size_t most = 5;
  for (std::size_t i = 1; i < std::min(parts.size(), most); ++i) lines.push_back({parts[i]});
  return lines;
}

/// Titled facts, each in as many lines as it takes but at most `most`.
class Facts {
 public:
  explicit Facts(Language language) : language_(language) {}

  void add(Message title, const std::string& text, std::size_t most) {
    add_titled(say(title, language_), text, most);
  }
  void add_further(const std::string& text, std::size_t most) { add_titled("", text, most); }

  Lines take() { return std::move(lines_); }

 private:
  void add_titled(std::string title, const std::string& text, std::size_t most) {
    std::vector<std::string> parts = wrapped(text, columns - indent);
    if (parts.size() > most) {
      parts.resize(most);
      parts.back() = clipped(parts.back() + " …", columns - indent);
    }
    for (const std::string& part : parts) {
      lines_.push_back({pad_right(std::exchange(title, ""), indent) + part});
    }
  }

  Language language_;
  Lines lines_;
};

/// "a = b = c = d" without its middle steps until it fits.
std::string shortened(std::string line, std::size_t width) {
  while (display_width(line) > width) {
    const std::size_t last = line.rfind(" = ");
    const std::size_t before = last == std::string::npos ? last : line.rfind(" = ", last - 1);
    if (before == std::string::npos || line.find(" = ") == before) break;
    line.erase(before, last - before);
  }
  return line;
}

Lines claim(const Audit& audit, Language language) {
  Facts facts(language);
  facts.add(Message::Bought, bought_text(audit, language), 2);
  if (audit.plan.quota) {
    bool first = true;
    for (const std::string& line : audit.plan.quota->explain) {
      const std::string text = shortened(explained(line, language), columns - indent);
      if (first) facts.add(Message::Promised, text, 1);
      if (!first) facts.add_further(text, 1);
      first = false;
    }
  }
  if (audit.plan.profile && !audit.plan.profile->sources.empty()) {
    facts.add(Message::Source, source_text(audit.plan.profile->sources.front(), language), 1);
  }
  facts.add(Message::Instance, instance_text(audit, language), 1);
  facts.add(Message::TestedDisk, disk_text(audit, language), 2);
  return facts.take();
}

// What the user should know, and verdicts that hang on which of the vendor's documents is right.
Lines notes(const Audit& audit, Language language) {
  std::vector<std::string> sentences;
  for (const ScenarioAudit& scenario : audit.scenarios) {
    for (const Reason& reason : scenario.verdict.reasons) {
      if (reason.code != ReasonCode::Disputed) continue;
      sentences.push_back(
          fmt::format("{}{}", label_of(scenario.job.scenario, language), colon_in(language)) +
          sentence_of(reason, scenario.job.scenario.metric, rate_unit(audit), language));
    }
  }
  for (const std::string& note : audit.notes) sentences.push_back(note_in(note, language));
  Facts facts(language);
  for (const std::string& sentence : sentences) facts.add(Message::Note, sentence, most_note_lines);
  Lines lines = facts.take();
  if (lines.size() <= most_note_lines) return lines;
  lines.resize(most_note_lines);
  lines.back().text = clipped(lines.back().text + " …", columns);
  return lines;
}

Lines advice(const Audit& audit, Language language) {
  Facts facts(language);
  facts.add(Message::Next, next_text(audit, language), audit.hints.empty() ? 2 : 3);
  facts.add(Message::Threshold, threshold_text(audit, language), 1);
  const bool binary = rate_unit(audit) == RateUnit::MiBps;
  facts.add(Message::Units, say(binary ? Message::UnitsMiBps : Message::UnitsMBps, language), 1);
  return facts.take();
}

using Row = std::vector<std::string>;

/// The label in a column that must leave room for causes.
std::string brief_label(const Scenario& scenario, Language language) {
  std::string label = label_of(scenario, language);
  constexpr std::string_view word = "sequential";
  const std::size_t at = label.find(word);
  if (at != std::string::npos) label.replace(at, word.size(), "seq.");
  return label;
}

Row judged_row(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  const RateUnit unit = rate_unit(audit);
  const auto& target = scenario.job.target;
  const Metric metric = target ? target->metric : scenario.job.scenario.metric;
  const auto& percent = scenario.verdict.percent;
  return {fmt::format("{} {}", symbol_of(scenario.verdict.outcome),
                      brief_label(scenario.job.scenario, language)),
          target ? figure(metric, target->value, unit) : "–",
          scenario.evidence.judged ? figure(metric, measured_value(scenario), unit) : "–",
          percent ? percent_text(*percent, audit.plan.options.tolerance.min_percent) : "–",
          verdict_text(scenario, language)};
}

Row measured_row(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  const std::string label = brief_label(scenario.job.scenario, language);
  if (!scenario.evidence.judged) {
    return {label, "–", "–", "–", verdict_text(scenario, language)};
  }
  const Measurement& measurement = *scenario.evidence.judged;
  return {label, format_iops({iops(measurement)}),
          format_throughput({bytes_per_second(measurement)}, rate_unit(audit)),
          latency_text(measurement.all.latency.mean), latency_text(measurement.all.latency.p99)};
}

Row title_row(bool judged, Language language) {
  using enum Message;
  const auto titles =
      judged ? std::array{Scenario, QuotaColumn, MeasuredColumn, Percent, VerdictColumn}
             : std::array{Scenario, RateColumn, ThroughputColumn, MeanLatency, P99Latency};
  Row row;
  for (const Message title : titles) row.push_back(say(title, language));
  if (judged) row.front() = "  " + row.front();
  return row;
}

/// The scenarios that are shown: where there are too many lines, passed ones are only counted.
struct Shown {
  std::vector<const ScenarioAudit*> scenarios;
  std::size_t passed_unshown = 0;
};

Shown choose(const Audit& audit, std::size_t room) {
  Shown shown;
  for (const ScenarioAudit& scenario : audit.scenarios) shown.scenarios.push_back(&scenario);
  for (auto it = shown.scenarios.end();
       shown.scenarios.size() + (shown.passed_unshown > 0) > room;) {
    if (it == shown.scenarios.begin()) break;
    --it;
    if ((*it)->verdict.outcome != Outcome::Pass) continue;
    it = shown.scenarios.erase(it);
    ++shown.passed_unshown;
  }
  return shown;
}

Lines table(const Audit& audit, std::size_t room, Language language) {
  if (audit.scenarios.empty()) return {};
  const bool judged = audit.plan.profile.has_value();
  const Shown shown = choose(audit, room);
  std::vector<Row> rows = {title_row(judged, language)};
  for (const ScenarioAudit* scenario : shown.scenarios) {
    rows.push_back(judged ? judged_row(audit, *scenario, language)
                          : measured_row(audit, *scenario, language));
  }
  Lines lines;
  for (std::string& text : aligned(rows, judged ? "lrrrl" : "lrrrr")) {
    Line line{std::move(text)};
    if (judged && !lines.empty()) {
      line.end = line.text.size();
      line.begin = line.end - rows[lines.size()].back().size();
      line.colour = colour_of(shown.scenarios[lines.size() - 1]->verdict.outcome);
    }
    lines.push_back(std::move(line));
  }
  if (shown.passed_unshown > 0) {
    lines.push_back({"✓ " + say(Message::MoreScenarios, language, shown.passed_unshown)});
  }
  return lines;
}

}  // namespace

std::string render_text(const Audit& audit, const ReportStyle& style) {
  const Language language = style.utf8 ? style.language : Language::English;
  const Lines facts = claim(audit, language);
  const Lines verdict = headline(audit, language);
  Lines tail = notes(audit, language);
  for (Line& line : advice(audit, language)) tail.push_back(std::move(line));
  const std::size_t others = verdict.size() + facts.size() + 1 + tail.size();  // and table's titles
  const std::size_t room = max_lines > others ? max_lines - others : 1;
  const Lines middle = table(audit, room, language);
  // Blank lines as far as they fit.
  std::size_t blanks = max_lines - std::min(max_lines, others - 1 + middle.size());

  std::string card;
  const auto add = [&](const Lines& lines, bool blank_before) {
    if (blank_before && blanks > 0) {
      card += "\n";
      --blanks;
    }
    for (const Line& line : lines) card += finished(line, style);
  };
  add(verdict, false);
  if (!middle.empty()) add(middle, true);
  add(facts, true);
  add(tail, true);
  return card;
}

}  // namespace diskaudit
