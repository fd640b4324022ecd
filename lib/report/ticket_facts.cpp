#include "report/ticket_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "device/cloud.hpp"
#include "report/fio.hpp"
#include "report/messages.hpp"
#include "report/note_words.hpp"

namespace diskaudit {

std::string volume_text(const Audit& audit) {
  const std::string id = volume_id(audit.disk.device);
  return id.empty() ? audit.disk.device.serial : id;
}

std::string queue_text(const BlockDevice& device) {
  std::string text =
      fmt::format("scheduler={} nr_requests={} hw_queues={} max_sectors_kb={}", device.scheduler,
                  device.nr_requests, device.hardware_queues, device.max_sectors_kb);
  text += fmt::format(" rotational={} nomerges={} write_cache='{}'", device.rotational ? 1 : 0,
                      device.nomerges, device.write_cache);
  if (device.writeback_throttle_us) {
    text += fmt::format(" wbt_lat_usec={}", *device.writeback_throttle_us);
  }
  if (device.io_timeout_ms) text += fmt::format(" io_timeout={}", *device.io_timeout_ms);
  return text;
}

std::string monitor_query(const Audit& audit) {
  if (!audit.plan.profile) return "";
  const std::string& profile = audit.plan.profile->id;
  const std::string volume = volume_text(audit);
  if (profile.starts_with("tencent-")) {
    return fmt::format(
        "QCE/BLOCK_STORAGE diskId={}: DiskReadIops DiskWriteIops DiskAwait "
        "DiskSvctm DiskUtil (10 s); DiskReadTraffic DiskWriteTraffic (60 s)",
        volume);
  }
  if (profile.starts_with("alibaba-")) {
    // A virtio disk's serial is the volume's ID without its beginning.
    return fmt::format("DescribeDiskMonitorData DiskId={}{} Period=60 StartTime={} EndTime={}",
                       volume.starts_with("d-") ? "" : "d-", volume, audit.started, audit.ended);
  }
  if (profile.starts_with("aws-")) {
    return "VolumeIOPSExceededCheck VolumeThroughputExceededCheck InstanceEBSIOPSExceededCheck "
           "InstanceEBSThroughputExceededCheck VolumeStalledIOCheck (60 s)";
  }
  return "";
}

std::string cgroup_text(const Environment& environment, Language language) {
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
  return text.empty() ? say(Message::FieldNone, language) : text.substr(1);
}

std::string local_clock_text(const Environment& environment, Language language) {
  if (!environment.local_clock) return "";
  const LocalClock& clock = *environment.local_clock;
  const auto minutes = static_cast<long>(std::lround(std::abs(clock.utc_offset_seconds) / 60));
  const std::string zone = clock.zone.empty() ? say(Message::ToFillIn, language) : clock.zone;
  return say(clock.synchronised ? Message::ClockSynchronised : Message::ClockNotSynchronised,
             language,
             fmt::format("UTC{}{:02}:{:02}", clock.utc_offset_seconds < 0 ? '-' : '+', minutes / 60,
                         minutes % 60),
             zone);
}

std::string ceiling_text(const Target& target, Language language) {
  const auto named = [&](Message message) { return say(message, language); };
  if (target.bound_by == "iops") return named(Message::IopsCeiling);
  if (target.bound_by == "throughput") return named(Message::ThroughputCeiling);
  if (target.bound_by == "instance_iops") return named(Message::InstanceIopsCeiling);
  if (target.bound_by == "instance_throughput") return named(Message::InstanceThroughputCeiling);
  return named(Message::LatencyCeiling);
}

std::string guard_text(const Audit& audit, Language language) {
  std::string text;
  for (const GuardCheck& check : audit.guard) {
    if (!text.empty()) text += language == Language::Chinese ? "；" : "; ";
    text += note_in(check.finding, language);
  }
  return text;
}

std::string shell_text(const std::vector<std::string>& command_line) {
  std::string text;
  for (const std::string& word : command_line) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

bool speaks_chinese(const Audit& audit) {
  constexpr std::string_view vendors[] = {"alibaba-", "baidu-",   "ctyun-",  "huawei-",
                                          "jd-",      "tencent-", "ucloud-", "volcengine-"};
  return audit.plan.profile && std::ranges::any_of(vendors, [&](std::string_view vendor) {
           return audit.plan.profile->id.starts_with(vendor);
         });
}

}  // namespace diskaudit
