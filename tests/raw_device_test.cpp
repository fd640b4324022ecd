#include "runner/raw_device.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/inspect_content.hpp"
#include "support/catch.hpp"
#include "support/loop_device.hpp"
#include "support/process.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;

namespace {

std::string hash_of(const std::string& path) {
  const Finished finished = run({"sha256sum", path});
  REQUIRE(finished.exit_code == 0);
  return finished.out.substr(0, 64);
}

Disk inspected(const std::string& path) {
  const auto disk = inspect_disk({}, path);
  REQUIRE(disk);
  return *disk;
}

/// Consent to everything that can be consented to.
Consent full_consent(const Disk& disk) {
  return {.identity = "diskseq:" + std::to_string(disk.device.diskseq),
          .overwrite_unrecognised_data = true};
}

struct RawDisk {
  explicit RawDisk(const LoopOptions& options = {}) : loop(folder / "image", options) {}
  std::string image() const { return folder / "image"; }
  void write(std::uint64_t offset, const std::string& bytes) const {
    const int fd = ::open(loop.path().c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset)) ==
            static_cast<ssize_t>(bytes.size()));
    REQUIRE(::fsync(fd) == 0);
    ::close(fd);
  }
  void make(std::vector<std::string> command) const {
    command.push_back(loop.path());
    const Finished made = run(std::move(command));
    if (made.exit_code != 0) skip("cannot run it here: " + made.err);
  }
  TempFolder folder;
  LoopDevice loop;
};

/// The refusal of `target`, with the disk unchanged by it.
std::string refusal_of(const RawDisk& raw, const std::string& target,
                       const Consent* given = nullptr) {
  const std::string before = hash_of(raw.image());
  const Disk disk = inspected(target);
  const auto opened = open_for_destruction({}, disk, given ? *given : full_consent(disk), {});
  REQUIRE_FALSE(opened.area);
  CHECK(opened.area.error().code == ExitCode::Refused);
  CHECK_FALSE(opened.report.passed());
  CHECK(hash_of(raw.image()) == before);
  return opened.area.error().message;
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

/// A DOS table with one partition of the type from `start` on.
void write_mbr(const RawDisk& raw, unsigned type, std::uint64_t start, std::uint64_t sectors) {
  std::string entry(16, '\0');
  entry[4] = static_cast<char>(type);
  entry.replace(8, 8, little_endian(start, 4) + little_endian(sectors, 4));
  raw.write(446, entry);
  raw.write(510, "\x55\xaa");
}

/// A GPT without its backup, with one partition from 1 MiB on (UEFI specification, chapter 5).
void write_gpt(const RawDisk& raw) {
  constexpr std::uint64_t sectors = 64 * MiB / 512;
  std::string entries(128 * 128, '\0');
  entries.replace(0, 48,
                  std::string(16, 'T') + std::string(16, 'U') + little_endian(2048, 8) +
                      little_endian(2048 + 32767, 8));
  std::string header = "EFI PART" + little_endian(0x10000, 4) + little_endian(92, 4) +
                       little_endian(0, 8) + little_endian(1, 8) + little_endian(sectors - 1, 8) +
                       little_endian(34, 8) + little_endian(sectors - 34, 8) +
                       std::string(16, 'D') + little_endian(2, 8) + little_endian(128, 4) +
                       little_endian(128, 4) + little_endian(crc32(entries), 4);
  header.replace(16, 4, little_endian(crc32(header), 4));
  raw.write(512, header);
  raw.write(1024, entries);
  write_mbr(raw, 0xee, 1, sectors - 1);
}

struct SwapOn {
  explicit SwapOn(const std::string& path) : path_(path) {
    if (::swapon(path.c_str(), 0) != 0) skip("cannot swap on a loop device here");
  }
  ~SwapOn() { ::swapoff(path_.c_str()); }
  std::string path_;
};

}  // namespace

