#include "profile/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "profile/import_limits.hpp"
#include "profile/nearest.hpp"
#include "profile/profile.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t size_limit = 64 * 1024;

struct Importer {
  std::string_view kind;
  std::string_view id;
  std::string_view name;
  std::string_view chinese_name;
  std::string_view url;
  Result<ImportedLimits> (*read)(std::string_view text, const std::string& file);
};

// Another layer is a file with one function and a row here.
constexpr std::array importers = {
    Importer{"cinder", "private-cinder", "OpenStack Cinder QoS specs", "OpenStack Cinder QoS 规格",
             "https://docs.openstack.org/cinder/latest/admin/capacity-based-qos.html",
             import_cinder},
    Importer{"libvirt", "private-libvirt", "libvirt iotune", "libvirt iotune 限速",
             "https://libvirt.org/formatdomain.html#hard-drives-floppy-disks-cdroms",
             import_libvirt},
    Importer{"qemu", "private-qemu", "QEMU block throttling", "QEMU 块设备限速",
             "https://github.com/qemu/qemu/blob/master/docs/throttle.txt", import_qemu},
    Importer{"io.max", "private-io-max", "Linux cgroup io.max", "Linux cgroup io.max 限速",
             "https://docs.kernel.org/admin-guide/cgroup-v2.html#io-interface-files",
             import_io_max},
};

}  // namespace

std::vector<std::string> import_kinds() {
  std::vector<std::string> kinds;
  for (const Importer& importer : importers) kinds.emplace_back(importer.kind);
  return kinds;
}

Result<std::string> import_profile(std::string_view kind, std::string_view text,
                                   const ImportOptions& options) {
  const auto importer = std::ranges::find(importers, kind, &Importer::kind);
  if (importer == importers.end()) {
    const std::vector<std::string> kinds = import_kinds();
    return usage_error(fmt::format("cannot import '{}': it is none of {}{}", kind,
                                   fmt::join(kinds, ", "), did_you_mean(kind, kinds)));
  }
  if (text.size() > size_limit)
    return usage_error(
        fmt::format("{}:1:1: file is larger than {} KiB", options.file, size_limit / 1024));
  const Result<ImportedLimits> limits = importer->read(text, options.file);
  if (!limits) return std::unexpected(limits.error());
  if (limits->iops.rates.empty() && limits->bytes.rates.empty())
    return usage_error(fmt::format(
        "{}:1:1: no limit is set here; there is nothing to hold a disk to", options.file));
  ImportOptions named = options;
  if (named.id.empty()) named.id = importer->id;
  const ImportOrigin origin{
      .name = {std::string(importer->name), std::string(importer->chinese_name)},
      .url = std::string(importer->url)};
  const std::string yaml = imported_yaml(*limits, origin, named);
  // What is handed out has passed the check that `profiles check` makes, an id of the user's too.
  if (const Result<Profile> profile = parse_profile(yaml, named.id + ".yaml"); !profile)
    return usage_error(
        fmt::format("cannot make a profile of {}: {}", options.file, profile.error().message));
  return yaml;
}

}  // namespace diskaudit
