#include "runner/test_area.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include "device/inspect.hpp"
#include "support/catch.hpp"
#include "support/loop_device.hpp"
#include "support/process.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;

namespace {

Result<TestArea> open_in(const std::string& folder, const FileOptions& options) {
  const auto disk = inspect_disk({}, folder);
  if (!disk) return std::unexpected(disk.error());
  return open_test_file(*disk, options);
}

std::uint64_t free_blocks(const std::string& folder) {
  struct statfs space {};
  REQUIRE(::statfs(folder.c_str(), &space) == 0);
  return space.f_bfree;
}

/// A small file system of the test's own.
struct SmallDisk {
  explicit SmallDisk(const std::string& filesystem = "ext4", std::uint64_t size = 256 * MiB,
                     const LoopOptions& options = {}, const std::string& mount_options = "")
      : loop(folder / "image", sized(options, size)), place(folder / "mounted") {
    std::vector<std::string> make = {"mkfs." + filesystem, "-q", loop.path()};
    const Finished made = run(make);
    if (made.exit_code != 0) skip("cannot make " + filesystem + ": " + made.err);
    mount.emplace(loop.path(), place, filesystem, mount_options);
  }
  static LoopOptions sized(LoopOptions options, std::uint64_t size) {
    options.size = size;
    return options;
  }
  TempFolder folder;
  LoopDevice loop;
  std::string place;
  std::optional<PrivateMount> mount;
};

/// Reads the area back with the descriptor itself.
std::string contents(const TestArea& area) {
  std::string all(area.size().value, '\0');
  void* block = std::aligned_alloc(4096, MiB);
  for (std::uint64_t offset = 0; offset < all.size(); offset += MiB) {
    const std::uint64_t length = std::min<std::uint64_t>(MiB, all.size() - offset);
    REQUIRE(::pread(area.fd(), block, length, static_cast<off_t>(offset)) ==
            static_cast<ssize_t>(length));
    std::memcpy(all.data() + offset, block, length);
  }
  std::free(block);
  return all;
}

}  // namespace

TEST_CASE("the test file has no name, is not readable by others and is gone when it is closed") {
  SmallDisk disk;
  const std::uint64_t before = free_blocks(disk.place);
  {
    const auto area = open_in(disk.place, {.size = Bytes{64 * MiB}});
    REQUIRE(area);
    CHECK(area->size() == Bytes{64 * MiB});
    CHECK((::fcntl(area->fd(), F_GETFL) & O_DIRECT) != 0);
    struct stat facts {};
    REQUIRE(::fstat(area->fd(), &facts) == 0);
    CHECK(facts.st_nlink == 0);
    CHECK((facts.st_mode & 0777) == 0600);
    CHECK(free_blocks(disk.place) + 64 * MiB / 4096 <= before);
    CHECK(std::distance(std::filesystem::directory_iterator(disk.place), {}) == 1);  // lost+found
  }
  CHECK(free_blocks(disk.place) == before);
}