TEST_CASE("an empty disk is written on with consent, and with more consent a second time") {
  RawDisk raw;
  const Disk disk = inspected(raw.loop.path());
  const Consent consent{.identity = "diskseq:" + std::to_string(disk.device.diskseq),
                        .size = Bytes{64 * MiB}};
  CHECK(examine({}, disk, consent).passed());
  {
    const auto opened = open_for_destruction({}, disk, consent, Bytes{16 * MiB});
    REQUIRE(opened.area);
    CHECK(opened.report.passed());
    CHECK(opened.area->size() == Bytes{16 * MiB});
    REQUIRE(fill(*opened.area, {}) == Bytes{16 * MiB});

    // Held for this process alone until the end.
    const auto second = open_for_destruction({}, disk, full_consent(disk), {});
    REQUIRE_FALSE(second.area);
    CHECK_THAT(second.area.error().message,
               ContainsSubstring("another program has locked " + disk.path));
    CHECK(::mount(disk.path.c_str(), "/mnt", "ext4", 0, nullptr) != 0);
    CHECK(errno == EBUSY);
  }
  CHECK_THAT(refusal_of(raw, disk.path, &consent),
             ContainsSubstring("--overwrite-unrecognised-data"));
  CHECK(open_for_destruction({}, disk, full_consent(disk), {}).area);
}

TEST_CASE("no consent, another disk's consent or a path is refused") {
  RawDisk raw;
  RawDisk other;
  const std::uint64_t number = inspected(raw.loop.path()).device.diskseq;
  const Consent none;
  CHECK_THAT(refusal_of(raw, raw.loop.path(), &none),
             ContainsSubstring("say --destroy-data-on diskseq:" + std::to_string(number)));
  const Consent others = full_consent(inspected(other.loop.path()));
  CHECK_THAT(refusal_of(raw, raw.loop.path(), &others),
             ContainsSubstring("which is not this disk"));
  const Consent path{.identity = raw.loop.path()};
  CHECK_THAT(refusal_of(raw, raw.loop.path(), &path), ContainsSubstring("is a path"));
  const Consent size{.identity = "diskseq:" + std::to_string(number), .size = Bytes{GiB}};
  CHECK_THAT(refusal_of(raw, raw.loop.path(), &size),
             ContainsSubstring("it has 64 MiB, not 1 GiB"));
}

TEST_CASE("file systems and swap space are known and refused") {
  for (const auto& [filesystem, size] : {std::pair<std::string, std::uint64_t>{"ext4", 32 * MiB},
                                         {"xfs", 320 * MiB},
                                         {"btrfs", 128 * MiB}}) {
    DYNAMIC_SECTION(filesystem) {
      RawDisk raw({.size = size});
      raw.make({"mkfs." + filesystem, "-q"});
      CHECK_THAT(refusal_of(raw, raw.loop.path()),
                 ContainsSubstring(raw.loop.name() + " holds " + filesystem));
    }
  }
  SECTION("swap") {
    RawDisk raw;
    raw.make({"mkswap"});
    CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("holds swap"));
  }
}

TEST_CASE("members of volumes are known by their magic bytes and refused") {
  RawDisk raw;
  std::string type;
  SECTION("LUKS") {
    type = "crypto_LUKS";
    raw.write(0, std::string("LUKS\xba\xbe\x00\x01", 8));
  }
  SECTION("LVM2") {
    type = "LVM2_member";
    raw.write(512, "LABELONE" + little_endian(1, 8) + little_endian(0, 4) + little_endian(32, 4) +
                       "LVM2 001");
  }
  SECTION("MD") {
    type = "linux_raid_member";
    raw.write(4096, little_endian(0xa92b4efc, 4) + little_endian(1, 4));
    raw.write(4096 + 144, little_endian(8, 8));
  }
  SECTION("ZFS") {
    type = "zfs_member";
    for (std::uint64_t i = 0; i < 128; ++i)
      raw.write(128 * KiB + i * KiB, little_endian(0x00bab10c, 8) + little_endian(5000, 8));
  }
  SECTION("bcache") {
    type = "bcache";
    raw.write(4096 + 8, little_endian(8, 8) + little_endian(1, 8) +
                            "\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81");
  }
  SECTION("Ceph") {
    type = "ceph_bluestore";
    raw.write(0, "bluestore block device\n");
  }
  CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("holds " + type));
}

TEST_CASE("partition tables are known and refused") {
  RawDisk raw;
  SECTION("MBR") {
    write_mbr(raw, 0x83, 2048, 32768);
    CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("holds dos"));
  }
  SECTION("GPT") {
    write_gpt(raw);
    CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("holds gpt"));
  }
}

