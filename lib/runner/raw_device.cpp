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

#include "device/inspect_content.hpp"
#include "device/inspect_descriptor.hpp"
#include "device/inspect_tree.hpp"
#include "device/inspect_use.hpp"

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

/// Opens the device of this sysfs name for reading through the page cache. A container may have no
/// node of it, and may call another one so; the target itself has the node that the user named.
Descriptor open_to_read(const SystemRoot& root, const Disk& disk, const std::string& name) {
  const std::string number = root.read("/sys/class/block/" + name + "/dev");
  const std::string path = number == disk.number ? disk.path : "/dev/" + name;
  Descriptor device(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat facts {};
  const bool right = device && ::fstat(device.get(), &facts) == 0 && S_ISBLK(facts.st_mode) &&
                     number_of(facts.st_rdev) == number;
  return right ? std::move(device) : Descriptor();
}

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

/// Takes over what was found on `name`. The table that a partition is entered in stays where it is
/// when the partition is overwritten, and its other entries are no concern.
void add_content(Content content, bool is_parent, GuardFacts& facts,
                 std::vector<std::string>& tags) {
  for (std::string& tag : content.tags)
    if (!is_parent || !tag.starts_with("PART")) tags.push_back(std::move(tag));
  for (Signature& signature : content.signatures)
    if (!is_parent || !signature.is_partition_table)
      facts.signatures.push_back(std::move(signature));
}

/// Of the target, its partitions and its whole disk, through the page cache as libblkid needs it.
void read_all_content(const SystemRoot& root, GuardFacts& facts, std::vector<std::string>& tags) {
  const auto devices = touched_devices(root, facts.disk);
  const Descriptor target = open_to_read(root, facts.disk, devices.front());
  if (!target) facts.probe_problem = fmt::format("cannot read {}", facts.disk.path);
  for (const std::string& name : devices) {
    const bool is_parent = name == facts.disk.device.name && name != devices.front();
    const Descriptor parent = is_parent ? open_to_read(root, facts.disk, name) : Descriptor();
    const int fd = is_parent ? parent.get() : target.get();
    if (fd < 0) continue;
    Part part{.device = name};
    if (name != devices.front() && !is_parent) {
      const std::string folder = "/sys/class/block/" + name;
      part.start = Bytes{read_number(root, folder + "/start") * 512};
      part.size = Bytes{read_number(root, folder + "/size") * 512};
    }
    auto content = read_content(fd, part);
    if (!content) facts.probe_problem = content.error().message;
    if (content) add_content(std::move(*content), is_parent, facts, tags);
  }
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
                  Opened& opened) {
  GuardFacts facts;
  facts.disk = disk;
  opened.lock = lock_whole_disk(root, disk, facts.lock_problem);
  opened.device = open_alone(disk, access, facts.open_problem);
  std::vector<std::string> tags;
  read_all_content(root, facts, tags);
  inspect_use(root, tags, facts);
  if (opened.device) {
    const auto data = find_data(opened.device.get(), disk.total);
    if (data) facts.data_at = *data;
    if (!data) facts.probe_problem = data.error().message;
    facts.disk.device.read_only |= is_read_only(opened.device.get());
    facts.change = find_change(root, disk, opened.device.get());
  }
  return guard(facts, consent);
}

}  // namespace

GuardReport examine(const SystemRoot& root, const Disk& disk, const Consent& consent) {
  Opened opened;
  return check(root, disk, consent, O_RDONLY, opened);
}

Destruction open_for_destruction(const SystemRoot& root, const Disk& disk, const Consent& consent,
                                 Bytes span) {
  // Closing a device that was open for writing makes udev look at it again: not without need.
  const GuardReport before = examine(root, disk, consent);
  if (!before.passed()) return {before, std::unexpected(before.refusal(disk))};
  Opened opened;
  const GuardReport report = check(root, disk, consent, O_RDWR, opened);
  if (!report.passed()) return {report, std::unexpected(report.refusal(disk))};
  if (span.value == 0 || span > disk.total) span = disk.total;
  return {report, TestArea(opened.device.release(), span, disk.device.logical_block_size,
                           opened.lock.release())};
}

}  // namespace diskaudit
