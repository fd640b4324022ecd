// Plain text that fits into a support form: vendors take at most 8000 characters. What the machine
// cannot know is named as to be filled in, so that nothing is forgotten.

#include <algorithm>
#include <array>

#include "report/clock_text.hpp"
#include "report/fio.hpp"
#include "report/formats.hpp"
#include "report/iostat.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"
#include "report/reason_words.hpp"
#include "report/record.hpp"
#include "report/ticket_facts.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t most_characters = 7500;

/// What is shown of the scenarios: everything; of passed ones no findings and fio options; of none;
/// or the results alone of those that did not pass.
enum class Detail { Full, Problems, Least, Results };

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The first of them, whatever that cuts: strings from outside may be long.
std::string first_characters(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && ++seen > most) break;
  }
  return text.substr(0, end);
}

class Ticket {
 public:
  Ticket(const Audit& audit, Language language) : audit_(audit), language_(language) {}

  std::string text(Detail detail) {
    longest_line_ = detail == Detail::Results ? 140 : most_characters;
    text_ = fmt::format(
        "{}{}{}\n{}\n", headline_word(audit_, language_), colon_in(language_),
        headline_sentence(audit_, language_),
        words(audit_.outcome == Outcome::Fail ? Message::PleaseCheck : Message::ForInformation));
    disk();
    claim();
    results(detail);
    monitor(detail);
    repeat(detail);
    evidence(detail);
    if (detail != Detail::Full) text_ += std::string(words(Message::MoreInRecord)) + "\n";
    return std::move(text_);
  }

 private:
  std::string_view words(Message message) const { return diskaudit::words(message, language_); }

  void line(const std::string& text) {
    const std::string shown = first_characters(text, longest_line_);
    text_ += shown + (shown.size() < text.size() ? "…\n" : "\n");
  }

  std::string_view comma() const { return language_ == Language::Chinese ? "，" : ", "; }

  void section(Message title) { text_ += fmt::format("\n{}\n", words(title)); }

  void field(Message title, std::string_view value) {
    line(fmt::format("- {}{}{}", words(title), colon_in(language_),
                     value.empty() ? words(Message::ToFillIn) : value));
  }

  void disk() {
    const BlockDevice& device = audit_.disk.device;
    section(Message::SectionDisk);
    field(Message::Bought, bought_text(audit_, language_));
    field(Message::FieldVolume, volume_text(audit_));
    field(Message::FieldAccount, "");
    field(Message::FieldRegion, "");
    field(Message::FieldInstance, "");
    field(Message::FieldInstanceType, "");
    field(Message::FieldInstanceCap, instance_text(audit_, language_));
    field(Message::FieldOrigin, "");
    std::string shown = fmt::format("/dev/{} ({})", device.name, device.number);
    for (const std::string& part : {device.by_id, device.model, device.driver}) {
      if (!part.empty()) shown += fmt::format("{}{}", comma(), part);
    }
    shown += comma();
    shown += say(Message::SizeAndSectors, language_, format_size(device.size), device.size.value,
                 device.logical_block_size, device.physical_block_size);
    field(Message::FieldDevice, shown);
    field(Message::FieldQueue, queue_text(device));
    if (!device.lower.empty()) {
      field(Message::FieldStack, fmt::format("{}", fmt::join(device.lower, comma())));
    }
    const std::uint64_t start = audit_.disk.partition_start.value;
    field(Message::FieldPartition,
          say(start % 4096 == 0 ? Message::FieldAligned : Message::FieldMisaligned, language_,
              start));
    const bool raw = audit_.disk.kind == DiskKind::BlockDevice;
    field(Message::FieldFileSystem,
          raw ? std::string(words(Message::FieldRawDevice))
              : fmt::format("{}",
                            fmt::join(std::array{audit_.disk.filesystem, audit_.disk.mount_point,
                                                 audit_.disk.mount_options},
                                      comma())));
    field(Message::FieldSpan, format_size(audit_.span));
    line(std::string(words(Message::StatedByUser)));
  }

