#include "runner/fill.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

namespace diskaudit {

namespace {

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
  return std::unexpected(
      Error{code, fmt::format("cannot {} the test area: {}{}", operation, std::strerror(error),
                              full ? "; the space went to somebody else meanwhile: make room, or "
                                     "raise --reserve, and start again"
                                   : "")});
}

std::unexpected<Error> overdue_error(std::uint64_t offset) {
  return std::unexpected(Error{
      ExitCode::Fail,
      fmt::format("cannot fill the test area: the write at offset {} has not returned for {} s",
                  offset, longest_request.count())});
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

Result<Bytes> fill(const TestArea& area, const FillProgress& progress) {
  std::random_device random;
  const std::uint64_t seed = (static_cast<std::uint64_t>(random()) << 32) | random();
  const FillJob job{.fd = area.fd(), .size = area.size().value, .seed = seed, .progress = progress};
  auto end = fill_by_uring(job);
  if (!end) end = fill_by_threads(job);
  if (end->error != 0)
    return fill_error(fmt::format("write at offset {} of", end->offset), end->error);
  if (end->overdue) return overdue_error(end->offset);
  if (end->written < area.size().value) return Bytes{end->written};
  if (::fdatasync(area.fd()) != 0) return fill_error("sync", errno);
  if (progress) progress(Bytes{end->written});
  return Bytes{end->written};
}

}  // namespace diskaudit
