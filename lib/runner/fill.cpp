#include "runner/fill.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "runner/aside.hpp"
#include "runner/disk_error.hpp"
#include "runner/shared_value.hpp"

namespace diskaudit {

namespace {

std::unexpected<Error> fill_error(const std::string& operation, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  // A disk that returns errors while it is filled is a finding about the disk.
  const ExitCode code = is_disk_error(error) ? ExitCode::Fail : ExitCode::Refused;
  return std::unexpected(
      Error{code, fmt::format("cannot {} the test area: {}{}", operation, std::strerror(error),
                              full ? "; the space went to somebody else meanwhile: make room, or "
                                     "raise --reserve, and start again"
                                   : "")});
}

std::unexpected<Error> overdue_error(const std::string& what) {
  return std::unexpected(
      Error{ExitCode::Fail, fmt::format("cannot fill the test area: {} has not returned for {} s",
                                        what, longest_request.count())});
}

IoFault fault_of(const FillEnd& end) {
  IoFault fault{.offset = end.offset, .length = fill_chunk, .error = end.error};
  if (end.overdue) {
    fault.error = ETIMEDOUT;
    fault.age_seconds = static_cast<double>(longest_request.count());
  }
  return fault;
}

/// Done aside: nothing brings back a flush that the disk does not answer.
Result<void> sync(int fd, const std::function<bool()>& stop, IoFault& fault) {
  const auto error = make_shared_value<std::atomic<int>>(0);
  if (!error) return fill_error("sync", ENOMEM);
  const auto flush = [fd, &error] {
    if (::fdatasync(fd) != 0) *error = errno;
  };
  const auto ended = run_aside(flush, fd, longest_request, stop);
  if (!ended) return std::unexpected(ended.error());
  fault = fault_of({.error = *error, .overdue = *ended == AsideEnd::Overdue});
  fault.length = 0;
  if (*ended == AsideEnd::Overdue) return overdue_error("the sync");
  if (*error != 0) return fill_error("sync", *error);
  return {};
}

}  // namespace

Chunk allocate_chunk() {
  return Chunk(static_cast<std::uint64_t*>(std::aligned_alloc(4096, fill_chunk)));
}

/// splitmix64 of each word's number: a bijection, so that no two words of a disk are equal, and
/// fast enough for any disk. Vigna, "Further scramblings of Marsaglia's xorshift generators".
void make_data(std::uint64_t* words, std::uint64_t bytes, std::uint64_t offset,
               std::uint64_t seed) {
  for (std::uint64_t i = 0; i < bytes / 8; ++i) {
    std::uint64_t z = seed + (offset / 8 + i) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    words[i] = z ^ (z >> 31);
  }
}

Result<Bytes> fill(const TestArea& area, const FillProgress& progress, IoFault* fault) {
  IoFault unused;
  IoFault& found = fault ? *fault : unused;
  std::random_device random;
  const std::uint64_t seed = (static_cast<std::uint64_t>(random()) << 32) | random();
  const FillJob job{.fd = area.fd(), .size = area.size().value, .seed = seed, .progress = progress};
  auto end = fill_by_uring(job);
  if (!end) end = fill_by_threads(job);
  found = fault_of(*end);
  if (end->error != 0)
    return fill_error(fmt::format("write at offset {} of", end->offset), end->error);
  if (end->overdue) return overdue_error(fmt::format("the write at offset {}", end->offset));
  if (end->written < area.size().value) return Bytes{end->written};
  const auto stop = [&] { return progress && !progress(Bytes{end->written}); };
  if (auto synced = sync(area.fd(), stop, found); !synced) return std::unexpected(synced.error());
  if (progress) progress(Bytes{end->written});
  return Bytes{end->written};
}

}  // namespace diskaudit
