#include "device/guard.hpp"

#include "device/inspect_use.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

using namespace diskaudit;

namespace {

GuardFacts empty_disk() {
  GuardFacts facts;
  facts.disk.path = "/dev/vdb";
  facts.disk.number = "254:16";
  facts.disk.device.name = "vdb";
  facts.disk.device.driver = "virtio_blk";
  facts.disk.device.serial = "disk-1a2b3c4d";
  facts.disk.device.size = Bytes{100 * GiB};
  facts.disk.device.diskseq = 9;
  facts.by_ids = {"virtio-disk-1a2b3c4d"};
  return facts;
}

const Consent consent{.identity = "disk-1a2b3c4d"};

/// The refusal, made sure to be the work of this one check.
std::string refused_by(const GuardFacts& facts, const Consent& given, const std::string& name) {
  const GuardReport report = guard(facts, given);
  for (const GuardCheck& check : report.checks) {
    INFO(check.name << ": " << check.finding);
    CHECK(check.passed == (check.name != name));
  }
  const Error error = report.refusal(facts.disk);
  CHECK(error.code == ExitCode::Refused);
  return error.message;
}

/// A machine whose system is on vda, with a further disk vdb with one partition.
struct Machine : Fixture {
  Machine() {
    device("vda", "254:0");
    device("vdb", "254:16");
    partition("vdb", "vdb1", "254:17", "2048");
    file("/proc/self/mountinfo", "1 0 254:0 / / rw - ext4 /dev/vda rw");
    file("/proc/1/mountinfo", "1 0 254:0 / / rw - ext4 /dev/vda rw");
    for (const char* node : {"vda", "vdb", "vdb1"}) file(std::string("/dev/") + node, "");
  }
  GuardFacts look(const std::string& number = "254:16", std::vector<std::string> tags = {}) {
    GuardFacts facts;
    facts.disk.number = number;
    facts.disk.device = inspect_device(root(), "vdb");
    if (number == "254:0") facts.disk.device = inspect_device(root(), "vda");
    inspect_use(root(), tags, facts);
    return facts;
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an empty disk may be written with consent to any of its names") {
  for (const char* identity : {"disk-1a2b3c4d", "virtio-disk-1a2b3c4d"}) {
    const GuardReport report =
        guard(empty_disk(), {.identity = identity, .size = Bytes{100 * GiB}});
    CHECK(report.passed());
    CHECK(report.checks.size() == 15);
  }
}

TEST_CASE(
    "without consent to this very disk nothing is written, and the refusal says what to say") {
  const GuardFacts facts = empty_disk();
  CHECK(
      refused_by(facts, {}, "consent") ==
      "will not write on /dev/vdb: writing would destroy the data on it, and nobody consented; say "
      "--destroy-data-on disk-1a2b3c4d");
  CHECK_THAT(refused_by(facts, {.identity = "disk-other"}, "consent"),
             ContainsSubstring("consent was given for disk-other, which is not this disk"));
  CHECK_THAT(refused_by(facts, {.identity = "/dev/vdb"}, "consent"),
             ContainsSubstring("/dev/vdb is a path, which may lead to another disk tomorrow"));
  CHECK_THAT(refused_by(facts, {.identity = "vdb"}, "consent"),
             ContainsSubstring("is not this disk"));
  CHECK_THAT(refused_by(facts, {.identity = "disk-1a2b"}, "consent"),
             ContainsSubstring("is not this disk"));
}

TEST_CASE("diskseq is a name only for a disk that has no other") {
  GuardFacts facts = empty_disk();
  CHECK_THAT(refused_by(facts, {.identity = "diskseq:9"}, "consent"),
             ContainsSubstring("say --destroy-data-on disk-1a2b3c4d"));
  facts.disk.device.serial.clear();
  facts.by_ids.clear();
  CHECK_THAT(refused_by(facts, {}, "consent"),
             ContainsSubstring("say --destroy-data-on diskseq:9"));
  CHECK(guard(facts, {.identity = "diskseq:9"}).passed());
  CHECK_FALSE(guard(facts, {.identity = "diskseq:10"}).passed());
  facts.disk.device.diskseq = 0;  // a kernel that does not count
  CHECK_FALSE(guard(facts, {.identity = "diskseq:0"}).passed());
}

TEST_CASE("a serial that another disk states too is no identity") {
  GuardFacts facts = empty_disk();
  facts.twins = {"vdc"};
  CHECK_THAT(refused_by(facts, consent, "consent"), ContainsSubstring("vdc has the same serial"));
  CHECK(guard(facts, {.identity = "virtio-disk-1a2b3c4d"}).passed());
}

TEST_CASE("a volume ID that virtio cut at 20 characters is known by its beginning") {
  GuardFacts facts = empty_disk();
  facts.disk.device.serial = "b1b2c3d4-0000-1111-2";
  CHECK(guard(facts, {.identity = "b1b2c3d4-0000-1111-2222-333344445555"}).passed());
  facts.disk.device.serial = "b1b2c3d4";
  CHECK_FALSE(guard(facts, {.identity = "b1b2c3d4-0000-1111-2222-333344445555"}).passed());
}

TEST_CASE("each finding stands against writing by itself") {
  GuardFacts facts = empty_disk();
  SECTION("system") {
    facts.system = {"/ is on it"};
    refused_by(facts, consent, "system_disk");
  }
  SECTION("lock") {
    facts.lock_problem = "another program has locked /dev/vdb";
    refused_by(facts, consent, "lock");
  }
  SECTION("open") {
    facts.open_problem = "/dev/vdb is in use";
    refused_by(facts, consent, "exclusive_open");
  }
  SECTION("mounts") {
    facts.mounts = {"vdb1 is mounted on /data"};
    CHECK(refused_by(facts, consent, "mounts") ==
          "will not write on /dev/vdb: vdb1 is mounted on /data; unmount it");
  }
  SECTION("swap") {
    facts.swaps = {"vdb1 is swap space in use"};
    refused_by(facts, consent, "swap");
  }
  SECTION("holders") {
    facts.holders = {"vdb1 is part of dm-0 (vg-data)"};
    refused_by(facts, consent, "holders");
  }
  SECTION("members") {
    facts.members = {"vdb is below loop0"};
    refused_by(facts, consent, "members");
  }
  SECTION("references") {
    facts.references = {"/etc/fstab line 3 names it by UUID=1"};
    refused_by(facts, consent, "boot_references");
  }
  SECTION("read-only") {
    facts.disk.device.read_only = true;
    refused_by(facts, consent, "read_only");
  }
  SECTION("removable") {
    facts.removable = true;
    refused_by(facts, consent, "removable");
  }
  SECTION("change") {
    facts.change = "another disk has taken the place of /dev/vdb";
    refused_by(facts, consent, "unchanged");
  }
}

TEST_CASE("the size must be the one that was stated") {
  const GuardFacts facts = empty_disk();
  CHECK_THAT(refused_by(facts, {.identity = consent.identity, .size = Bytes{500 * GiB}}, "size"),
             ContainsSubstring("it has 100 GiB, not 500 GiB"));
  CHECK_THAT(refused_by(facts, {.identity = consent.identity, .size = Bytes{101 * GiB}}, "size"),
             ContainsSubstring("it has 100 GiB, not 101 GiB"));
  CHECK(guard(facts, {.identity = consent.identity, .size = Bytes{100 * GiB + 5 * MiB}}).passed());
}

TEST_CASE("a known signature is refused whatever is said, with the command that removes it") {
  GuardFacts facts = empty_disk();
  const Consent all{.identity = consent.identity, .overwrite_unrecognised_data = true};
  facts.signatures = {{.device = "vdb", .type = "ext4", .label = "data"}};
  CHECK(refused_by(facts, all, "signatures") ==
        "will not write on /dev/vdb: vdb holds ext4 \"data\"; if it can go: wipefs --all /dev/vdb");
  facts.signatures = {{.device = "vdb", .type = "gpt"}, {.device = "vdb1", .type = "LVM2_member"}};
  CHECK_THAT(refused_by(facts, all, "signatures"),
             ContainsSubstring("pvremove /dev/vdb1 && wipefs --all /dev/vdb"));
}

TEST_CASE("data without a signature needs further consent") {
  GuardFacts facts = empty_disk();
  facts.data_at = 4096;
  CHECK_THAT(refused_by(facts, consent, "data"),
             ContainsSubstring("it holds data, for example at byte 4096; if it can go, add "
                               "--overwrite-unrecognised-data"));
  CHECK(guard(facts, {.identity = consent.identity, .overwrite_unrecognised_data = true}).passed());
}

TEST_CASE("a disk that cannot be looked at is not written on") {
  GuardFacts facts = empty_disk();
  facts.probe_problem = "cannot read vdb: Input/output error";
  const GuardReport report =
      guard(facts, {.identity = consent.identity, .overwrite_unrecognised_data = true});
  CHECK_FALSE(report.passed());
  CHECK_THAT(report.refusal(facts.disk).message,
             ContainsSubstring("cannot read vdb: Input/output error"));
}

TEST_CASE("an idle disk of a machine is used by nobody") {
  Machine machine;
  machine.link("/dev/disk/by-id/virtio-disk-1", "/dev/vdb");
  const GuardFacts facts = machine.look();
  CHECK(facts.by_ids == Names{"virtio-disk-1"});
  for (const auto& found : {facts.system, facts.mounts, facts.swaps, facts.holders, facts.members,
                            facts.references, facts.twins})
    CHECK(found.empty());
}

TEST_CASE("mounts of the disk and its partitions are found in all namespaces") {
  Machine machine;
  machine.file("/proc/self/mountinfo", "2 1 254:17 / /data rw - ext4 /dev/vdb1 rw");
  machine.file("/proc/77/mountinfo", "2 1 254:16 / /pod rw - xfs /dev/vdb rw");
  std::filesystem::create_directories(machine.place("/proc/77/ns"));
  std::filesystem::create_symlink("mnt:[4026531841]", machine.place("/proc/77/ns/mnt"));
  CHECK(machine.look().mounts ==
        Names{"vdb1 is mounted on /data", "vdb is mounted on /pod in another namespace"});
  // A partition may be written while its neighbour is mounted.
  machine.partition("vdb", "vdb2", "254:18", "4096");
  CHECK(machine.look("254:18").mounts == Names{"vdb is mounted on /pod in another namespace"});
}

TEST_CASE("swap, holders, loop devices and btrfs members are found") {
  Machine machine;
  machine.file("/proc/swaps", "Filename Type Size Used Priority\n/dev/vdb1 partition 1024 0 -2");
  machine.device("dm-0", "253:0");
  machine.file("/sys/block/dm-0/dm/name", "vg-data");
  machine.file("/sys/class/block/vdb1/holders/dm-0", "");
  machine.device("loop0", "7:0");
  machine.file("/sys/block/loop0/loop/backing_file", "/dev/vdb");
  machine.file("/sys/fs/btrfs/some-uuid/devices/vdb1", "");
  const GuardFacts facts = machine.look();
  CHECK(facts.swaps == Names{"vdb1 is swap space in use"});
  CHECK(facts.holders == Names{"vdb1 is part of dm-0 (vg-data)"});
  CHECK(facts.members ==
        Names{"vdb is below loop0", "vdb1 is part of the mounted btrfs some-uuid"});
}

TEST_CASE("lines of fstab and crypttab are found by path, link and tag") {
  Machine machine;
  machine.link("/dev/disk/by-path/pci-1", "/dev/vdb");
  machine.file("/etc/fstab",
               "# /dev/vdb1 /old ext4 defaults 0 0\n"
               "/dev/vda / ext4 defaults 0 1\n"
               "/dev/vdb1 /a ext4 defaults 0 0\n"
               "UUID=\"aaaa\" /b ext4 defaults 0 0\n"
               "/dev/disk/by-partuuid/cccc /c ext4 defaults 0 0\n"
               "LABEL=other /d ext4 defaults 0 0\n"
               "/dev/disk/by-path/pci-1 /e ext4 defaults 0 0\n");
  machine.file("/etc/crypttab", "secret PARTLABEL=safe none\nnone\n");
  const auto found =
      machine.look("254:16", {"UUID=aaaa", "PARTUUID=cccc", "LABEL=mine", "PARTLABEL=safe"})
          .references;
  CHECK(found == Names{"/etc/fstab line 3 names it by /dev/vdb1",
                       "/etc/fstab line 4 names it by UUID=aaaa",
                       "/etc/fstab line 5 names it by PARTUUID=cccc",
                       "/etc/fstab line 7 names it by /dev/disk/by-path/pci-1",
                       "/etc/crypttab line 1 names it by PARTLABEL=safe"});
}

TEST_CASE(
    "the disk below the system is found, also through a stack and as the first process sees it") {
  Machine machine;
  CHECK(machine.look("254:0").system == Names{"/, which the system needs, is on it"});
  machine.device("dm-0", "253:0");
  machine.link("/sys/block/dm-0/slaves/vdb1", "/sys/devices/vdb/vdb1");
  machine.file("/proc/1/mountinfo", "1 0 253:0 / /usr rw - ext4 /dev/dm-0 rw");
  CHECK(machine.look().system == Names{"/usr, which the system needs, is on it"});
}

TEST_CASE("disks with one serial are twins, paths of one disk are not") {
  Machine machine;
  machine.file("/sys/block/vda/serial", "QM00001");
  machine.file("/sys/block/vdb/serial", "QM00001");
  CHECK(machine.look().twins == Names{"vda"});
  machine.file("/sys/block/vda/hidden", "1");
  CHECK(machine.look().twins.empty());
}
