#include "report/phrases.hpp"

#include <algorithm>
#include <cmath>

#include "report/note_words.hpp"
#include "report/reason_words.hpp"

namespace diskaudit {
namespace {

std::size_t count(const Audit& audit, Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(
      audit.scenarios,
      [outcome](const ScenarioAudit& scenario) { return scenario.verdict.outcome == outcome; }));
}

std::string direction_text(const Scenario& scenario, Language language) {
  switch (scenario.direction) {
    case Direction::Read:
      return say(Message::Read, language);
    case Direction::Write:
      return say(Message::Write, language);
    case Direction::Mixed:
      break;
  }
  return say(Message::Mixed, language, scenario.read_percent, 100 - scenario.read_percent);
}

std::string size_text(const Audit& audit) {
  const auto gib = audit.plan.inputs.find("gib");
  if (gib == audit.plan.inputs.end()) return format_size(audit.disk.device.size);
  return format_number(gib->second, 2) + " GiB";
}

bool is_over(const ScenarioAudit& scenario) {
  return std::ranges::find(scenario.verdict.flags, "over") != scenario.verdict.flags.end();
}

Message reason_of(std::string_view not_tested) {
  if (not_tested == "read_only") return Message::ReadOnly;
  if (not_tested == "not_published") return Message::NotPublished;
  return Message::NotAsked;
}

std::string_view pick(const LocalText& text, Language language) {
  return language == Language::Chinese && !text.zh.empty() ? text.zh : text.en;
}

std::string step_for(const Audit& audit, Language language) {
  if (audit.refused) return say(Message::RemoveCause, language);
  if (audit.signal) return say(Message::RunAgain, language);
  if (!audit.plan.profile) return say(Message::GiveProfile, language);
  if (audit.outcome == Outcome::Pass) {
    const bool over = std::ranges::any_of(audit.scenarios, is_over);
    return say(over ? Message::OverCandidates : Message::KeepRecord, language);
  }
  if (audit.cause) return std::string(words_of(*audit.cause).user.in(language));
  return say(Message::RunAgain, language);
}

}  // namespace

std::string_view colon_in(Language language) { return language == Language::Chinese ? "：" : ": "; }

std::string label_of(const Scenario& scenario, Language language) {
  const Message kind =
      scenario.pattern == Pattern::Sequential ? Message::Sequential : Message::Random;
  std::string label =
      say(kind, language, direction_text(scenario, language), format_size(scenario.block_size));
  if (scenario.name.starts_with("sustained")) return say(Message::Sustained, language, label);
  if (scenario.metric == Metric::LatencyUs) return say(Message::LatencyOf, language, label);
  return label;
}

RateUnit rate_unit(const Audit& audit) {
  return audit.plan.quota ? audit.plan.quota->unit : RateUnit::MBps;
}

std::string latency_text(double microseconds) {
  if (microseconds < 1000) return format_number(microseconds, 0) + " µs";
  const double milliseconds = microseconds / 1000;
  return format_number(milliseconds, milliseconds < 10 ? 2 : 1) + " ms";
}

std::string figure(Metric metric, double value, RateUnit unit) {
  if (metric == Metric::Iops) return format_iops({value});
  if (metric == Metric::LatencyUs) return latency_text(value);
  return format_throughput({value}, unit);
}

double measured_value(const ScenarioAudit& scenario) {
  const auto& target = scenario.job.target;
  if (target && scenario.verdict.percent) return *scenario.verdict.percent / 100 * target->value;
  if (!scenario.evidence.judged) return 0;
  const Measurement& measurement = *scenario.evidence.judged;
  if (scenario.job.scenario.metric == Metric::Iops) return iops(measurement);
  if (scenario.job.scenario.metric == Metric::LatencyUs) return measurement.all.latency.mean;
  return bytes_per_second(measurement);
}

std::string percent_text(double percent, double min_percent) {
  double scale = 10;
  int decimals = 1;
  // 89.97 against 90 must not read as 90.0: more digits until both sides differ as they do.
  while (decimals < 4 && percent < min_percent &&
         std::round(percent * scale) / scale >= min_percent) {
    scale *= 10;
    ++decimals;
  }
  return fmt::format("{:.{}f} %", percent, decimals);
}

