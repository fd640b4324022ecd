#pragma once
/// Facts about the disk under test and the machine around it: plain data, as read, unjudged.

#include <optional>
#include <string>
#include <vector>

#include "units.hpp"

namespace diskaudit {

/// One whole block device as /sys/block/<name> shows it. Empty or 0: not stated there.
struct BlockDevice {
  std::string name{};    ///< "vdb"
  std::string number{};  ///< "254:16"
  std::string model{};
  std::string serial{};
  std::string by_id{};  ///< shortest link below /dev/disk/by-id, without the folder
  std::string driver{};
  Bytes size{};
  std::uint64_t diskseq = 0;
  unsigned logical_block_size = 512;
  unsigned physical_block_size = 512;
  std::string scheduler{};
  unsigned nr_requests = 0;      ///< per hardware queue; 0 for bio-based devices, which have none
  unsigned hardware_queues = 0;  ///< 0 for bio-based devices
  unsigned lun_queue_depth = 0;  ///< of a SCSI disk: all queues together send it no more than this
  unsigned max_sectors_kb = 0;
  unsigned max_segments = 0;
  std::string write_cache{};
  std::optional<unsigned> writeback_throttle_us{};  ///< its latency target; 0 = off, none = no such
  std::optional<unsigned> io_timeout_ms{};          ///< after which the kernel gives a request up
  unsigned nomerges = 0;   ///< 0: the kernel merges requests, 1: only simple ones, 2: never
  bool counts_ios = true;  ///< /sys/block/<name>/stat is kept
  bool rotational = false;
  bool read_only = false;
  bool page_cache_below = false;  ///< a loop device without direct I/O: its reads may come from RAM
  /// Of sampled blocks those that hold only zeros, 0 to 1: reads of what was never written may come
  /// from nowhere. Not sampled where the blocks are filled first.
  std::optional<double> zero_share{};
  std::vector<std::string> lower{};  ///< devices that this one is made of (dm, md, loop on a file)
};

enum class DiskKind { File, BlockDevice };

/// What `--disk` names, and the block device that serves it.
struct Disk {
  std::string path{};    ///< absolute, symlinks resolved
  std::string number{};  ///< "254:17", of the partition or file system that holds the path
  DiskKind kind = DiskKind::File;
  BlockDevice device{};
  Bytes partition_start{};    ///< where the partition begins on the device; 0 for a whole disk
  std::string filesystem{};   ///< "ext4"; empty for a block device
  std::string mount_point{};  ///< empty for a block device
  std::string mount_options{};
  Bytes total{};      ///< of the file system, or of the block device
  Bytes available{};  ///< to this user, of the file system
  bool copy_on_write = false;
  bool compressing = false;
};

/// What the machine's local times in other logs mean beside the UTC of a record.
struct LocalClock {
  std::string zone{};             ///< IANA, "Asia/Shanghai"; empty where none is named
  double utc_offset_seconds = 0;  ///< at the time of the audit
  bool synchronised = false;      ///< by the kernel's word, as a time daemon tells it
};

/// The machine at the time of the audit.
struct Environment {
  std::string kernel{};
  std::string distribution{};
  std::string machine_vendor{};     ///< DMI sys_vendor
  std::string machine_product{};    ///< DMI product_name
  std::string machine_asset_tag{};  ///< DMI chassis_asset_tag, by which Huawei and Azure are known
  std::string cpu_model{};
  unsigned cpus = 0;  ///< that this process may use
  std::string clocksource{};
  std::optional<LocalClock> local_clock{};
  std::optional<Iops> cgroup_read_iops{};  ///< the smallest limit in force for this disk, if any
  std::optional<Iops> cgroup_write_iops{};
  std::optional<BytesPerSec> cgroup_read_throughput{};
  std::optional<BytesPerSec> cgroup_write_throughput{};
};

/// The most requests that the device takes at once: nr_requests × hardware queues, or what a SCSI
/// disk allows if that is less; 0 = unknown.
unsigned queue_depth(const BlockDevice& device);

}  // namespace diskaudit
