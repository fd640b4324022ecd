#include "target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "device/cloud.hpp"
#include "dry_run.hpp"
#include "log.hpp"
#include "runner/raw_device.hpp"
#include "signals.hpp"

namespace diskaudit {
namespace {

Error with_way_out(Error refused, const Consent& consent) {
  if (consent.identity.empty()) refused.message += ", or measure reads alone with --read-only";
  return refused;
}

bool is_interrupted() { return received_signal != 0; }

// A link may be pointed elsewhere while the disk is looked at.
Result<void> still_leads_there(const Disk& disk, const std::string& path) {
  std::error_code error;
  const auto now = std::filesystem::canonical(path, error);
  if (!error && now == disk.path) return {};
  return refusal(fmt::format(
      "will not write on {}: {} leads to another place than before; start again", disk.path, path));
}

Result<TestArea> open_to_destroy(Audit& audit, const Request& request, const Options& options) {
  const SystemRoot root;
  const Consent consent{.identity = options.destroy_data_on,
                        .overwrite_unrecognised_data = options.overwrite_unrecognised_data,
                        .size = request.size};
  audit.span = std::min(request.file.size, audit.disk.total);
  if (options.dry_run) {
    const GuardReport report = examine(root, audit.disk, consent, is_interrupted);
    audit.guard = report.checks;
    if (!report.passed()) return std::unexpected(with_way_out(report.refusal(audit.disk), consent));
    return TestArea(-1, audit.span, audit.disk.device.logical_block_size);
  }
  Destruction opened =
      open_for_destruction(root, audit.disk, consent, request.file.size, is_interrupted);
  audit.guard = std::move(opened.report.checks);
  if (!opened.area) return std::unexpected(with_way_out(opened.area.error(), consent));
  if (auto same = still_leads_there(audit.disk, options.disk); !same)
    return std::unexpected(same.error());
  return std::move(opened.area);
}

// What a person knows the disk by.
std::string name_of_disk(const BlockDevice& device) {
  const std::string id = volume_id(device);
  std::string text = device.model.empty() ? "" : device.model + ", ";
  text += format_size(device.size);
  if (!id.empty()) return text + ", volume " + id;
  if (!device.serial.empty()) return text + ", serial " + device.serial;
  return text + fmt::format(", diskseq:{}", device.diskseq);
}

}  // namespace

bool destroys_content(const Audit& audit) {
  return audit.disk.kind == DiskKind::BlockDevice && !audit.plan.options.read_only;
}

bool is_filled(const Audit& audit) {
  return audit.disk.kind == DiskKind::File || destroys_content(audit);
}

Result<void> check_cloud(Audit& audit, const Profile& profile) {
  const BlockDevice& device = audit.disk.device;
  if (is_local_instance_disk(device)) {
    return refusal(fmt::format(
        "cannot audit /dev/{} by {}: {} is a disk in the host, not a cloud disk; name another one "
        "with --disk, or use: diskaudit measure",
        device.name, profile.id, device.model));
  }
  const std::string cloud = cloud_vendor(audit.environment);
  if (cloud.empty() || profile.id.starts_with(cloud + "-")) return {};
  audit.notes.push_back(fmt::format(
      "the machine says that it is in the cloud {}; the profile is {}", cloud, profile.id));
  log_warning(audit.notes.back());
  return {};
}

Result<TestArea> open_target(Audit& audit, const Request& request, const Options& options) {
  if (audit.disk.kind == DiskKind::File) {
    FileOptions file = request.file;
    file.stop = is_interrupted;
    return open_test_file(audit.disk, file);
  }
  if (destroys_content(audit)) return open_to_destroy(audit, request, options);
  return open_for_reading(audit.disk, request.file.size);
}

void announce_destruction(Audit& audit) {
  if (!destroys_content(audit)) return;
  log_warning(fmt::format(
      "destroying what is on {} ({}): its first {} are filled, then measured for about {} min",
      audit.disk.path, name_of_disk(audit.disk.device), format_size(audit.span),
      std::max(1L, std::lround(seconds_needed(audit) / 60))));
  audit.notes.push_back(fmt::format(
      "what was on {} is gone: it needs a new file system before it is used", audit.disk.path));
}

}  // namespace diskaudit
