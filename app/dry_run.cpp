#include "dry_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "audit/steps.hpp"
#include "log.hpp"
#include "plan/burst.hpp"
#include "report/clean.hpp"
#include "report/note_words.hpp"
#include "target.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

double seconds_of(const Job& job) {
  if (!job.not_tested.empty()) return 0;
  const auto probe = latency_probe_of(job);
  return job.ramp_seconds + usual_seconds(job) +
         (probe ? probe->ramp_seconds + probe->runtime_seconds : 0);
}

// Bytes per second that the disk is meant to deliver in this job; 0 = unknown.
double byte_rate(const Job& job) {
  if (!job.target) return 0;
  return job.target->metric == Metric::Iops
             ? job.target->value * static_cast<double>(job.scenario.block_size.value)
             : job.target->value;
}

double fill_seconds(const Audit& audit) {
  if (!is_filled(audit)) return 0;
  double rate = 0;
  if (audit.plan.quota && audit.plan.quota->write.throughput) {
    rate = audit.plan.quota->write.throughput->value;
  }
  return rate > 0 ? static_cast<double>(audit.span.value) / rate : 0;
}

std::string traffic(const Audit& audit) {
  double read = 0;
  double written = is_filled(audit) ? static_cast<double>(audit.span.value) : 0;
  bool known = true;
  for (const Job& job : audit.plan.jobs) {
    if (!job.not_tested.empty()) continue;
    known = known && job.target.has_value();
    const double bytes = byte_rate(job) * seconds_of(job);
    const double read_share = job.scenario.read_percent / 100.0;
    read += bytes * read_share;
    written += bytes * (1 - read_share);
  }
  if (!known) return said("as much as the disk delivers in that time") + "\n";
  const auto size = [](double bytes) { return format_size(Bytes{std::uint64_t(bytes)}); };
  return said(fmt::format("about {} read, {} written, if it meets its quota", size(read),
                          size(written))) +
         "\n";
}

std::string target_text(const Job& job, RateUnit unit) {
  if (!job.not_tested.empty()) return said("not tested: " + job.not_tested);
  if (!job.target) return said("no target");
  const std::string value = job.target->metric == Metric::Iops
                                ? format_iops(Iops{job.target->value})
                                : format_throughput(BytesPerSec{job.target->value}, unit);
  return said(fmt::format("target {}, iodepth {}", value, job.iodepth));
}

}  // namespace

double seconds_needed(const Audit& audit) {
  double seconds = fill_seconds(audit);
  for (const Job& job : audit.plan.jobs) seconds += seconds_of(job);
  return seconds;
}

std::string describe_dry_run(const Audit& original, Language language) {
  const Audit audit = cleaned(original);
  const RateUnit unit = audit.plan.quota ? audit.plan.quota->unit : RateUnit::MBps;
  std::string text = said("dry run: nothing was written or measured") + "\n";
  const auto add = [&text](const std::string& title, const std::string& line) {
    text += pad_right(said(title), 10) + line + "\n";
  };
  if (audit.plan.profile) {
    const bool chinese = language == Language::Chinese && !audit.plan.profile->name.zh.empty();
    add("profile", fmt::format("{} ({}), {} GiB", audit.plan.profile->id,
                               chinese ? audit.plan.profile->name.zh : audit.plan.profile->name.en,
                               format_number(audit.plan.inputs.at("gib"), 2)));
    for (const std::string& line : audit.plan.quota->explain) add("", explained(line, language));
  }
  const BlockDevice& device = audit.disk.device;
  add("disk", fmt::format("{}{}, {}{}{}", device.name.empty() ? "" : "/dev/", device.name,
                          format_size(device.size), device.model.empty() ? "" : ", " + device.model,
                          device.serial.empty() ? "" : ", serial " + device.serial));
  const std::string span = format_size(audit.span);
  add("target", said(audit.disk.kind == DiskKind::File
                         ? fmt::format("{}, an unnamed test file of {}", audit.disk.path, span)
                         : fmt::format("{}, the first of {}", audit.disk.path, span)));
  text += pad_right(said("traffic"), 10) + traffic(audit);
  add("time", said(fmt::format("about {} s, more if a verdict is hard to settle",
                               std::lround(seconds_needed(audit)))));
  text += said("scenarios") + "\n";
  for (const Job& job : audit.plan.jobs) {
    text += fmt::format("  {}{}\n", pad_right(job.scenario.name, 20), target_text(job, unit));
  }
  if (!audit.guard.empty()) text += said("guard: what was made sure of before writing") + "\n";
  for (const GuardCheck& check : audit.guard) {
    text += fmt::format("  {} {}{}\n", check.passed ? "ok  " : "STOP", pad_right(check.name, 17),
                        said(check.finding));
  }
  for (const std::string& note : audit.notes) add("note", said(note));
  return text;
}

}  // namespace diskaudit
