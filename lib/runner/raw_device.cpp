#include "runner/raw_device.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "device/inspect_descriptor.hpp"
#include "device/inspect_tree.hpp"
#include "device/inspect_use.hpp"
#include "runner/raw_content.hpp"

#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, __u64)
#endif

namespace diskaudit {

namespace {

// udev holds a shared lock while it looks at a disk that has just come or been closed.
constexpr int lock_attempts = 20;
constexpr auto between_attempts = std::chrono::milliseconds(100);

/// The descriptors of one examination: the lock is on the whole disk, reads go to the target.
struct Opened {
  Descriptor lock;
  Descriptor device;
};

std::string number_of(dev_t device) { return fmt::format("{}:{}", major(device), minor(device)); }

/// Locks the whole disk, or the partition alone where there is no node of the whole.
Descriptor lock_whole_disk(const SystemRoot& root, const Disk& disk, std::string& problem) {
  Descriptor lock = open_to_read(root, disk, disk.device.name);
  if (!lock) lock = open_to_read(root, disk, touched_devices(root, disk).front());
  if (!lock) {
    problem = fmt::format("cannot open {} to lock it", disk.path);
    return lock;
  }
  for (int attempt = 0; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK || attempt == lock_attempts) {
      problem = fmt::format("another program has locked /dev/{}", disk.device.name);
      break;
    }
    std::this_thread::sleep_for(between_attempts);
  }
  return lock;
}

Descriptor open_alone(const Disk& disk, int access, std::string& problem) {
  constexpr int flags = O_DIRECT | O_CLOEXEC | O_NOFOLLOW;
  Descriptor device(::open(disk.path.c_str(), access | O_EXCL | flags));
  if (device) return device;
  problem = errno == EBUSY ? fmt::format("{} is in use", disk.path)
                           : fmt::format("cannot open {}: {}{}", disk.path, std::strerror(errno),
                                         errno == EACCES ? "; run as root or join group disk" : "");
  // What is on it can be looked at all the same.
  return Descriptor(::open(disk.path.c_str(), O_RDONLY | flags));
}

/// How the open device differs from the one that was inspected; empty if it is the same.
std::string find_change(const SystemRoot& root, const Disk& disk, int fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0 || !S_ISBLK(facts.st_mode) ||
      number_of(facts.st_rdev) != disk.number)
    return fmt::format("{} leads to another device than before", disk.path);
  std::uint64_t size = 0;
  if (::ioctl(fd, BLKGETSIZE64, &size) != 0 || size != disk.total.value)
    return fmt::format("its size changed from {} to {}", format_size(disk.total),
                       format_size(Bytes{size}));
  std::uint64_t sequence = 0;
  const bool known = disk.device.diskseq != 0 && ::ioctl(fd, BLKGETDISKSEQ, &sequence) == 0;
  const BlockDevice now = inspect_device(root, disk.device.name);
  if ((known && sequence != disk.device.diskseq) || now.serial != disk.device.serial ||
      now.number != disk.device.number)
    return fmt::format("another disk has taken the place of {}", disk.path);
  return {};
}

bool is_read_only(int fd) {
  int read_only = 0;
  return ::ioctl(fd, BLKROGET, &read_only) == 0 && read_only != 0;
}

/// Gathers the facts, the change last so that nothing happens between it and the decision.
GuardReport check(const SystemRoot& root, const Disk& disk, const Consent& consent, int access,
                  const std::function<bool()>& stop, Opened& opened) {
  GuardFacts facts;
  facts.disk = disk;
  opened.lock = lock_whole_disk(root, disk, facts.lock_problem);
  opened.device = open_alone(disk, access, facts.open_problem);
  RawContent content = read_raw_content(root, disk, opened.device.get(), stop);
  facts.signatures = std::move(content.signatures);
  facts.probe_problem = std::move(content.problem);
  facts.data_at = content.data_at;
  inspect_use(root, content.tags, facts);
  if (opened.device) {
    facts.disk.device.read_only |= is_read_only(opened.device.get());
    facts.change = find_change(root, disk, opened.device.get());
  }
  return guard(facts, consent);
}

}  // namespace

GuardReport examine(const SystemRoot& root, const Disk& disk, const Consent& consent,
                    const std::function<bool()>& stop) {
  Opened opened;
  return check(root, disk, consent, O_RDONLY, stop, opened);
}

Destruction open_for_destruction(const SystemRoot& root, const Disk& disk, const Consent& consent,
                                 Bytes span, const std::function<bool()>& stop) {
  // Closing a device that was open for writing makes udev look at it again: not without need.
  const GuardReport before = examine(root, disk, consent, stop);
  if (!before.passed()) return {before, std::unexpected(before.refusal(disk))};
  Opened opened;
  const GuardReport report = check(root, disk, consent, O_RDWR, stop, opened);
  if (!report.passed()) return {report, std::unexpected(report.refusal(disk))};
  if (span.value == 0 || span > disk.total) span = disk.total;
  return {report, TestArea(opened.device.release(), span, disk.device.logical_block_size,
                           opened.lock.release())};
}

}  // namespace diskaudit