std::string interval_text(const Verdict& verdict) {
  if (!verdict.interval) return "–";
  return fmt::format("{:.1f}–{:.1f} %", verdict.interval->low, verdict.interval->high);
}

std::string verdict_text(const ScenarioAudit& scenario, Language language) {
  const Verdict& verdict = scenario.verdict;
  const auto with_cause = [language](Message word, const std::string& cause) {
    const std::string verdict = say(word, language);
    if (cause.empty()) return verdict;
    return language == Language::Chinese ? fmt::format("{}（{}）", verdict, cause)
                                         : fmt::format("{}: {}", verdict, cause);
  };
  switch (verdict.outcome) {
    case Outcome::Pass:
      return with_cause(Message::Pass, is_over(scenario) ? say(Message::Over, language) : "");
    case Outcome::NotTested:
      return with_cause(Message::NotTested, say(reason_of(scenario.job.not_tested), language));
    case Outcome::Fail:
    case Outcome::Inconclusive:
      break;
  }
  return with_cause(verdict.outcome == Outcome::Fail ? Message::Fail : Message::Unclear,
                    std::string(verdict.cause ? words_of(*verdict.cause).name.in(language) : ""));
}

std::string outcome_text(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  const Verdict& verdict = scenario.verdict;
  const std::string_view semicolon = language == Language::Chinese ? "；" : "; ";
  std::string text = verdict_text(scenario, language);
  if (scenario.job.target && verdict.percent) {
    const Metric metric = scenario.job.target->metric;
    text += fmt::format("{}{} / {} = {}", semicolon,
                        figure(metric, measured_value(scenario), rate_unit(audit)),
                        figure(metric, scenario.job.target->value, rate_unit(audit)),
                        percent_text(*verdict.percent, audit.plan.options.tolerance.min_percent));
  }
  if (verdict.cause) {
    text += fmt::format("{}{}", semicolon, words_of(*verdict.cause).user.in(language));
  }
  return text;
}

std::string_view symbol_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Pass:
      return "✓";
    case Outcome::Fail:
      return "✗";
    case Outcome::Inconclusive:
      return "?";
    case Outcome::NotTested:
      break;
  }
  return "–";
}

std::string headline_word(const Audit& audit, Language language) {
  if (audit.refused) return say(Message::RefusedHeadline, language);
  if (!audit.plan.profile && !audit.signal) return say(Message::MeasuredHeadline, language);
  switch (audit.outcome) {
    case Outcome::Pass:
      return say(Message::PassHeadline, language);
    case Outcome::Fail:
      return say(Message::FailHeadline, language);
    case Outcome::Inconclusive:
    case Outcome::NotTested:
      break;
  }
  return say(Message::UnclearHeadline, language);
}

std::string headline_sentence(const Audit& audit, Language language) {
  const std::size_t judged = audit.scenarios.size() - count(audit, Outcome::NotTested);
  const std::string threshold = format_number(audit.plan.options.tolerance.min_percent, 2);
  if (audit.refused) return note_in(*audit.refused, language);
  if (audit.signal) {
    const std::size_t planned = std::max(audit.plan.jobs.size(), audit.scenarios.size());
    const auto finished = std::ranges::count_if(audit.scenarios, [](const ScenarioAudit& s) {
      return s.verdict.cause != Cause::Interrupted;
    });
    return say(Message::InterruptedAfter, language, *audit.signal, finished, planned);
  }
  if (!audit.plan.profile) return say(Message::MeasuredOnly, language);
  if (judged == 0) return say(Message::NothingJudged, language);
  if (audit.outcome == Outcome::Pass) {
    return say(judged == 1 ? Message::OnePasses : Message::AllPass, language, judged, threshold);
  }
  if (audit.outcome == Outcome::Fail) {
    const std::size_t failed = count(audit, Outcome::Fail);
    return say(failed == 1 ? Message::OneFails : Message::SomeFail, language, failed, judged,
               threshold);
  }
  const std::string_view cause = audit.cause ? words_of(*audit.cause).name.in(language) : "";
  return say(Message::NoVerdict, language, count(audit, Outcome::Inconclusive), judged, cause);
}