TEST_CASE("random data without a signature needs more than consent to the disk") {
  RawDisk raw;
  raw.write(64 * MiB - 512, std::string(512, 'x'));
  Consent consent = full_consent(inspected(raw.loop.path()));
  consent.overwrite_unrecognised_data = false;
  CHECK_THAT(refusal_of(raw, raw.loop.path(), &consent), ContainsSubstring("it holds data"));
}

TEST_CASE("a mounted disk is refused, whole or by its partition") {
  RawDisk raw;
  std::string device = raw.loop.path();
  SECTION("whole") {}
  SECTION("partition") { device = raw.loop.add_partition(1, MiB, 62 * MiB); }
  REQUIRE(run({"mkfs.ext4", "-q", device}).exit_code == 0);
  PrivateMount mount(device, raw.folder / "mounted", "ext4");
  const std::string message = refusal_of(raw, raw.loop.path());
  CHECK_THAT(message,
             ContainsSubstring(device.substr(5) + " is mounted on " + (raw.folder / "mounted")));
  CHECK_THAT(message, ContainsSubstring(raw.loop.path() + " is in use"));
}

TEST_CASE("a disk that is mounted in another namespace is refused") {
  RawDisk raw;
  raw.make({"mkfs.ext4", "-q"});
  std::filesystem::create_directory(raw.folder / "mounted");
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool done =
        ::unshare(CLONE_NEWNS) == 0 &&
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount(raw.loop.path().c_str(), (raw.folder / "mounted").c_str(), "ext4", 0, nullptr) == 0;
    (void)!::write(ready[1], &done, 1);
    ::pause();
  }
  bool done = false;
  CHECK(::read(ready[0], &done, 1) == 1);
  std::string message;
  if (done) message = refusal_of(raw, raw.loop.path());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  if (!done) skip("cannot mount in a namespace");
  CHECK_THAT(message, ContainsSubstring(" in another namespace"));
  CHECK_THAT(message, ContainsSubstring(raw.loop.path() + " is in use"));
}

TEST_CASE("a disk that is swapped on is refused") {
  RawDisk raw;
  raw.make({"mkswap"});
  const SwapOn swap(raw.loop.path());
  CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("is swap space in use"));
}

TEST_CASE("a member of a mounted btrfs is refused") {
  RawDisk first({.size = 128 * MiB});
  RawDisk second({.size = 128 * MiB});
  if (run({"mkfs.btrfs", "-q", first.loop.path(), second.loop.path()}).exit_code != 0)
    skip("cannot make btrfs");
  PrivateMount mount(first.loop.path(), first.folder / "mounted", "btrfs",
                     "device=" + second.loop.path());
  CHECK_THAT(refusal_of(second, second.loop.path()),
             ContainsSubstring("is part of the mounted btrfs"));
}

TEST_CASE("a disk below a loop device is refused") {
  RawDisk raw;
  LoopDevice upper(raw.loop.path(), {.size = 0});
  CHECK_THAT(refusal_of(raw, raw.loop.path()),
             ContainsSubstring(raw.loop.name() + " is below " + upper.name()));
}

TEST_CASE("a read-only disk is refused") {
  RawDisk raw({.read_only = true});
  CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("it is read-only"));
}

TEST_CASE("a disk that another program has locked is refused") {
  RawDisk raw;
  Process locker({"flock", raw.loop.path(), "sh", "-c", "echo locked; sleep 60"});
  REQUIRE(locker.wait_for_output("locked", std::chrono::seconds(10)));
  CHECK_THAT(refusal_of(raw, raw.loop.path()), ContainsSubstring("another program has locked"));
}

TEST_CASE("a path that leads to another disk since it was inspected is refused") {
  RawDisk first;
  RawDisk second;
  const std::string node = first.folder / "node";
  const auto point_to = [&node](const LoopDevice& loop) {
    struct stat facts {};
    REQUIRE(::stat(loop.path().c_str(), &facts) == 0);
    ::unlink(node.c_str());
    REQUIRE(::mknod(node.c_str(), S_IFBLK | 0600, facts.st_rdev) == 0);
  };
  point_to(first.loop);
  const Disk disk = inspected(node);
  point_to(second.loop);
  const std::string before = hash_of(second.image());
  const auto opened = open_for_destruction({}, disk, full_consent(disk), {});
  REQUIRE_FALSE(opened.area);
  CHECK_THAT(opened.area.error().message, ContainsSubstring("leads to another device than before"));
  CHECK(hash_of(second.image()) == before);
}

