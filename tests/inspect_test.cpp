#include "device/inspect.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "device/inspect_tree.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/loop_device.hpp"

using namespace diskaudit;

namespace {

/// A fixture whose folder /data lies on a made-up disk: the real number of the temporary folder's
/// file system, so that stat() leads there.
struct Machine : Fixture {
  Machine() {
    std::filesystem::create_directories(place("/data"));
    struct stat facts {};
    ::stat(place("/data").c_str(), &facts);
    number = fmt::format("{}:{}", major(facts.st_dev), minor(facts.st_dev));
  }
  void mounts(const std::string& text) { file("/proc/self/mountinfo", text); }
  std::string number;
};

void add_queue(Fixture& fixture, const std::string& disk, int hardware_queues, const char* depth) {
  for (int i = 0; i < hardware_queues; ++i)
    fixture.file(fmt::format("/sys/block/{}/mq/{}/cpu_list", disk, i), "0");
  fixture.file("/sys/block/" + disk + "/queue/nr_requests", depth);
}

}  // namespace

TEST_CASE("a virtio disk is described from sysfs") {
  Fixture fixture;
  fixture.device("vdb", "254:16", "209715200");
  fixture.file("/sys/block/vdb/serial", "disk-1a2b3c4d");
  fixture.file("/sys/block/vdb/diskseq", "7");
  fixture.file("/sys/block/vdb/device/vendor", "0x1af4");
  fixture.link("/sys/block/vdb/device/driver", "/sys/bus/virtio/drivers/virtio_blk");
  fixture.file("/sys/block/vdb/ro", "0");
  fixture.file("/sys/block/vdb/queue/logical_block_size", "512");
  fixture.file("/sys/block/vdb/queue/physical_block_size", "4096");
  fixture.file("/sys/block/vdb/queue/scheduler", "[none] mq-deadline kyber");
  fixture.file("/sys/block/vdb/queue/max_sectors_kb", "1280");
  fixture.file("/sys/block/vdb/queue/max_segments", "254");
  fixture.file("/sys/block/vdb/queue/write_cache", "write back");
  fixture.file("/sys/block/vdb/queue/rotational", "1");
  fixture.file("/sys/block/vdb/queue/wbt_lat_usec", "75000");
  fixture.file("/sys/block/vdb/queue/nomerges", "2");
  fixture.file("/sys/block/vdb/queue/iostats", "0");
  add_queue(fixture, "vdb", 2, "256");
  fixture.link("/dev/disk/by-id/virtio-disk-1a2b3c4d", "/dev/vdb");
  fixture.link("/dev/disk/by-id/virtio-disk-1a2b3c4d-part1", "/dev/vdb1");
  fixture.link("/dev/disk/by-id/virtio-pci-0000:00:06.0-again", "/dev/vdb");

  const BlockDevice device = inspect_device(fixture.root(), "vdb");
  CHECK(device.name == "vdb");
  CHECK(device.number == "254:16");
  CHECK(device.model.empty());
  CHECK(device.serial == "disk-1a2b3c4d");
  CHECK(device.by_id == "virtio-disk-1a2b3c4d");
  CHECK(device.driver == "virtio_blk");
  CHECK(device.size == Bytes{100 * GiB});
  CHECK(device.diskseq == 7);
  CHECK(device.logical_block_size == 512);
  CHECK(device.physical_block_size == 4096);
  CHECK(device.scheduler == "none");
  CHECK(device.max_sectors_kb == 1280);
  CHECK(device.max_segments == 254);
  CHECK(device.write_cache == "write back");
  CHECK(device.rotational);
  CHECK(device.writeback_throttle_us == 75000U);
  CHECK(device.nomerges == 2);
  CHECK_FALSE(device.counts_ios);
  CHECK_FALSE(device.read_only);
  CHECK_FALSE(device.page_cache_below);
  CHECK(device.lower.empty());
  CHECK(queue_depth(device) == 512);
}

