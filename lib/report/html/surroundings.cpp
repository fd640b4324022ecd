#include "report/fio.hpp"
#include "report/html/page.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"

namespace diskaudit::html {
namespace {

std::string title(Message message) { return fmt::format("<h2>{}</h2>\n", both_say(message)); }

std::string touched(const Audit& audit) {
  std::string text = title(Message::TouchedTitle);
  const bool raw = audit.disk.kind == DiskKind::BlockDevice;
  if (audit.refused || (raw && audit.plan.options.read_only)) {
    text += fmt::format("<p>{}</p>\n", both_say(Message::TouchedNothing));
  } else if (!raw) {
    text += fmt::format("<p>{}</p>\n", both_say(Message::TouchedFile, format_size(audit.span)));
  } else {
    text += fmt::format("<p>{}</p>\n", both_say(Message::TouchedDevice, format_size(audit.span)));
  }
  if (audit.notes.empty() && audit.guard.empty()) return text;
  text += "<ul>\n";
  for (const GuardCheck& check : audit.guard) {
    text += fmt::format("<li>{} ({})</li>\n", both([&](Language language) {
                          return fmt::format("{}{}{}", say(Message::FieldGuard, language),
                                             colon_in(language), note_in(check.finding, language));
                        }),
                        escaped_xml(check.name));
  }
  for (const std::string& note : audit.notes) {
    text += fmt::format("<li>{}</li>\n",
                        both([&](Language language) { return note_in(note, language); }));
  }
  return text + "</ul>\n";
}

std::string environment(const Audit& audit) {
  using enum Message;
  const BlockDevice& device = audit.disk.device;
  const Environment& machine = audit.environment;
  const auto fact = [](Message name, const std::string& value) {
    return value.empty() ? "" : row({both_say(name), escaped_xml(value)});
  };
  std::string rows = row(
      {both_say(TestedDisk), both([&](Language language) { return disk_text(audit, language); })});
  // Refused before the disk was looked at.
  const auto table = [&] {
    return fmt::format("{}<table class=\"facts\"><tbody>\n{}</tbody></table>\n",
                       title(EnvironmentTitle), rows);
  };
  if (device.name.empty()) return table();
  rows += fact(FieldVolume, device.serial);
  rows += fact(FieldDevice, fmt::format("{} {} {}", device.number, device.by_id, device.model));
  rows +=
      fact(FieldQueue,
           fmt::format("scheduler={} nr_requests={} hw_queues={} max_sectors_kb={} write_cache={}",
                       device.scheduler, device.nr_requests, device.hardware_queues,
                       device.max_sectors_kb, device.write_cache));
  const std::uint64_t start = audit.disk.partition_start.value;
  rows += row({both_say(FieldPartition),
               both_say(start % 4096 == 0 ? FieldAligned : FieldMisaligned, start)});
  if (audit.disk.kind == DiskKind::File) {
    rows += fact(FieldFileSystem, fmt::format("{}, {}, {}", audit.disk.filesystem,
                                              audit.disk.mount_point, audit.disk.mount_options));
  }
  if (!machine.machine_vendor.empty() || !machine.machine_product.empty()) {
    rows +=
        fact(FieldMachine, fmt::format("{} {}", machine.machine_vendor, machine.machine_product));
  }
  rows += fact(FieldSystem, fmt::format("{}, Linux {}", machine.distribution, machine.kernel));
  rows += fact(FieldCpu, fmt::format("{} × {}", machine.cpus, machine.cpu_model));
  rows += fact(FieldClock, machine.clocksource);
  return table();
}

std::string repeat(const Audit& audit) {
  std::string commands = escaped_xml(fmt::format("{}", fmt::join(audit.command_line, " "))) + "\n";
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (scenario.evidence.judged) commands += escaped_xml(fio_command(audit, scenario)) + "\n";
  }
  return fmt::format("{}<pre>{}</pre>\n", title(Message::RepeatTitle), commands);
}

}  // namespace

std::string surroundings(const Audit& audit, const std::string& digest) {
  const PlanOptions& options = audit.plan.options;
  return touched(audit) + environment(audit) + title(Message::MethodTitle) +
         fmt::format("<p>{}</p>\n",
                     both_say(Message::MethodText, format_number(options.ramp_seconds, 1),
                              format_number(options.tolerance.min_percent, 2))) +
         repeat(audit) + title(Message::DigestTitle) +
         fmt::format("<p class=\"mono\">{}</p>\n<p>{}</p>\n<p>diskaudit {} {} · {} · {} – {}</p>\n",
                     escaped_xml(digest), both_say(Message::DigestText),
                     escaped_xml(audit.tool_version), escaped_xml(audit.tool_commit),
                     escaped_xml(audit.id), escaped_xml(audit.started), escaped_xml(audit.ended));
}

}  // namespace diskaudit::html
