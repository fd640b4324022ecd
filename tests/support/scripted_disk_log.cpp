#include "support/scripted_disk_log.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace diskaudit {
namespace {

// Address space, not memory: pages come with the entries. Enough for two hours at 100 k IOPS.
constexpr size_t log_size = 24ull << 30;
constexpr size_t header_size = 4096;

std::system_error failure(const std::string& what) {
  return {errno, std::generic_category(), what};
}

}  // namespace

DiskLog::DiskLog(int fd, bool writable) : fd_(fd) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* memory = mmap(nullptr, log_size, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (memory == MAP_FAILED) {
    close(fd);
    throw failure("cannot map the disk's log");
  }
  header_ = static_cast<LogHeader*>(memory);
  entries_ = reinterpret_cast<LogEntry*>(static_cast<char*>(memory) + header_size);
}

DiskLog DiskLog::create() {
  const int fd = memfd_create("scripted-disk-log", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, log_size) != 0) throw failure("cannot make the disk's log");
  DiskLog log(fd, true);
  new (log.header_) LogHeader;
  return log;
}

DiskLog DiskLog::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw failure("cannot open the disk's log " + path);
  return DiskLog(fd, false);
}

DiskLog::DiskLog(DiskLog&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      header_(std::exchange(other.header_, nullptr)),
      entries_(std::exchange(other.entries_, nullptr)) {}

DiskLog::~DiskLog() {
  if (header_ != nullptr) munmap(header_, log_size);
  if (fd_ >= 0) close(fd_);
}

void DiskLog::append(const LogEntry& entry) {
  const auto count = header_->count.load(std::memory_order_relaxed);
  if (header_size + (count + 1) * sizeof entry > log_size) return;
  entries_[count] = entry;
  header_->count.store(count + 1, std::memory_order_release);
}

std::span<const LogEntry> DiskLog::entries() const {
  return {entries_, header_->count.load(std::memory_order_acquire)};
}

}  // namespace diskaudit