TEST_CASE("a SCSI disk has its serial from page 0x80 and its own queue depth") {
  Fixture fixture;
  fixture.device("sdb", "8:16", "2048");
  fixture.file("/sys/block/sdb/device/vendor", "Google  ");
  fixture.file("/sys/block/sdb/device/model", "PersistentDisk  ");
  fixture.file("/sys/block/sdb/device/vpd_pg80", std::string("\0\x80\0\x06", 4) + " data-0 ");
  fixture.file("/sys/block/sdb/device/queue_depth", "64");
  add_queue(fixture, "sdb", 4, "128");
  const BlockDevice device = inspect_device(fixture.root(), "sdb");
  CHECK(device.model == "Google PersistentDisk");
  CHECK(device.serial == "data-0");
  CHECK(queue_depth(device) == 64);
}

TEST_CASE("an NVMe namespace has model and serial of its controller") {
  Fixture fixture;
  fixture.device("nvme1n1", "259:3", "2048");
  fixture.file("/sys/block/nvme1n1/device/model", "Amazon Elastic Block Store              ");
  fixture.file("/sys/block/nvme1n1/device/serial", "vol0123456789abcdef0");
  fixture.link("/sys/block/nvme1n1/device/device/driver", "/sys/bus/pci/drivers/nvme");
  add_queue(fixture, "nvme1n1", 8, "1023");
  const BlockDevice device = inspect_device(fixture.root(), "nvme1n1");
  CHECK(device.model == "Amazon Elastic Block Store");
  CHECK(device.serial == "vol0123456789abcdef0");
  CHECK(device.driver == "nvme");
  CHECK(queue_depth(device) == 8184);
}

TEST_CASE("a multipath NVMe namespace rests on its paths, not on those of another") {
  Fixture fixture;
  fixture.device("nvme0n1", "259:0");
  fixture.device("nvme0c0n1", "259:1");
  fixture.device("nvme0c1n1", "259:2");
  fixture.device("nvme0c0n2", "259:4");
  fixture.device("nvme1c0n1", "259:5");
  fixture.file("/sys/block/nvme0n1/queue/nr_requests", "128");
  const BlockDevice device = inspect_device(fixture.root(), "nvme0n1");
  CHECK(device.lower == std::vector<std::string>{"nvme0c0n1", "nvme0c1n1"});
  // A head without hardware queues has no depth of its own.
  CHECK(queue_depth(device) == 0);
}

TEST_CASE("a device-mapper stack is followed down to the disks") {
  Fixture fixture;
  fixture.device("dm-1", "253:1");
  fixture.device("dm-0", "253:0");
  fixture.device("sda", "8:0");
  fixture.partition("sda", "sda2", "8:2", "2048");
  fixture.device("sdb", "8:16");
  fixture.file("/sys/block/dm-1/dm/name", "vg-data");
  fixture.link("/sys/block/dm-1/slaves/dm-0", "/sys/devices/dm-0");
  fixture.link("/sys/block/dm-0/slaves/sda2", "/sys/devices/sda/sda2");
  fixture.link("/sys/block/dm-0/slaves/sdb", "/sys/devices/sdb");
  const BlockDevice device = inspect_device(fixture.root(), "dm-1");
  CHECK(device.model == "vg-data");
  CHECK(device.driver == "device-mapper");
  CHECK(device.lower == std::vector<std::string>{"dm-0", "sda", "sdb"});
}

