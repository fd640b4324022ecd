#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include "runner/test_area.hpp"

namespace diskaudit {

namespace {

constexpr std::uint64_t chunk_size = MiB;
constexpr unsigned writers = 8;
constexpr auto progress_interval = std::chrono::milliseconds(100);

/// What the writers share. `mutex` guards everything that is not atomic.
struct Fill {
  int fd = -1;
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> written{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable done;
  unsigned working = writers;
  int error = 0;
  std::uint64_t error_offset = 0;
};

/// splitmix64 of the word's number: a bijection, so that no two words of a disk are equal, and fast
/// enough for any disk. Vigna, "Further scramblings of Marsaglia's xorshift generators".
std::uint64_t word(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = seed + number * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

int write_whole(int fd, const char* data, std::uint64_t length, std::uint64_t offset) {
  while (length > 0) {
    const ssize_t put = ::pwrite(fd, data, length, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    if (put == 0) return EIO;
    data += put;
    offset += static_cast<std::uint64_t>(put);
    length -= static_cast<std::uint64_t>(put);
  }
  return 0;
}

void write_chunks(Fill& fill) {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  const std::unique_ptr<void, Free> memory(std::aligned_alloc(4096, chunk_size));
  int error = memory ? 0 : ENOMEM;
  std::uint64_t offset = 0;
  while (error == 0 && !fill.stop) {
    offset = fill.next.fetch_add(chunk_size);
    if (offset >= fill.size) break;
    const std::uint64_t length = std::min(chunk_size, fill.size - offset);
    auto* words = static_cast<std::uint64_t*>(memory.get());
    for (std::uint64_t i = 0; i < length / 8; ++i) words[i] = word(offset / 8 + i, fill.seed);
    error = write_whole(fill.fd, static_cast<const char*>(memory.get()), length, offset);
    if (error == 0) fill.written += length;
  }
  const std::lock_guard lock(fill.mutex);
  if (error != 0 && fill.error == 0) {
    fill.error = error;
    fill.error_offset = offset;
  }
  if (error != 0) fill.stop = true;
  --fill.working;
  fill.done.notify_all();
}

/// As many writers as the system lets start.
void start_writers(Fill& fill, std::vector<std::jthread>& threads) {
  try {
    while (threads.size() < writers) threads.emplace_back([&fill] { write_chunks(fill); });
  } catch (const std::system_error& failure) {
    const std::lock_guard lock(fill.mutex);
    fill.working -= writers - static_cast<unsigned>(threads.size());
    if (threads.empty()) fill.error = failure.code().value();
  }
}

/// What block/blk-core.c turns a failed request into, other than a lack of space or memory.
bool is_disk_error(int error) {
  for (const int known :
       {EIO, ETIMEDOUT, ENOLINK, EREMOTEIO, ENODATA, EILSEQ, EBADE, ENODEV, ENXIO})
    if (error == known) return true;
  return false;
}

std::unexpected<Error> fill_error(const std::string& operation, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  // A disk that returns errors while it is filled is a finding about the disk.
  const ExitCode code = is_disk_error(error) ? ExitCode::Fail : ExitCode::Refused;
  return std::unexpected(Error{
      code, fmt::format("cannot {} the test area: {}{}", operation, std::strerror(error),
                        full ? "; the space went to somebody else meanwhile: make room, or raise "
                               "--reserve, and start again"
                             : "")});
}

}  // namespace

Result<Bytes> fill(const TestArea& area, const FillProgress& progress) {
  Fill fill;
  fill.fd = area.fd();
  fill.size = area.size().value;
  std::random_device random;
  fill.seed = (static_cast<std::uint64_t>(random()) << 32) | random();
  {
    std::vector<std::jthread> threads;
    start_writers(fill, threads);
    std::unique_lock lock(fill.mutex);
    while (!fill.done.wait_for(lock, progress_interval, [&fill] { return fill.working == 0; })) {
      lock.unlock();
      if (progress && !progress(Bytes{fill.written})) fill.stop = true;
      lock.lock();
    }
  }
  if (fill.error != 0)
    return fill_error(fmt::format("write at offset {} of", fill.error_offset), fill.error);
  if (fill.written < fill.size) return Bytes{fill.written};
  if (::fdatasync(area.fd()) != 0) return fill_error("sync", errno);
  if (progress) progress(Bytes{fill.written});
  return Bytes{fill.written};
}

}  // namespace diskaudit
