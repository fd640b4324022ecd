#include "device/device.hpp"

#include "device/cloud.hpp"
#include "device/mounts.hpp"
#include "support/catch.hpp"

using namespace diskaudit;

TEST_CASE("the queue depth is what all hardware queues take together") {
  BlockDevice device;
  CHECK(queue_depth(device) == 0);
  device.nr_requests = 256;
  device.hardware_queues = 2;
  CHECK(queue_depth(device) == 512);
  device.lun_queue_depth = 64;
  CHECK(queue_depth(device) == 64);
  device.lun_queue_depth = 1024;
  CHECK(queue_depth(device) == 512);
}

TEST_CASE("a line of mountinfo becomes a mount") {
  const auto mounts = parse_mountinfo(
      "36 35 98:0 /sub /mnt/with\\040blank rw,noatime master:1 - ext4 /dev/sda1 "
      "rw,errors=continue\n"
      "no such line\n"
      "37 35 0:22 / /sys rw shared:2 master:3 - sysfs sysfs rw\n");
  REQUIRE(mounts.size() == 2);
  CHECK(mounts[0].number == "98:0");
  CHECK(mounts[0].root == "/sub");
  CHECK(mounts[0].point == "/mnt/with blank");
  CHECK(mounts[0].options == "rw,noatime,errors=continue");
  CHECK(mounts[0].filesystem == "ext4");
  CHECK(mounts[0].source == "/dev/sda1");
  CHECK(mounts[1].filesystem == "sysfs");
}

TEST_CASE("no prefix of a mountinfo line is taken for more than it says") {
  const std::string line =
      "36 35 98:0 / /mnt\\040x rw master:1 - ext4 /dev/sda1 rw,errors=continue";
  const std::size_t source_end = line.find(" rw,errors");
  for (std::size_t length = 0; length < line.size(); ++length)
    CHECK(parse_mountinfo(line.substr(0, length)).size() == (length > source_end ? 1 : 0));
}

TEST_CASE("the mount of a path is the one that shows it") {
  const auto mounts = parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 8:2 / /data rw - ext4 /dev/sda2 rw\n"
      "3 2 8:3 / /data/deep rw - ext4 /dev/sda3 rw\n"
      "4 1 8:4 / /data rw - xfs /dev/sda4 rw\n"
      "5 1 0:40 /vol /pool rw - btrfs /dev/sdb rw\n");
  CHECK(mount_of(mounts, "/etc", "8:1")->source == "/dev/sda1");
  CHECK(mount_of(mounts, "/database", "8:1")->source == "/dev/sda1");
  CHECK(mount_of(mounts, "/data/deep", "8:3")->source == "/dev/sda3");
  CHECK(mount_of(mounts, "/pool/x", "0:41")->source == "/dev/sdb");
  // Mounted over: the later mount hides the earlier one with all below it.
  CHECK(mount_of(mounts, "/data", "8:4")->source == "/dev/sda4");
  CHECK(mount_of(mounts, "/data/deep", "8:4")->source == "/dev/sda4");
  CHECK(mount_of({}, "/", "8:1") == nullptr);
}

TEST_CASE("file systems that are no disk are known by name or by number") {
  CHECK(why_no_disk("tmpfs", 0) == "is memory, not a disk");
  CHECK(why_no_disk("fuse.sshfs", 0) == "is served by a program, not by a disk");
  CHECK(why_no_disk("fuseblk", 0) == "is served by a program, not by a disk");
  CHECK(why_no_disk("nfs4", 0) == "is on the network, not on a disk of this machine");
  CHECK(why_no_disk("", 0x794c7630) == "is made of layers of other file systems, not a disk");
  for (const char* disk : {"ext4", "xfs", "btrfs", "f2fs"})
    CHECK(why_no_disk(disk, 0xef53).empty());
}

TEST_CASE("an option is found with and without a value, not inside another") {
  CHECK(has_option("rw,compress=zstd:3,ro", "ro"));
  CHECK(has_option("rw,compress=zstd:3", "compress"));
  CHECK_FALSE(has_option("rw,compress-force=zstd", "compress"));
  CHECK_FALSE(has_option("errors=remount-ro", "ro"));
  CHECK_FALSE(has_option("", "ro"));
}

TEST_CASE("a cloud is known by what its machines say") {
  CHECK(cloud_vendor({.machine_vendor = "Tencent Cloud", .machine_product = "CVM"}) == "tencent");
  CHECK(cloud_vendor({.machine_product = "Alibaba Cloud ECS"}) == "alibaba");
  CHECK(cloud_vendor({.machine_product = "OpenStack Nova", .machine_asset_tag = "HUAWEICLOUD"}) ==
        "huawei");
  CHECK(cloud_vendor({.machine_vendor = "Amazon EC2", .machine_product = "m5.large"}) == "aws");
  CHECK(cloud_vendor({.machine_vendor = "Microsoft Corporation",
                      .machine_asset_tag = "7783-7084-3265-9085-8269-3286-77"}) == "azure");
  CHECK(cloud_vendor({.machine_product = "Google Compute Engine"}) == "gcp");
  CHECK(cloud_vendor({.machine_vendor = "QEMU", .machine_product = "Standard PC"}).empty());
}

TEST_CASE("a volume is known by its vendor's name for it") {
  CHECK(volume_id({.serial = "disk-1a2b3c4d"}) == "disk-1a2b3c4d");
  CHECK(volume_id({.model = "Amazon Elastic Block Store", .serial = "vol0123456789abcdef0"}) ==
        "vol-0123456789abcdef0");
  CHECK(volume_id({.model = "Alibaba Cloud Elastic Block Storage", .serial = "2ze0abc"}) ==
        "d-2ze0abc");
  CHECK(volume_id({.by_id = "google-data"}) == "data");
  CHECK(volume_id({.model = "QEMU HARDDISK", .serial = "QM00001"}).empty());
}

TEST_CASE("a disk of the host itself is no cloud disk") {
  CHECK(is_local_instance_disk({.model = "Amazon EC2 NVMe Instance Storage"}));
  CHECK(is_local_instance_disk({.model = "Microsoft NVMe Direct Disk v2"}));
  CHECK(is_local_instance_disk({.model = "nvme_card3"}));
  CHECK_FALSE(is_local_instance_disk({.model = "nvme_card-pd"}));
  CHECK_FALSE(is_local_instance_disk({.model = "Amazon Elastic Block Store"}));
  CHECK_FALSE(is_local_instance_disk({}));
}