TEST_CASE(
    "a loop device without direct I/O has the page cache below, and so has what rests on it") {
  Fixture fixture;
  fixture.device("loop0", "7:0");
  fixture.device("vda", "254:0");
  fixture.device("dm-0", "253:0");
  fixture.file("/proc/self/mountinfo", "1 0 254:0 / / rw - ext4 /dev/vda rw");
  fixture.file("/sys/block/loop0/loop/backing_file", "/srv/image (deleted)");
  fixture.file("/sys/block/loop0/loop/dio", "0");
  fixture.link("/sys/block/dm-0/slaves/loop0", "/sys/devices/loop0");
  CHECK(inspect_device(fixture.root(), "loop0").page_cache_below);
  CHECK(inspect_device(fixture.root(), "loop0").lower == std::vector<std::string>{"vda"});
  CHECK(inspect_device(fixture.root(), "dm-0").page_cache_below);
  fixture.file("/sys/block/loop0/loop/dio", "1");
  CHECK_FALSE(inspect_device(fixture.root(), "loop0").page_cache_below);
  CHECK_FALSE(inspect_device(fixture.root(), "dm-0").page_cache_below);
}

TEST_CASE("a device that says nothing is described by nothing") {
  Fixture fixture;
  fixture.device("xvdb", "202:16");
  const BlockDevice device = inspect_device(fixture.root(), "xvdb");
  CHECK(device.serial.empty());
  CHECK(device.driver == "xvdb");
  CHECK_FALSE(device.writeback_throttle_us);
  CHECK(device.counts_ios);
  CHECK(device.logical_block_size == 512);
  CHECK(queue_depth(device) == 0);
}

TEST_CASE("a folder leads to the partition and the whole disk that hold it") {
  Machine machine;
  machine.device("vdb", "254:16");
  machine.partition("vdb", "vdb1", machine.number, "2048");
  machine.mounts("1 0 9:9 / / rw - ext4 /dev/vda rw\n2 1 " + machine.number +
                 " / /data rw,noatime - ext4 /dev/vdb1 rw");
  const auto disk = inspect_disk(machine.root(), "/data");
  REQUIRE(disk);
  CHECK(disk->path == "/data");
  CHECK(disk->kind == DiskKind::File);
  CHECK(disk->number == machine.number);
  CHECK(disk->device.name == "vdb");
  CHECK(disk->partition_start == Bytes{MiB});
  CHECK(disk->filesystem == "ext4");
  CHECK(disk->mount_point == "/data");
  CHECK(disk->mount_options == "rw,noatime");
  CHECK_FALSE(disk->copy_on_write);
  CHECK(disk->total.value > 0);
}

TEST_CASE("btrfs is found by its source, and its habits are seen") {
  Machine machine;
  machine.device("vdc", "254:32");
  machine.file("/dev/vdc", "");
  machine.mounts("2 1 0:45 /sub /data rw - btrfs /dev/vdc rw,compress-force=zstd:3,subvol=/sub");
  auto disk = inspect_disk(machine.root(), "/data");
  REQUIRE(disk);
  CHECK(disk->device.name == "vdc");
  CHECK(disk->copy_on_write);
  CHECK(disk->compressing);

  machine.file("/sys/fs/btrfs/some-uuid/devices/vdc", "");
  CHECK(inspect_disk(machine.root(), "/data"));
  machine.file("/sys/fs/btrfs/some-uuid/devices/vdd", "");
  disk = inspect_disk(machine.root(), "/data");
  REQUIRE_FALSE(disk);
  CHECK_THAT(disk.error().message, ContainsSubstring("/data is on a btrfs of several disks"));
}

TEST_CASE("a folder on no disk is refused by the name of its file system") {
  Machine machine;
  for (const std::string filesystem : {"tmpfs", "overlay", "squashfs", "fuse.sshfs", "nfs4", "cifs",
                                       "9p", "ceph", "ramfs", "virtiofs"}) {
    machine.mounts("2 1 0:45 / /data rw - " + filesystem + " source rw");
    const auto disk = inspect_disk(machine.root(), "/data");
    REQUIRE_FALSE(disk);
    CHECK(disk.error().code == ExitCode::Refused);
    CHECK_THAT(disk.error().message, ContainsSubstring("/data is on " + filesystem + ", which "));
  }
  machine.mounts("2 1 0:45 / /data rw - zfs pool/data rw");
  const auto disk = inspect_disk(machine.root(), "/data");
  REQUIRE_FALSE(disk);
  CHECK_THAT(disk.error().message,
             ContainsSubstring("cannot tell which disk /data (zfs from pool/data)"));
}

