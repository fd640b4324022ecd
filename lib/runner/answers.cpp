#include "runner/answers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "runner/aside.hpp"
#include "runner/fill.hpp"

namespace diskaudit {

namespace {

constexpr std::size_t one_block = 4096;

void touch_device(const Disk& disk, char* block) {
  const int fd = ::open(disk.path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0) (void)!::pread(fd, block, one_block, 0);
}

void touch_directory(const Disk& disk, char* block) {
  const int fd = ::open(disk.path.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0 && ::pwrite(fd, block, one_block, 0) > 0) (void)::fdatasync(fd);
}

}  // namespace

Result<void> wait_for_answer(const Disk& disk, const std::function<bool()>& stop) {
  const Chunk memory = allocate_chunk();
  if (!memory) return refusal("cannot look whether the disk answers: out of memory");
  char* block = reinterpret_cast<char*>(memory.get());
  const auto touch = disk.kind == DiskKind::BlockDevice ? touch_device : touch_directory;
  const auto ended = run_aside([&] { touch(disk, block); }, -1, longest_request, stop);
  if (!ended) return std::unexpected(ended.error());
  if (*ended != AsideEnd::Overdue) return {};
  return std::unexpected(
      Error{ExitCode::Fail, fmt::format("cannot use {}: the disk has not answered for {} s",
                                        disk.path, longest_request.count())});
}

}  // namespace diskaudit
