#include <algorithm>

#include "device/inspect.hpp"
#include "device/inspect_tree.hpp"

namespace diskaudit {

namespace {

constexpr std::uint64_t sector = 512;  // sysfs counts in these whatever the logical block size is

unsigned read_small(const SystemRoot& root, const std::string& path) {
  return static_cast<unsigned>(read_number(root, path));
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t\n"));
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

/// Page 0x80 of a SCSI disk: four bytes of header, then the serial number.
std::string scsi_serial(const SystemRoot& root, const std::string& base) {
  const std::string page = root.read(base + "/device/vpd_pg80");
  if (page.size() <= 4 || static_cast<unsigned char>(page[1]) != 0x80) return {};
  return trimmed(page.substr(4));
}

std::string read_serial(const SystemRoot& root, const std::string& base) {
  for (const char* file : {"/serial", "/device/serial"}) {  // virtio-blk, NVMe
    const std::string serial = trimmed(root.read(base + file));
    if (!serial.empty()) return serial;
  }
  return scsi_serial(root, base);
}

std::string read_model(const SystemRoot& root, const std::string& base) {
  const std::string model = trimmed(root.read(base + "/device/model"));
  if (model.empty()) return trimmed(root.read(base + "/dm/name"));
  const std::string vendor = trimmed(root.read(base + "/device/vendor"));
  if (vendor.empty() || vendor == "ATA" || vendor.starts_with("0x")) return model;
  return vendor + " " + model;
}

std::string read_driver(const SystemRoot& root, const std::string& name) {
  for (const char* link : {"/device/driver", "/device/device/driver"}) {
    const std::string driver = link_target(root, "/sys/block/" + name + link);
    if (!driver.empty()) return driver;
  }
  if (name.starts_with("nvme")) return "nvme";
  if (name.starts_with("dm-")) return "device-mapper";
  return name.substr(0, name.find_first_of("0123456789"));  // loop0, md127, zram0
}

std::string shortest_link(const SystemRoot& root, const std::string& name) {
  std::string shortest;
  for (const std::string& link : names_in(root, "/dev/disk/by-id")) {
    if (link_target(root, "/dev/disk/by-id/" + link) != name) continue;
    if (shortest.empty() || link.size() < shortest.size()) shortest = link;
  }
  return shortest;
}

/// "[none] mq-deadline" → "none"
std::string chosen(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open);
  if (open == std::string::npos || close == std::string::npos) return text;
  return text.substr(open + 1, close - open - 1);
}

bool is_loop_without_direct_io(const SystemRoot& root, const std::string& name) {
  const std::string loop = "/sys/block/" + name + "/loop";
  return !root.read(loop + "/backing_file").empty() && root.read(loop + "/dio") == "0";
}

void read_queue(const SystemRoot& root, const std::string& base, BlockDevice& device) {
  const std::string queue = base + "/queue";
  device.logical_block_size = std::max(512U, read_small(root, queue + "/logical_block_size"));
  device.physical_block_size =
      std::max(device.logical_block_size, read_small(root, queue + "/physical_block_size"));
  device.scheduler = chosen(root.read(queue + "/scheduler"));
  device.hardware_queues = static_cast<unsigned>(names_in(root, base + "/mq").size());
  // Devices without queues of their own (device-mapper, md) show a number that means nothing.
  if (device.hardware_queues > 0) device.nr_requests = read_small(root, queue + "/nr_requests");
  device.lun_queue_depth = read_small(root, base + "/device/queue_depth");
  device.max_sectors_kb = read_small(root, queue + "/max_sectors_kb");
  device.max_segments = read_small(root, queue + "/max_segments");
  device.write_cache = root.read(queue + "/write_cache");
  if (!root.read(queue + "/wbt_lat_usec").empty())
    device.writeback_throttle_us = read_small(root, queue + "/wbt_lat_usec");
  if (!root.read(queue + "/io_timeout").empty())
    device.io_timeout_ms = read_small(root, queue + "/io_timeout");
  device.nomerges = read_small(root, queue + "/nomerges");
  device.counts_ios = root.read(queue + "/iostats") != "0";
  device.rotational = read_small(root, queue + "/rotational") != 0;
}

}  // namespace

BlockDevice inspect_device(const SystemRoot& root, const std::string& name) {
  const std::string base = "/sys/block/" + name;
  BlockDevice device;
  device.name = name;
  device.number = root.read(base + "/dev");
  device.model = read_model(root, base);
  device.serial = read_serial(root, base);
  device.by_id = shortest_link(root, name);
  device.driver = read_driver(root, name);
  device.size = Bytes{read_number(root, base + "/size") * sector};
  device.diskseq = read_number(root, base + "/diskseq");
  device.read_only = read_small(root, base + "/ro") != 0;
  read_queue(root, base, device);
  device.lower = lower_devices(root, name);
  device.page_cache_below = is_loop_without_direct_io(root, name);
  for (const std::string& lower : device.lower)
    device.page_cache_below |= is_loop_without_direct_io(root, lower);
  return device;
}

}  // namespace diskaudit
