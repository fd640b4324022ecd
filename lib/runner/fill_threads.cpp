#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "runner/fill.hpp"

namespace diskaudit {

namespace {

using Clock = std::chrono::steady_clock;

/// What the writers share; the last of them to leave frees it, as one may hang for ever. `mutex`
/// guards `working` and `end`.
struct Shared {
  int fd = -1;
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> written{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable done;
  unsigned working = 0;
  FillEnd end{};
};

int write_whole(int fd, const std::uint64_t* words, std::uint64_t length, std::uint64_t offset) {
  const char* data = reinterpret_cast<const char*>(words);
  while (length > 0) {
    const ssize_t put = ::pwrite(fd, data, length, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? errno : EIO;
    data += put;
    offset += static_cast<std::uint64_t>(put);
    length -= static_cast<std::uint64_t>(put);
  }
  return 0;
}

void write_chunks(const std::shared_ptr<Shared>& shared) {
  const Chunk memory = allocate_chunk();
  int error = memory ? 0 : ENOMEM;
  std::uint64_t offset = 0;
  while (error == 0 && !shared->stop) {
    offset = shared->next.fetch_add(fill_chunk);
    if (offset >= shared->size) break;
    const std::uint64_t length = std::min(fill_chunk, shared->size - offset);
    make_data(memory.get(), length, offset, shared->seed);
    error = write_whole(shared->fd, memory.get(), length, offset);
    if (error == 0) shared->written += length;
  }
  if (error != 0) shared->stop = true;
  const std::lock_guard lock(shared->mutex);
  if (error != 0 && shared->end.error == 0) {
    shared->end.error = error;
    shared->end.offset = offset;
  }
  --shared->working;
  shared->done.notify_all();
}

/// As many writers as the system lets start.
void start_writers(const std::shared_ptr<Shared>& shared) {
  const std::lock_guard lock(shared->mutex);
  try {
    for (unsigned i = 0; i < fill_depth; ++i) {
      std::thread([shared] { write_chunks(shared); }).detach();
      ++shared->working;
    }
  } catch (const std::system_error& failure) {
    if (shared->working == 0) shared->end.error = failure.code().value();
  }
}

}  // namespace

FillEnd fill_by_threads(const FillJob& job) {
  const auto shared = std::make_shared<Shared>();
  shared->fd = job.fd;
  shared->size = job.size;
  shared->seed = job.seed;
  start_writers(shared);
  std::uint64_t last = 0;
  auto moved = Clock::now();
  std::unique_lock lock(shared->mutex);
  while (!shared->done.wait_for(lock, progress_interval, [&] { return shared->working == 0; })) {
    lock.unlock();
    const std::uint64_t written = shared->written;
    const auto now = Clock::now();
    const auto patience = shared->stop ? longest_drain : longest_request;
    if (written != last) moved = now;
    last = written;
    if (!shared->stop && job.progress && !job.progress(Bytes{written})) {
      shared->stop = true;
      moved = now;
    }
    lock.lock();
    if (now - moved > patience) {
      shared->end.overdue = !shared->stop;
      shared->end.offset = written;
      shared->stop = true;
      break;
    }
  }
  shared->end.written = shared->written;
  return shared->end;
}

}  // namespace diskaudit