  void claim() {
    section(Message::SectionClaim);
    if (audit_.plan.quota) {
      for (const std::string& line : audit_.plan.quota->explain) {
        this->line("- " + explained(line, language_));
      }
    }
    if (audit_.plan.profile) {
      for (const diskaudit::Source& source : audit_.plan.profile->sources) {
        field(Message::Source, fmt::format("{} {}", source_text(source, language_), source.url));
      }
    }
    field(Message::Threshold, threshold_text(audit_, language_));
    const bool binary = rate_unit(audit_) == RateUnit::MiBps;
    field(Message::Units, words(binary ? Message::UnitsMiBps : Message::UnitsMBps));
  }

  void result(const ScenarioAudit& scenario, Detail detail) {
    const Verdict& verdict = scenario.verdict;
    const auto& target = scenario.job.target;
    const RateUnit unit = rate_unit(audit_);
    const Metric metric = target ? target->metric : scenario.job.scenario.metric;
    const double threshold = audit_.plan.options.tolerance.min_percent;
    line("- " + say(Message::ResultLine, language_, label_of(scenario.job.scenario, language_),
                    scenario.evidence.judged ? figure(metric, measured_value(scenario), unit) : "–",
                    target ? figure(metric, target->value, unit) : "–",
                    verdict.percent ? percent_text(*verdict.percent, threshold) : "–",
                    interval_text(verdict), verdict_text(scenario, language_)));
    if (!scenario.evidence.judged) return;
    if (detail != Detail::Results) run(scenario);
    if (verdict.cause && detail != Detail::Results) {
      line(fmt::format("  {}", words_of(*verdict.cause).vendor.in(language_)));
    }
    const bool with_findings =
        detail == Detail::Full || (detail == Detail::Problems && verdict.outcome != Outcome::Pass);
    for (const Reason& reason : verdict.reasons) {
      const bool weighs = reason.code == ReasonCode::Disputed && detail != Detail::Results;
      if (!with_findings && !weighs) continue;
      line(fmt::format("  * {}", sentence_of(reason, metric, unit, language_)));
    }
  }

  /// How it was measured, and what the kernel counted meanwhile.
  void run(const ScenarioAudit& scenario) {
    const Measurement& m = *scenario.evidence.judged;
    line("  " + say(Message::DepthLine, language_, m.iodepth, m.threads,
                    format_number(m.seconds, 1), format_number(scenario.job.ramp_seconds, 1),
                    m.all.errors));
    if (scenario.job.target) {
      line("  " + say(Message::TargetLine, language_, ceiling_text(*scenario.job.target, language_),
                      format_iops({iops(m)}),
                      format_throughput({bytes_per_second(m)}, rate_unit(audit_))));
    }
    const LatencySummary& latency = m.all.latency;
    line("  " + say(Message::LatencyLine, language_, latency_text(latency.mean),
                    latency_text(latency.p50), latency_text(latency.p95), latency_text(latency.p99),
                    latency_text(latency.p999), latency_text(latency.max)));
    const auto columns = iostat_columns(scenario.job.scenario.direction, m);
    if (columns) {
      line("  " + say(Message::IostatLine, language_, columns->names, columns->during,
                      columns->before.value_or("–"), columns->after.value_or("–")));
    }
    const double own = m.seconds > 0 ? m.client.cpu_seconds / m.seconds * 100 : 0;
    line("  " + say(Message::CpuLine, language_, format_number(own, 1),
                    format_number(m.client.iowait_share * 100, 1),
                    format_number(m.client.steal_share * 100, 1)));
  }

