#include "support/loop_device.hpp"

#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/loop.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "support/catch.hpp"

namespace diskaudit {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

int partition_request(int fd, int operation, blkpg_partition& partition) {
  blkpg_ioctl_arg request{};
  request.op = operation;
  request.datalen = sizeof partition;
  request.data = &partition;
  return ::ioctl(fd, BLKPG, &request);
}

}  // namespace

void require_root() {
  if (::geteuid() != 0) skip("needs root for loop devices and mounts");
  if (::access("/dev/loop-control", R_OK | W_OK) != 0) skip("this machine has no loop devices");
}

LoopDevice::LoopDevice(const std::string& image, const LoopOptions& options) {
  require_root();
  const int file = ::open(image.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) fail("open " + image);
  if (options.size != 0 && ::ftruncate(file, static_cast<off_t>(options.size)) != 0)
    fail("truncate " + image);
  loop_config config{};
  config.fd = static_cast<unsigned>(file);
  config.block_size = options.sector_size;
  config.info.lo_flags = LO_FLAGS_AUTOCLEAR | (options.direct_io ? LO_FLAGS_DIRECT_IO : 0) |
                         (options.read_only ? LO_FLAGS_READ_ONLY : 0);
  std::strncpy(reinterpret_cast<char*>(config.info.lo_file_name), image.c_str(), LO_NAME_SIZE - 1);
  const int control = ::open("/dev/loop-control", O_RDWR | O_CLOEXEC);
  // Another test may take the free device first; then the next one is asked for.
  for (int attempt = 0; attempt < 100 && fd_ < 0; ++attempt) {
    path_ = "/dev/loop" + std::to_string(::ioctl(control, LOOP_CTL_GET_FREE));
    const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) continue;
    if (::ioctl(fd, LOOP_CONFIGURE, &config) == 0)
      fd_ = fd;
    else
      ::close(fd);
    if (fd_ < 0 && errno != EBUSY) break;
  }
  const int error = errno;
  ::close(control);
  ::close(file);
  if (fd_ >= 0) return;
  errno = error;
  if (error == EINVAL || error == ENOTTY) skip("this kernel sets up no such loop device");
  fail("set up a loop device on " + image);
}

LoopDevice::~LoopDevice() { detach(); }

std::string LoopDevice::add_partition(int number, std::uint64_t start, std::uint64_t length) {
  blkpg_partition partition{};
  partition.start = static_cast<long long>(start);
  partition.length = static_cast<long long>(length);
  partition.pno = number;
  if (partition_request(fd_, BLKPG_ADD_PARTITION, partition) != 0) fail("add a partition");
  partitions_ = std::max(partitions_, number);
  return path_ + "p" + std::to_string(number);
}

void LoopDevice::detach() {
  if (fd_ < 0) return;
  for (int number = 1; number <= partitions_; ++number) {
    blkpg_partition partition{};
    partition.pno = number;
    partition_request(fd_, BLKPG_DEL_PARTITION, partition);
  }
  ::ioctl(fd_, LOOP_CLR_FD);
  ::close(fd_);
  fd_ = -1;
}

PrivateMount::PrivateMount(const std::string& source, const std::string& target,
                           const std::string& filesystem, const std::string& options,
                           unsigned long flags)
    : target_(target) {
  require_root();
  static const bool apart = ::unshare(CLONE_NEWNS) == 0 &&
                            ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  if (!apart) skip("cannot have a mount namespace of its own");
  std::filesystem::create_directories(target);
  if (::mount(source.c_str(), target.c_str(), filesystem.c_str(), flags, options.c_str()) == 0)
    return;
  if (errno == ENODEV) skip("this kernel has no " + filesystem);
  fail("mount " + source + " on " + target);
}

PrivateMount::~PrivateMount() {
  if (::umount2(target_.c_str(), 0) != 0) ::umount2(target_.c_str(), MNT_DETACH);
}

}  // namespace diskaudit