TEST_CASE("a disk is known by its number where its node has another name, as in a container") {
  RawDisk raw;
  const std::string node = raw.folder / "xvda";
  struct stat facts {};
  REQUIRE(::stat(raw.loop.path().c_str(), &facts) == 0);
  REQUIRE(::mknod(node.c_str(), S_IFBLK | 0600, facts.st_rdev) == 0);
  {
    const Disk disk = inspected(node);
    CHECK(disk.device.name == raw.loop.name());
    CHECK(open_for_destruction({}, disk, full_consent(disk), {}).area);
  }
  raw.make({"mkfs.ext4", "-q"});
  CHECK_THAT(refusal_of(raw, node), ContainsSubstring(raw.loop.name() + " holds ext4"));
}

TEST_CASE("a file system in a partition is found through the whole disk") {
  RawDisk raw;
  const std::string partition = raw.loop.add_partition(3, 8 * MiB, 32 * MiB);
  REQUIRE(run({"mkfs.ext4", "-q", "-L", "precious", partition}).exit_code == 0);
  CHECK_THAT(refusal_of(raw, raw.loop.path()),
             ContainsSubstring(raw.loop.name() + "p3 holds ext4 \"precious\""));
}

TEST_CASE("a disk that took another's place under its name is refused") {
  TempFolder folder;
  std::optional<LoopDevice> loop;
  loop.emplace(folder / "one");
  const Disk disk = inspected(loop->path());
  loop.reset();
  loop.emplace(folder / "two");
  if (loop->path() != disk.path) skip("another program took the loop device meanwhile");
  const auto opened = open_for_destruction({}, disk, full_consent(disk), {});
  REQUIRE_FALSE(opened.area);
  CHECK_THAT(opened.area.error().message, ContainsSubstring("another disk has taken the place of"));
}

TEST_CASE("the disk that the system is on is refused") {
  require_root();
  const auto root = inspect_disk({}, "/");
  if (!root) skip("/ is on no disk here");
  const auto disk = inspect_disk({}, "/dev/" + root->device.name);
  if (!disk) skip("the system's disk cannot be seen here");
  const GuardReport report = examine({}, *disk, {});
  CHECK_FALSE(report.passed());
  CHECK_THAT(report.refusal(*disk).message,
             ContainsSubstring("/, which the system needs, is on it"));
}

TEST_CASE("a partition is opened while the table and its neighbour stay") {
  RawDisk raw;
  write_gpt(raw);
  const std::string first = raw.loop.add_partition(1, MiB, 16 * MiB);
  const std::string second = raw.loop.add_partition(2, 17 * MiB, 16 * MiB);
  REQUIRE(run({"mkfs.ext4", "-q", second}).exit_code == 0);
  PrivateMount mount(second, raw.folder / "mounted", "ext4");
  const Disk disk = inspected(first);
  const auto opened = open_for_destruction({}, disk, full_consent(disk), {});
  if (!opened.area) FAIL(opened.area.error().message);
  CHECK(opened.area->size() == Bytes{16 * MiB});
  REQUIRE(fill(*opened.area, {}) == Bytes{16 * MiB});
  CHECK_THAT(refusal_of(raw, second), ContainsSubstring("is mounted on"));
}

TEST_CASE("the share of blocks without data is sampled") {
  RawDisk raw;
  const Disk disk = inspected(raw.loop.path());
  const auto area = open_for_reading(disk, {});
  REQUIRE(area);
  CHECK(zero_share(area->fd(), area->size()).value() == 1);
  raw.write(0, std::string(64 * MiB, 'x'));
  CHECK(zero_share(area->fd(), area->size()).value() == 0);
  raw.write(0, std::string(32 * MiB, '\0'));
  const double half = zero_share(area->fd(), area->size()).value();
  CHECK(half > 0);
  CHECK(half < 1);
}