TEST_CASE("a refusal names the place that would do") {
  Machine machine;
  machine.device("vdb", machine.number);
  std::filesystem::create_directories(machine.place("/srv"));
  machine.mounts("2 1 0:45 / /data rw - tmpfs tmpfs rw\n3 1 " + machine.number +
                 " / /srv rw - xfs /dev/vdb rw\n4 1 " + machine.number +
                 " / /missing rw - xfs /dev/vdb rw");
  const auto disk = inspect_disk(machine.root(), "/data");
  REQUIRE_FALSE(disk);
  if (std::filesystem::space(machine.place("/srv")).available < 2 * GiB)
    skip("needs 2 GiB of free space");
  CHECK_THAT(disk.error().message, ContainsSubstring("use --disk /srv (xfs, "));
}

TEST_CASE("what is neither a folder nor a block device is refused") {
  CHECK_THAT(inspect_disk({}, "/no/such/place").error().message,
             ContainsSubstring("cannot find /no/such/place: No such file or directory"));
  CHECK_THAT(inspect_disk({}, "/dev/null").error().message,
             ContainsSubstring("/dev/null is neither a folder nor a block device"));
  CHECK_THAT(inspect_disk({}, "/etc/passwd").error().message,
             ContainsSubstring("/etc/passwd is neither a folder nor a block device"));
  CHECK_THAT(inspect_disk({}, "/proc").error().message, ContainsSubstring("/proc"));
}

