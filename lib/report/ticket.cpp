// Plain text that fits into a support form: vendors take at most 8000 characters. What the machine
// cannot know is named as to be filled in, so that nothing is forgotten.

#include <algorithm>

#include "device/cloud.hpp"
#include "report/clock_text.hpp"
#include "report/fio.hpp"
#include "report/formats.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"
#include "report/reason_words.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t most_characters = 7500;

/// What is shown: everything, no findings and fio lines of passed scenarios, or no such lines at
/// all.
enum class Detail { Full, Problems, Least };

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
    text_ = fmt::format(
        "{}{}{}\n{}\n", headline_word(audit_, language_), colon_in(language_),
        headline_sentence(audit_, language_),
        words(audit_.outcome == Outcome::Fail ? Message::PleaseCheck : Message::ForInformation));
    disk();
    claim();
    results(detail);
    monitor();
    repeat(detail);
    evidence();
    if (detail != Detail::Full) text_ += std::string(words(Message::MoreInRecord)) + "\n";
    return std::move(text_);
  }

 private:
  std::string_view words(Message message) const { return diskaudit::words(message, language_); }

  void section(Message title) { text_ += fmt::format("\n{}\n", words(title)); }

  void field(Message title, std::string_view value) {
    text_ += fmt::format("- {}{}{}\n", words(title), colon_in(language_),
                         value.empty() ? words(Message::ToFillIn) : value);
  }

  void disk() {
    const BlockDevice& device = audit_.disk.device;
    section(Message::SectionDisk);
    field(Message::Bought, bought_text(audit_, language_));
    field(Message::FieldVolume, volume());
    field(Message::FieldAccount, "");
    field(Message::FieldRegion, "");
    field(Message::FieldInstance, "");
    field(Message::FieldInstanceType, "");
    field(Message::FieldOrigin, "");
    std::string shown = fmt::format("{} ({})", device.name, device.number);
    for (const std::string& part : {device.by_id, device.model, device.driver}) {
      if (!part.empty()) shown += ", " + part;
    }
    shown += ", " + say(Message::SizeAndSectors, language_, format_size(device.size),
                        device.size.value, device.logical_block_size, device.physical_block_size);
    field(Message::FieldDevice, shown);
    field(Message::FieldQueue,
          fmt::format("scheduler={} nr_requests={} hw_queues={} max_sectors_kb={} write_cache={}",
                      device.scheduler, device.nr_requests, device.hardware_queues,
                      device.max_sectors_kb, device.write_cache));
    const std::uint64_t start = audit_.disk.partition_start.value;
    field(Message::FieldPartition,
          say(start % 4096 == 0 ? Message::FieldAligned : Message::FieldMisaligned, language_,
              start));
    const bool raw = audit_.disk.kind == DiskKind::BlockDevice;
    field(Message::FieldFileSystem,
          raw ? std::string(words(Message::FieldRawDevice))
              : fmt::format("{}, {}, {}", audit_.disk.filesystem, audit_.disk.mount_point,
                            audit_.disk.mount_options));
    field(Message::FieldSpan, format_size(audit_.span));
  }

  void claim() {
    section(Message::SectionClaim);
    if (audit_.plan.quota) {
      for (const std::string& line : audit_.plan.quota->explain) {
        text_ += fmt::format("- {}\n", explained(line, language_));
      }
    }
    if (audit_.plan.profile) {
      for (const diskaudit::Source& source : audit_.plan.profile->sources) {
        field(Message::Source, fmt::format("{} {}", source_text(source, language_), source.url));
      }
    }
    const std::string instance = instance_text(audit_, language_);
    if (!instance.empty()) field(Message::Instance, instance);
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
    text_ += "- " +
             say(Message::ResultLine, language_, label_of(scenario.job.scenario, language_),
                 scenario.evidence.judged ? figure(metric, measured_value(scenario), unit) : "–",
                 target ? figure(metric, target->value, unit) : "–",
                 verdict.percent ? percent_text(*verdict.percent, threshold) : "–",
                 interval_text(verdict), verdict_text(scenario, language_)) +
             "\n";
    if (!scenario.evidence.judged) return;
    const Measurement& m = *scenario.evidence.judged;
    text_ += "  " +
             say(Message::DepthLine, language_, m.iodepth, m.threads, format_number(m.seconds, 1),
                 m.all.errors) +
             "\n";
    const LatencySummary& latency = m.all.latency;
    text_ += "  " +
             say(Message::LatencyLine, language_, latency_text(latency.mean),
                 latency_text(latency.p50), latency_text(latency.p95), latency_text(latency.p99),
                 latency_text(latency.p999), latency_text(latency.max)) +
             "\n";
    if (verdict.cause) {
      text_ += fmt::format("  {}\n", words_of(*verdict.cause).vendor.in(language_));
    }
    const bool with_findings =
        detail == Detail::Full || (detail == Detail::Problems && verdict.outcome != Outcome::Pass);
    for (const Reason& reason : verdict.reasons) {
      if (!with_findings && reason.code != ReasonCode::Disputed) continue;
      text_ += fmt::format("  * {}\n", sentence_of(reason, metric, unit, language_));
    }
  }

  void results(Detail detail) {
    section(Message::SectionResults);
    for (const ScenarioAudit& scenario : audit_.scenarios) result(scenario, detail);
    for (const Reason& hint : audit_.hints) {
      text_ += fmt::format("- {}\n", sentence_of(hint, Metric::Iops, rate_unit(audit_), language_));
    }
  }

  /// A vendor's monitor has values for whole clock minutes, so those inside the window are named.
  void monitor() {
    section(Message::SectionMonitor);
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      if (!scenario.evidence.judged) continue;
      const Measurement& m = *scenario.evidence.judged;
      const std::string label = label_of(scenario.job.scenario, language_);
      const auto begin = unix_milliseconds(m.started);
      const auto end = unix_milliseconds(m.ended);
      if (!begin || !end) continue;
      const std::int64_t first = (*begin + 59999) / 60000 * 60;
      const std::int64_t last = *end / 60000 * 60;
      text_ += "- " +
               (first < last ? say(Message::WindowLine, language_, label, m.started, m.ended,
                                   utc_text(first), utc_text(last))
                             : say(Message::NoWholeMinute, language_, label, m.started, m.ended)) +
               "\n";
    }
    const std::string query = monitor_query();
    if (!query.empty()) text_ += "- " + say(Message::MonitorQuery, language_, query) + "\n";
  }

  std::string volume() const {
    const std::string id = volume_id(audit_.disk.device);
    return id.empty() ? audit_.disk.device.serial : id;
  }

  std::string monitor_query() const {
    if (!audit_.plan.profile) return "";
    const std::string& id = audit_.plan.profile->id;
    if (id.starts_with("tencent-")) {
      return fmt::format(
          "QCE/BLOCK_STORAGE diskId={}: DiskReadIops DiskWriteIops DiskAwait "
          "DiskSvctm DiskUtil (10 s); DiskReadTraffic DiskWriteTraffic (60 s)",
          volume());
    }
    if (id.starts_with("alibaba-")) {
      // A virtio disk's serial is the volume's ID without its beginning.
      const std::string id = volume().starts_with("d-") ? volume() : "d-" + volume();
      return fmt::format("DescribeDiskMonitorData DiskId={} Period=60 StartTime={} EndTime={}", id,
                         audit_.started, audit_.ended);
    }
    if (id.starts_with("aws-")) {
      return "VolumeIOPSExceededCheck VolumeThroughputExceededCheck InstanceEBSIOPSExceededCheck "
             "InstanceEBSThroughputExceededCheck VolumeStalledIOCheck (60 s)";
    }
    return "";
  }

  void repeat(Detail detail) {
    if (detail == Detail::Least) return;
    section(Message::SectionRepeat);
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      if (!scenario.evidence.judged) continue;
      if (detail == Detail::Problems && scenario.verdict.outcome == Outcome::Pass) continue;
      text_ += fio_command(audit_, scenario) + "\n";
    }
  }

  std::string cgroup_text() const {
    const Environment& environment = audit_.environment;
    std::string text;
    if (environment.cgroup_read_iops) {
      text += fmt::format(" riops={:.0f}", environment.cgroup_read_iops->value);
    }
    if (environment.cgroup_write_iops) {
      text += fmt::format(" wiops={:.0f}", environment.cgroup_write_iops->value);
    }
    if (environment.cgroup_read_throughput) {
      text += fmt::format(" rbps={:.0f}", environment.cgroup_read_throughput->value);
    }
    if (environment.cgroup_write_throughput) {
      text += fmt::format(" wbps={:.0f}", environment.cgroup_write_throughput->value);
    }
    return text.empty() ? std::string(words(Message::FieldNone)) : text.substr(1);
  }

  std::string guard_text() const {
    std::string text;
    for (const GuardCheck& check : audit_.guard) {
      text += "; " + note_in(check.finding, language_);
    }
    return text.substr(2);
  }

  void evidence() {
    const Environment& environment = audit_.environment;
    section(Message::SectionEvidence);
    field(Message::FieldSystem,
          fmt::format("{}, Linux {}, {} {}", environment.distribution, environment.kernel,
                      environment.machine_vendor, environment.machine_product));
    field(Message::FieldCpu, fmt::format("{} × {}", environment.cpus, environment.cpu_model));
    field(Message::FieldCgroup, cgroup_text());
    for (const ScenarioAudit& scenario : audit_.scenarios) {
      if (!scenario.evidence.judged) continue;
      field(Message::FieldEngine, scenario.evidence.judged->engine);
      break;
    }
    field(Message::FieldRecord,
          fmt::format("{} (diskaudit {} {}), {} – {}", audit_.id, audit_.tool_version,
                      audit_.tool_commit, audit_.started, audit_.ended));
    field(Message::FieldCommand, fmt::format("{}", fmt::join(audit_.command_line, " ")));
    if (!audit_.guard.empty()) field(Message::FieldGuard, guard_text());
    for (const std::string& note : audit_.notes) field(Message::Note, note_in(note, language_));
  }

  const Audit& audit_;
  Language language_;
  std::string text_;
};

bool speaks_chinese(const Audit& audit) {
  constexpr std::string_view vendors[] = {"alibaba-", "baidu-",   "ctyun-",  "huawei-",
                                          "jd-",      "tencent-", "ucloud-", "volcengine-"};
  return audit.plan.profile && std::ranges::any_of(vendors, [&](std::string_view vendor) {
           return audit.plan.profile->id.starts_with(vendor);
         });
}

}  // namespace

std::string render_ticket(const Audit& audit, const ReportStyle& style) {
  Language language = style.language;
  if (!style.language_asked) {
    language = speaks_chinese(audit) ? Language::Chinese : Language::English;
  }
  Ticket ticket(audit, language);
  for (const Detail detail : {Detail::Full, Detail::Problems, Detail::Least}) {
    std::string text = ticket.text(detail);
    if (characters(text) <= most_characters) return text;
  }
  return first_characters(ticket.text(Detail::Least), most_characters);
}

}  // namespace diskaudit
