#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <thread>
#include <vector>

#include "runner/aside.hpp"
#include "runner/fill.hpp"
#include "runner/shared_value.hpp"

namespace diskaudit {

namespace {

using Clock = std::chrono::steady_clock;

// The watch decides how long the writers may take.
constexpr auto no_limit = std::chrono::hours(24 * 365);

/// What the writers, in a process of their own as one may hang for ever, share with this one.
struct Accounts {
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> written{0};
  std::atomic<bool> stop{false};
  std::atomic<int> error{0};  ///< of the first that failed
  std::atomic<std::uint64_t> offset{0};
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

void note(Accounts& accounts, int error, std::uint64_t offset) {
  int none = 0;
  if (accounts.error.compare_exchange_strong(none, error)) accounts.offset = offset;
  accounts.stop = true;
}

void write_chunks(const FillJob& job, Accounts& accounts) {
  const Chunk memory = allocate_chunk();
  if (!memory) return note(accounts, ENOMEM, 0);
  while (!accounts.stop) {
    const std::uint64_t offset = accounts.next.fetch_add(fill_chunk);
    if (offset >= job.size) return;
    const std::uint64_t length = std::min(fill_chunk, job.size - offset);
    make_data(memory.get(), length, offset, job.seed);
    const int error = write_whole(job.fd, memory.get(), length, offset);
    if (error != 0) return note(accounts, error, offset);
    accounts.written += length;
  }
}

/// This thread, and as many more as the system lets start.
void run_writers(const FillJob& job, Accounts& accounts) {
  std::vector<std::thread> writers;
  try {
    while (writers.size() + 1 < fill_depth)
      writers.emplace_back([&job, &accounts] { write_chunks(job, accounts); });
  } catch (const std::system_error&) {
  }
  write_chunks(job, accounts);
  for (std::thread& writer : writers) writer.join();
}

}  // namespace

FillEnd fill_by_threads(const FillJob& job) {
  const auto accounts = make_shared_value<Accounts>();
  if (!accounts) return {.error = ENOMEM};
  bool told_to_stop = false;
  std::uint64_t last = 0;
  auto moved = Clock::now();
  const auto is_stuck = [&] {
    const std::uint64_t written = accounts->written;
    const auto now = Clock::now();
    if (written != std::exchange(last, written)) moved = now;
    if (!told_to_stop && job.progress && !job.progress(Bytes{written})) {
      accounts->stop = told_to_stop = true;
      moved = now;
    }
    return now - moved > (accounts->stop ? longest_drain : longest_request);
  };
  const auto ended =
      run_aside([&job, &accounts] { run_writers(job, *accounts); }, job.fd, no_limit, is_stuck);
  FillEnd end{.written = accounts->written, .error = accounts->error, .offset = accounts->offset};
  if (!ended) end.error = EAGAIN;
  if (ended == AsideEnd::Stopped && end.error == 0 && !told_to_stop) {
    end.overdue = true;
    end.offset = end.written;
  }
  return end;
}

}  // namespace diskaudit
