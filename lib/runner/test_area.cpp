#include "runner/test_area.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "device/inspect_descriptor.hpp"
#include "runner/aside.hpp"
#include "runner/fill.hpp"
#include "runner/shared_value.hpp"

namespace diskaudit {

namespace {

// Below this a file says more about caches on the way than about the disk.
constexpr std::uint64_t smallest_file = 64 * MiB;

std::string number_of(dev_t device) { return fmt::format("{}:{}", major(device), minor(device)); }

std::string remedy_for(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "; run as a user who may write there, or name another place with --disk";
    case EROFS:
      return "; it is mounted read-only: name another place with --disk";
    case ENOSPC:
      return "; make room, or ask for less with --test-size";
    case EDQUOT:
      return "; the user's quota there is used up: make room, or ask for less with --test-size";
    case ETIMEDOUT:
      return "; the disk does not answer: look at the kernel's log";
    case EMFILE:
    case ENFILE:
      return "; no file descriptor is left: raise ulimit -n";
    default:
      return "";
  }
}

std::unexpected<Error> cannot(const std::string& operation, const std::string& object, int error) {
  return refusal(fmt::format("cannot {} {}: {}{}", operation, object, std::strerror(error),
                             remedy_for(error)));
}

/// Opens the folder step by step, so that a symlink put in its way since it was inspected is not
/// followed, and checks that it still lies on the file system that was inspected.
Result<Descriptor> open_folder(const Disk& disk) {
  Descriptor folder(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const auto& step : std::filesystem::path(disk.path).relative_path()) {
    if (step.empty()) continue;
    folder = Descriptor(
        ::openat(folder.get(), step.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder) return cannot("open the folder", disk.path, errno);
  }
  struct stat found {};
  if (::fstat(folder.get(), &found) != 0 || number_of(found.st_dev) != disk.number)
    return refusal(fmt::format("{} is no longer on the file system that was inspected; start again",
                               disk.path));
  return folder;
}

/// A file without a name. Where the file system has none such, a new one that loses its name at
/// once.
Result<Descriptor> create_unnamed(int folder, const std::string& path) {
  Descriptor file(::openat(folder, ".", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
  if (file) return file;
  // Kernels before 3.11 do not know O_TMPFILE and report that a folder cannot be written.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
    return cannot("create a test file in", path, errno);
  std::random_device random;
  const std::string name = fmt::format(".diskaudit-{:08x}{:08x}.tmp", random(), random());
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  file = Descriptor(::openat(folder, name.c_str(), flags, 0600));
  if (!file) return cannot("create a test file in", path, errno);
  if (::unlinkat(folder, name.c_str(), 0) != 0)
    return refusal(fmt::format("cannot take the name off {}/{}: {}; remove the file by hand", path,
                               name, std::strerror(errno)));
  return file;
}

/// Must come before the first write: btrfs ignores the flag on a file that has data.
void switch_off_copy_on_write(int fd) {
  int flags = 0;
  if (::ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0) return;
  flags |= FS_NOCOW_FL;
  ::ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

/// What offsets, lengths and buffers must be multiples of; 0 where direct I/O is not possible.
unsigned direct_io_alignment(int fd, const Disk& disk) {
  unsigned alignment = std::max(512U, disk.device.logical_block_size);
#ifdef STATX_DIOALIGN
  struct statx facts {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &facts) == 0 &&
      (facts.stx_mask & STATX_DIOALIGN) != 0) {
    if (facts.stx_dio_offset_align == 0) return 0;
    return std::max({alignment, facts.stx_dio_offset_align, facts.stx_dio_mem_align});
  }
#endif
  struct statfs filesystem {};
  if (::fstatfs(fd, &filesystem) == 0 && filesystem.f_type == BTRFS_SUPER_MAGIC)
    alignment = std::max(alignment, 4096U);
  return alignment;
}

Result<unsigned> make_direct(int fd, const Disk& disk) {
  const unsigned alignment = direct_io_alignment(fd, disk);
  // ext4 accepts O_DIRECT with data=journal and then goes through the page cache all the same.
  const bool journaled = disk.mount_options.find("data=journal") != std::string::npos;
  if (alignment == 0 || journaled || ::fcntl(fd, F_SETFL, O_DIRECT) != 0)
    return refusal(fmt::format("cannot use direct I/O in {} ({}{}); name another place with --disk",
                               disk.path, disk.filesystem, journaled ? ", data=journal" : ""));
  return alignment;
}

/// How large the file can be: what is wanted, or what the reserve leaves of the free space.
Result<Bytes> size_that_fits(int fd, const Disk& disk, const FileOptions& options) {
  struct statfs space {};
  if (::fstatfs(fd, &space) != 0) return cannot("read the free space of", disk.path, errno);
  const Bytes free{space.f_bavail * static_cast<std::uint64_t>(space.f_bsize)};
  const std::uint64_t room =
      free.value > options.reserve.value ? free.value - options.reserve.value : 0;
  if (options.size.value <= room) return options.size;
  const std::uint64_t smaller = room / MiB * MiB;
  if (!options.size_given && smaller >= smallest_file) return Bytes{smaller};
  return refusal(fmt::format(
      "not enough space in {}: {} free, {} of it kept as reserve, {} needed; make room, {}lower "
      "--reserve, or name another place with --disk",
      disk.path, format_size(free), format_size(options.reserve),
      format_size(options.size_given ? options.size : Bytes{smallest_file}),
      options.size_given ? "lower --test-size, " : ""));
}

/// Done aside: it may read the file system's maps from a disk that does not answer.
Result<void> allocate(int fd, Bytes size, const Disk& disk, const std::function<bool()>& stop) {
  const std::string operation = fmt::format("allocate a test file of {} in", format_size(size));
  const auto error = make_shared_value<std::atomic<int>>(0);
  if (!error) return cannot(operation, disk.path, ENOMEM);
  const auto take = [&] {
    while (::fallocate(fd, 0, 0, static_cast<off_t>(size.value)) != 0) {
      if (errno == EINTR) continue;
      *error = errno;
      return;
    }
  };
  const auto ended = run_aside(take, fd, longest_request, stop);
  if (!ended) return std::unexpected(ended.error());
  if (*ended == AsideEnd::Overdue) return cannot(operation, disk.path, ETIMEDOUT);
  if (*error == 0) return {};
  // Without preallocation the blocks are taken as the file is filled, which then reports a full
  // disk.
  if (*error == EOPNOTSUPP && ::ftruncate(fd, static_cast<off_t>(size.value)) == 0) return {};
  return cannot(operation, disk.path, *error);
}

}  // namespace

TestArea::TestArea(TestArea&& other) noexcept { *this = std::move(other); }

TestArea& TestArea::operator=(TestArea&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(size_, other.size_);
  std::swap(alignment_, other.alignment_);
  std::swap(lock_, other.lock_);
  return *this;
}

TestArea::~TestArea() {
  if (fd_ >= 0) ::close(fd_);
  if (lock_ >= 0) ::close(lock_);
}

Result<TestArea> open_test_file(const Disk& disk, const FileOptions& options) {
  const auto folder = open_folder(disk);
  if (!folder) return std::unexpected(folder.error());
  auto file = create_unnamed(folder->get(), disk.path);
  if (!file) return std::unexpected(file.error());
  if (disk.copy_on_write) switch_off_copy_on_write(file->get());
  const auto alignment = make_direct(file->get(), disk);
  if (!alignment) return std::unexpected(alignment.error());
  const auto size = size_that_fits(file->get(), disk, options);
  if (!size) return std::unexpected(size.error());
  const auto allocated = allocate(file->get(), *size, disk, options.stop);
  if (!allocated) return std::unexpected(allocated.error());
  return TestArea(file->release(), *size, *alignment);
}

Result<TestArea> open_for_reading(const Disk& disk, Bytes span) {
  constexpr int flags = O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW;
  Descriptor device(::open(disk.path.c_str(), flags));
  if (!device && (errno == EACCES || errno == EPERM))
    return refusal(fmt::format("cannot open {}: {}; run as root or join group disk", disk.path,
                               std::strerror(errno)));
  if (!device) return cannot("open", disk.path, errno);
  struct stat found {};
  if (::fstat(device.get(), &found) != 0 || !S_ISBLK(found.st_mode) ||
      number_of(found.st_rdev) != disk.number)
    return refusal(
        fmt::format("{} is no longer the device that was inspected; start again", disk.path));
  std::uint64_t size = 0;
  int block_size = 0;
  if (::ioctl(device.get(), BLKGETSIZE64, &size) != 0 ||
      ::ioctl(device.get(), BLKSSZGET, &block_size) != 0)
    return cannot("read the size of", disk.path, errno);
  if (size == 0) return refusal(fmt::format("{} has no medium: its size is 0", disk.path));
  if (span.value == 0 || span.value > size) span = Bytes{size};
  return TestArea(device.release(), span, static_cast<unsigned>(block_size));
}

}  // namespace diskaudit