std::string bought_text(const Audit& audit, Language language) {
  if (!audit.plan.profile) return "";
  const Profile& profile = *audit.plan.profile;
  const std::string_view comma = language == Language::Chinese ? "，" : ", ";
  std::string text(pick(profile.vendor, language));
  const std::string_view name = pick(profile.name, language);
  // Between Chinese characters stands no space.
  const auto is_wide = [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; };
  if (text.empty() || name.empty() || !is_wide(text.back()) || !is_wide(name.front())) text += ' ';
  text += fmt::format("{}{}{}", name, comma, size_text(audit));
  for (const auto& [name, value] : audit.plan.inputs) {
    if (name != "gib") text += fmt::format("{}{} {}", comma, name, format_number(value, 2));
  }
  return text + (language == Language::Chinese ? fmt::format("（{}）", profile.id)
                                               : fmt::format(" ({})", profile.id));
}

std::string instance_text(const Audit& audit, Language language) {
  const InstanceCaps& caps = audit.plan.options.instance;
  std::string text;
  if (caps.iops) text = format_iops(*caps.iops);
  if (caps.throughput) {
    if (!text.empty()) text += language == Language::Chinese ? "，" : ", ";
    text += format_throughput(*caps.throughput, rate_unit(audit));
  }
  return text.empty() ? "" : say(Message::InstanceCap, language, text);
}

std::string source_text(const Source& source, Language language) {
  std::string dates;
  if (!source.dated.empty()) dates = say(Message::SourceDated, language, source.dated);
  if (!source.read.empty()) {
    if (!dates.empty()) dates += language == Language::Chinese ? "，" : ", ";
    dates += say(Message::SourceRead, language, source.read);
  }
  if (dates.empty()) return source.title;
  return fmt::format(fmt::runtime(language == Language::Chinese ? "{}（{}）" : "{} ({})"),
                     source.title, dates);
}

std::string disk_text(const Audit& audit, Language language) {
  const BlockDevice& device = audit.disk.device;
  if (device.name.empty()) return audit.disk.path;
  const std::string_view comma = language == Language::Chinese ? "，" : ", ";
  std::string text = device.name;
  if (!device.driver.empty()) {
    text += fmt::format(fmt::runtime(language == Language::Chinese ? "（{}）" : " ({})"),
                        device.driver);
  }
  if (!device.serial.empty()) {
    text += fmt::format("{}{}", comma, say(Message::Serial, language, device.serial));
  }
  text += fmt::format("{}{}{}", comma, format_size(device.size),
                      language == Language::Chinese ? "；" : "; ");
  if (audit.disk.kind == DiskKind::File) {
    text += say(Message::TestFileOn, language, format_size(audit.span), audit.disk.filesystem,
                audit.disk.path);
  } else {
    text += say(Message::WholeDisk, language, format_size(audit.span));
  }
  if (audit.plan.options.read_only) {
    text += fmt::format("{}{}", comma, say(Message::ReadOnlyTest, language));
  }
  return text;
}

std::string threshold_text(const Audit& audit, Language language) {
  if (!audit.plan.profile) return "";
  const Tolerance& tolerance = audit.plan.options.tolerance;
  Message message = Message::ThresholdByDefault;
  if (tolerance.source == "profile") message = Message::ThresholdByProfile;
  if (tolerance.source == "user") message = Message::ThresholdByUser;
  return say(message, language, format_number(tolerance.min_percent, 2));
}

std::string next_text(const Audit& audit, Language language) {
  std::string text;
  for (const Reason& hint : audit.hints) {
    text += sentence_of(hint, Metric::Iops, rate_unit(audit), language);
    text += language == Language::Chinese ? "；" : "; ";
  }
  return text + step_for(audit, language);
}

}  // namespace diskaudit