TEST_CASE("the limits of version 2 groups are the smallest up the tree") {
  Fixture fixture;
  fixture.device("vdb", "254:16");
  fixture.file("/proc/self/cgroup", "0::/pods/pod1/main");
  fixture.file("/proc/self/mountinfo", "1 0 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
  const std::string groups = "/sys/fs/cgroup";
  fixture.file(groups + "/pods/pod1/main/io.max",
               "254:16 rbps=max wbps=2000000 riops=500 wiops=max");
  fixture.file(
      groups + "/pods/pod1/io.max",
      "254:0 rbps=1 wbps=1 riops=1 wiops=1\n254:16 rbps=max wbps=1000000 riops=900 wiops=max");
  fixture.file(groups + "/pods/io.max", "254:16 rbps=8000000 wbps=max riops=max wiops=max");
  fixture.file(groups + "/pods/cpu.max", "150000 100000");
  fixture.file(groups + "/cpu.max", "max 100000");
  fixture.file("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-2,5,8-9");
  const Environment environment =
      inspect_environment(fixture.root(), inspect_device(fixture.root(), "vdb"));
  REQUIRE(environment.cgroup_read_iops);
  CHECK(environment.cgroup_read_iops->value == 500);
  CHECK_FALSE(environment.cgroup_write_iops);
  REQUIRE(environment.cgroup_read_throughput);
  CHECK(environment.cgroup_read_throughput->value == 8e6);
  REQUIRE(environment.cgroup_write_throughput);
  CHECK(environment.cgroup_write_throughput->value == 1e6);
  CHECK(environment.cpus == 2);
}

TEST_CASE("version 1 limits are those of the own group alone") {
  Fixture fixture;
  fixture.device("vdb", "254:16");
  fixture.file("/proc/self/cgroup", "7:blkio:/docker/abc/own\n0::/");
  fixture.file("/proc/self/mountinfo",
               "1 0 0:26 /docker/abc /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio");
  const std::string group = "/sys/fs/cgroup/blkio";
  fixture.file(group + "/own/blkio.throttle.read_iops_device", "8:0 5\n254:16 300");
  fixture.file(group + "/blkio.throttle.read_iops_device", "254:16 100");
  fixture.file(group + "/blkio.throttle.write_bps_device", "254:16 100");
  const Environment environment =
      inspect_environment(fixture.root(), inspect_device(fixture.root(), "vdb"));
  REQUIRE(environment.cgroup_read_iops);
  CHECK(environment.cgroup_read_iops->value == 300);
  CHECK_FALSE(environment.cgroup_write_throughput);
}

TEST_CASE("a limit on the disk below a stack counts") {
  Fixture fixture;
  fixture.device("dm-0", "253:0");
  fixture.device("vdb", "254:16");
  fixture.link("/sys/block/dm-0/slaves/vdb", "/sys/devices/vdb");
  fixture.file("/proc/self/cgroup", "0::/");
  fixture.file("/proc/self/mountinfo", "1 0 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
  fixture.file("/sys/fs/cgroup/io.max", "254:16 rbps=max wbps=max riops=max wiops=70");
  const Environment environment =
      inspect_environment(fixture.root(), inspect_device(fixture.root(), "dm-0"));
  REQUIRE(environment.cgroup_write_iops);
  CHECK(environment.cgroup_write_iops->value == 70);
}

TEST_CASE("the machine is described from DMI, os-release and cpuinfo") {
  Fixture fixture;
  fixture.file("/proc/sys/kernel/osrelease", "6.1.0-18-cloud-amd64");
  fixture.file("/etc/os-release",
               "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"");
  fixture.file("/sys/class/dmi/id/sys_vendor", "Tencent Cloud");
  fixture.file("/sys/class/dmi/id/product_name", "CVM");
  fixture.file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7K62\nmodel name\t: other");
  fixture.file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "kvm-clock");
  fixture.file("/proc/self/status", "Cpus_allowed_list:\t0");
  fixture.file("/etc/timezone", "Asia/Shanghai\n");
  const Environment environment = inspect_environment(fixture.root(), {});
  CHECK(environment.kernel == "6.1.0-18-cloud-amd64");
  CHECK(environment.distribution == "Debian GNU/Linux 12 (bookworm)");
  CHECK(environment.machine_vendor == "Tencent Cloud");
  CHECK(environment.machine_product == "CVM");
  CHECK(environment.cpu_model == "AMD EPYC 7K62");
  CHECK(environment.clocksource == "kvm-clock");
  REQUIRE(environment.local_clock);
  if (std::getenv("TZ") == nullptr) CHECK(environment.local_clock->zone == "Asia/Shanghai");
  CHECK(std::abs(environment.local_clock->utc_offset_seconds) <= 14 * 3600);
  CHECK(environment.cpus == 1);
}

TEST_CASE("a real loop device is seen as what it is") {
  TempFolder folder;
  LoopDevice loop(folder / "image", {.size = 8 * MiB, .direct_io = false, .sector_size = 4096});
  const auto disk = inspect_disk({}, loop.path());
  REQUIRE(disk);
  CHECK(disk->kind == DiskKind::BlockDevice);
  CHECK(disk->total == Bytes{8 * MiB});
  CHECK(disk->device.driver == "loop");
  CHECK(disk->device.logical_block_size == 4096);
  CHECK(disk->device.page_cache_below);
  CHECK(disk->device.diskseq > 0);
}

TEST_CASE("a partition leads to its whole disk") {
  TempFolder folder;
  LoopDevice loop(folder / "image", {.size = 8 * MiB});
  const auto disk = inspect_disk({}, loop.add_partition(1, 2 * MiB, 4 * MiB));
  REQUIRE(disk);
  CHECK(disk->device.name == loop.name());
  CHECK(disk->device.size == Bytes{8 * MiB});
  CHECK(disk->total == Bytes{4 * MiB});
  CHECK(disk->partition_start == Bytes{2 * MiB});
}

TEST_CASE("a real tmpfs is refused") {
  TempFolder folder;
  PrivateMount mount("tmpfs", folder / "memory", "tmpfs");
  const auto disk = inspect_disk({}, folder / "memory");
  REQUIRE_FALSE(disk);
  CHECK_THAT(disk.error().message, ContainsSubstring("is on tmpfs, which is memory, not a disk"));
}