  /// Where the room is short, scenarios that passed are counted.
  void results(Detail detail) {
    section(Message::SectionResults);
    std::size_t passed = 0;
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      const bool shown = detail != Detail::Results || scenario.verdict.outcome != Outcome::Pass;
      if (shown) result(scenario, detail);
      if (!shown) ++passed;
    }
    if (passed > 0) line("- " + say(Message::MoreScenarios, language_, passed));
    for (const Reason& hint : audit_.hints) {
      line("- " + sentence_of(hint, Metric::Iops, rate_unit(audit_), language_));
    }
  }

  /// A vendor's monitor has values for whole clock minutes, so those inside the window are named.
  void monitor(Detail detail) {
    section(Message::SectionMonitor);
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      const bool passed = scenario.verdict.outcome == Outcome::Pass;
      if (!scenario.evidence.judged || (detail == Detail::Results && passed)) continue;
      const Measurement& m = *scenario.evidence.judged;
      const std::string label = label_of(scenario.job.scenario, language_);
      const auto begin = unix_milliseconds(m.started);
      const auto end = unix_milliseconds(m.ended);
      if (!begin || !end) continue;
      const std::int64_t first = (*begin + 59999) / 60000 * 60;
      const std::int64_t last = *end / 60000 * 60;
      if (detail == Detail::Results) {
        line(fmt::format("- {}{}{} – {}", label, colon_in(language_), m.started, m.ended));
      } else if (first < last) {
        line("- " + say(Message::WindowLine, language_, label, m.started, m.ended, utc_text(first),
                        utc_text(last)));
      } else {
        line("- " + say(Message::NoWholeMinute, language_, label, m.started, m.ended));
      }
    }
    field(Message::FieldLocalClock, local_clock_text(audit_.environment, language_));
    const std::string query = monitor_query(audit_);
    if (!query.empty()) line("- " + say(Message::MonitorQuery, language_, query));
  }

  /// One command of several jobs, one after the other.
  void repeat(Detail detail) {
    if (detail == Detail::Least || detail == Detail::Results) return;
    section(Message::SectionRepeat);
    if (audit_.disk.kind == DiskKind::BlockDevice) line(std::string(words(Message::FioDestroys)));
    std::string command = "fio" + fio_words(fio_common(audit_));
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      if (!scenario.evidence.judged) continue;
      if (detail == Detail::Problems && scenario.verdict.outcome == Outcome::Pass) continue;
      command += fmt::format(" \\\n --name={} --stonewall{}", scenario.job.scenario.name,
                             fio_words(fio_workload(audit_, scenario)));
    }
    line(command);
  }

  void evidence(Detail detail) {
    const Environment& environment = audit_.environment;
    section(Message::SectionEvidence);
    field(Message::FieldSystem,
          fmt::format("{0}{1}Linux {2}{1}{3} {4}", environment.distribution, comma(),
                      environment.kernel, environment.machine_vendor, environment.machine_product));
    field(Message::FieldCpu, fmt::format("{} × {}", environment.cpus, environment.cpu_model));
    field(Message::FieldCgroup, cgroup_text(environment, language_));
    engine();
    field(Message::FieldRecord,
          fmt::format("{} (diskaudit {} {}, {}), {} – {}", audit_.id, audit_.tool_version,
                      audit_.tool_commit, record_schema, audit_.started, audit_.ended));
    field(Message::FieldCommand, shell_text(audit_.command_line));
    if (!audit_.guard.empty()) field(Message::FieldGuard, guard_text(audit_, language_));
    field(Message::FieldKernelLog, "");
    if (audit_.plan.profile && audit_.plan.profile->id.starts_with("aws-")) {
      field(Message::FieldThrottle, "");
    }
    field(Message::FieldAttachments, words(Message::AttachmentsText));
    const bool redacted = std::ranges::any_of(
        audit_.notes, [](const std::string& note) { return note.starts_with("redacted: "); });
    if (!redacted) field(Message::FieldRedacted, words(Message::FieldNone));
    const std::size_t most = detail == Detail::Results ? 5 : audit_.notes.size();
    for (std::size_t i = 0; i < std::min(most, audit_.notes.size()); ++i) {
      field(Message::Note, note_in(audit_.notes[i], language_));
    }
  }

  void engine() {
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      if (!scenario.evidence.judged) continue;
      const Measurement& m = *scenario.evidence.judged;
      field(Message::FieldEngine, m.engine);
      if (!m.engine_warning.empty()) field(Message::Note, note_in(m.engine_warning, language_));
      return;
    }
  }

  const Audit& audit_;
  Language language_;
  std::string text_;
  std::size_t longest_line_ = most_characters;
};

}  // namespace

std::string render_ticket(const Audit& audit, const ReportStyle& style) {
  Language language = style.language;
  if (!style.language_asked) {
    language = speaks_chinese(audit) ? Language::Chinese : Language::English;
  }
  Ticket ticket(audit, language);
  for (const Detail detail : {Detail::Full, Detail::Problems, Detail::Least, Detail::Results}) {
    std::string text = ticket.text(detail);
    if (characters(text) <= most_characters) return text;
  }
  return first_characters(ticket.text(Detail::Results), most_characters);
}

}  // namespace diskaudit