TEST_CASE("nothing is left after the process is killed") {
  SmallDisk disk;
  const std::uint64_t before = free_blocks(disk.place);
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto area = open_in(disk.place, {.size = Bytes{128 * MiB}});
    if (!area) ::_exit(1);
    char byte = 0;
    (void)fill(*area, [&](Bytes) { return ::write(ready[1], &byte, 1) == 1; });
    ::pause();
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(free_blocks(disk.place) < before);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(std::distance(std::filesystem::directory_iterator(disk.place), {}) == 1);
  // The kernel takes a ring down, and with it the file, a moment after the process.
  for (int i = 0; i < 100 && free_blocks(disk.place) != before; ++i) ::usleep(100'000);
  CHECK(free_blocks(disk.place) == before);
}

TEST_CASE("the reserve stays free, and the file is as large as it leaves") {
  SmallDisk disk;
  const auto space = std::filesystem::space(disk.place);
  const Bytes reserve{100 * MiB};
  const auto area = open_in(disk.place, {.size = Bytes{5 * GiB}, .reserve = reserve});
  REQUIRE(area);
  CHECK(area->size().value == (space.available - reserve.value) / MiB * MiB);
  CHECK(std::filesystem::space(disk.place).available >= reserve.value);
}

TEST_CASE("too little space is refused with what is there and what to do") {
  SmallDisk disk;
  const std::uint64_t before = free_blocks(disk.place);
  const auto named = open_in(disk.place, {.size = Bytes{GiB}, .size_given = true});
  REQUIRE_FALSE(named);
  CHECK(named.error().code == ExitCode::Refused);
  CHECK_THAT(named.error().message, ContainsSubstring("not enough space in " + disk.place));
  CHECK_THAT(named.error().message, ContainsSubstring("1 GiB needed"));
  const auto reserved = open_in(disk.place, {.size = Bytes{5 * GiB}, .reserve = Bytes{200 * MiB}});
  REQUIRE_FALSE(reserved);
  CHECK_THAT(reserved.error().message,
             ContainsSubstring("200 MiB of it kept as reserve, 64 MiB needed"));
  CHECK_THAT(reserved.error().message, ContainsSubstring("lower --reserve"));
  CHECK(free_blocks(disk.place) == before);
}

TEST_CASE("a disk that somebody else fills meanwhile ends the fill with a clear error") {
  // Without preallocation the space is not ours until it is written.
  SmallDisk disk("ext2");
  const auto area = open_in(disk.place, {.size = Bytes{200 * MiB}, .size_given = true});
  REQUIRE(area);
  struct stat facts {};
  REQUIRE(::fstat(area->fd(), &facts) == 0);
  if (facts.st_blocks > 0) skip("this kernel preallocates on ext2");
  write_file(disk.place + "/other", std::string(150 * MiB, 'x'));
  const auto filled = fill(*area, {});
  REQUIRE_FALSE(filled);
  CHECK(filled.error().code == ExitCode::Refused);
  CHECK_THAT(filled.error().message, ContainsSubstring("No space left on device"));
}

TEST_CASE("every block is written once with data of its own") {
  for (const unsigned sector_size : {512U, 4096U}) {
    SmallDisk disk("ext4", 256 * MiB, {.sector_size = sector_size});
    const auto area = open_in(disk.place, {.size = Bytes{70 * MiB}});
    REQUIRE(area);
    CHECK(area->alignment() >= sector_size);
    Bytes last;
    const auto filled = fill(*area, [&](Bytes written) {
      CHECK(written >= last);
      last = written;
      return true;
    });
    REQUIRE(filled);
    CHECK(*filled == Bytes{70 * MiB});
    CHECK(last == Bytes{70 * MiB});
    const std::string all = contents(*area);
    std::set<std::string_view> blocks;
    for (std::size_t offset = 0; offset < all.size(); offset += 512)
      blocks.insert(std::string_view(all).substr(offset, 512));
    CHECK(blocks.size() == all.size() / 512);
    std::size_t counts[256] = {};
    for (const char byte : all) ++counts[static_cast<unsigned char>(byte)];
    for (const std::size_t count : counts)
      CHECK(static_cast<double>(count) ==
            Approx(static_cast<double>(all.size()) / 256).epsilon(0.02));
  }
}

TEST_CASE("a fill that is told to stop says how far it came") {
  SmallDisk disk("ext4", 512 * MiB);
  const auto area = open_in(disk.place, {.size = Bytes{400 * MiB}});
  REQUIRE(area);
  const auto filled = fill(*area, [](Bytes) { return false; });
  REQUIRE(filled);
  CHECK(*filled <= Bytes{400 * MiB});
}

TEST_CASE("a write error is reported with its offset") {
  TempFolder folder;
  // An image that has no place for all of its blocks, as on a thin volume without space.
  PrivateMount place("tmpfs", folder / "memory", "tmpfs", "size=32m");
  LoopDevice loop(folder / "memory/image", {.size = 256 * MiB, .direct_io = false});
  REQUIRE(run({"mkfs.ext4", "-q", "-E", "lazy_itable_init=1", loop.path()}).exit_code == 0);
  PrivateMount mount(loop.path(), folder / "mounted", "ext4");
  const auto area = open_in(folder / "mounted", {.size = Bytes{64 * MiB}});
  REQUIRE(area);
  const auto filled = fill(*area, {});
  REQUIRE_FALSE(filled);
  CHECK_THAT(filled.error().message, ContainsSubstring("cannot write at offset "));
}

TEST_CASE("btrfs is told not to copy on write") {
  SmallDisk disk("btrfs", 512 * MiB, {}, "compress-force=zlib");
  const auto area = open_in(disk.place, {.size = Bytes{64 * MiB}});
  REQUIRE(area);
  REQUIRE(fill(*area, {}));
  int flags = 0;
  REQUIRE(::ioctl(area->fd(), FS_IOC_GETFLAGS, &flags) == 0);
  CHECK((flags & FS_NOCOW_FL) != 0);
}

TEST_CASE("xfs works") {
  SmallDisk disk("xfs", 512 * MiB);
  const auto area = open_in(disk.place, {.size = Bytes{64 * MiB}});
  REQUIRE(area);
  CHECK(fill(*area, {}));
}

TEST_CASE("a folder that was exchanged for a symlink since it was inspected is refused") {
  SmallDisk disk;
  const std::string folder = disk.place + "/folder";
  std::filesystem::create_directory(folder);
  const auto inspected = inspect_disk({}, folder);
  REQUIRE(inspected);
  std::filesystem::remove(folder);
  std::filesystem::create_directory_symlink("/tmp", folder);
  const auto area = open_test_file(*inspected, {.size = Bytes{MiB}});
  REQUIRE_FALSE(area);
  CHECK(area.error().code == ExitCode::Refused);
  CHECK_THAT(area.error().message, ContainsSubstring("cannot open the folder " + folder));
}

TEST_CASE("a folder on which another disk was mounted since it was inspected is refused") {
  SmallDisk disk;
  const auto inspected = inspect_disk({}, disk.place);
  REQUIRE(inspected);
  PrivateMount other("tmpfs", disk.place, "tmpfs");
  const auto area = open_test_file(*inspected, {.size = Bytes{MiB}});
  REQUIRE_FALSE(area);
  CHECK_THAT(area.error().message,
             ContainsSubstring("no longer on the file system that was inspected"));
}

TEST_CASE("a read-only file system is refused") {
  SmallDisk disk;
  disk.mount.reset();
  disk.mount.emplace(disk.loop.path(), disk.place, "ext4", "ro");
  const auto area = open_in(disk.place, {.size = Bytes{MiB}});
  REQUIRE_FALSE(area);
  CHECK_THAT(area.error().message, ContainsSubstring("mounted read-only"));
}

TEST_CASE("data=journal is refused, as its direct I/O is none") {
  SmallDisk disk("ext4", 256 * MiB, {}, "data=journal");
  const auto area = open_in(disk.place, {.size = Bytes{64 * MiB}});
  REQUIRE_FALSE(area);
  CHECK_THAT(area.error().message, ContainsSubstring("cannot use direct I/O in "));
}

TEST_CASE("a block device is opened for reading and no more") {
  TempFolder folder;
  LoopDevice loop(folder / "image", {.size = 8 * MiB, .sector_size = 4096});
  const auto disk = inspect_disk({}, loop.path());
  REQUIRE(disk);
  const auto whole = open_for_reading(*disk, Bytes{});
  REQUIRE(whole);
  CHECK(whole->size() == Bytes{8 * MiB});
  CHECK(whole->alignment() == 4096);
  CHECK((::fcntl(whole->fd(), F_GETFL) & O_ACCMODE) == O_RDONLY);
  CHECK(open_for_reading(*disk, Bytes{MiB})->size() == Bytes{MiB});
  CHECK(open_for_reading(*disk, Bytes{GiB})->size() == Bytes{8 * MiB});
}

TEST_CASE("a device that is gone or may not be opened is refused with what to do") {
  TempFolder folder;
  LoopDevice loop(folder / "image", {.size = 8 * MiB});
  auto disk = inspect_disk({}, loop.path());
  REQUIRE(disk);
  Disk other = *disk;
  other.number = "1:1";
  CHECK_THAT(open_for_reading(other, {}).error().message,
             ContainsSubstring("no longer the device that was inspected"));
  loop.detach();
  CHECK_THAT(open_for_reading(*disk, {}).error().message, ContainsSubstring(loop.path()));
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setuid(65534) != 0) ::_exit(2);
    const auto area = open_for_reading(*disk, {});
    ::_exit(!area && area.error().message.find("join group disk") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}
