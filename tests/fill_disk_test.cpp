#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "device/inspect_descriptor.hpp"
#include "runner/fill.hpp"
#include "support/catch.hpp"
#include "support/scripted_disk.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;

namespace {

using Way = std::optional<FillEnd> (*)(const FillJob&);

std::optional<FillEnd> by_threads(const FillJob& job) { return fill_by_threads(job); }

/// Both ways of filling, each as a section of its own.
Way each_way() {
  if (GENERATE(true, false)) return by_threads;
  return fill_by_uring;
}

FillEnd filled(Way way, int fd, std::uint64_t size, const FillProgress& progress) {
  const auto end = way({.fd = fd, .size = size, .seed = 1, .progress = progress});
  if (!end) skip("cannot use io_uring here");
  return *end;
}

}  // namespace

TEST_CASE("both ways of filling write every chunk with the data of its place") {
  const Way way = each_way();
  TempFolder folder;
  constexpr std::uint64_t size = 5 * MiB + 12 * KiB;
  const Descriptor fd(::open((folder / "area").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  REQUIRE(::ftruncate(fd.get(), static_cast<off_t>(size)) == 0);
  const FillEnd end = filled(way, fd.get(), size, {});
  CHECK(end.written == size);
  CHECK(end.error == 0);
  CHECK_FALSE(end.overdue);
  std::string wanted(size, '\0');
  make_data(reinterpret_cast<std::uint64_t*>(wanted.data()), size, 0, 1);
  CHECK(read_file(folder / "area") == wanted);
}

TEST_CASE("both ways of filling keep several requests in flight and write each byte once") {
  const Way way = each_way();
  ScriptedDisk disk({.size = 64 * MiB});
  const Descriptor fd(::open(disk.device().c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
  REQUIRE(fd);
  const FillEnd end = filled(way, fd.get(), 32 * MiB, {});
  CHECK(end.written == 32 * MiB);
  std::uint64_t written = 0;
  for (const LogEntry& entry : disk.log())
    if (entry.direction == DiskDirection::Write) written += entry.length;
  CHECK(written == 32 * MiB);
}

TEST_CASE("a disk that never answers does not hold a fill that was told to stop") {
  const Way way = each_way();
  ScriptedDisk disk({.size = 64 * MiB});
  const Descriptor fd(::open(disk.device().c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
  REQUIRE(fd);
  REQUIRE(::kill(disk.server(), SIGSTOP) == 0);
  const auto start = std::chrono::steady_clock::now();
  const FillEnd end = filled(way, fd.get(), 32 * MiB, [](Bytes) { return false; });
  const auto taken = std::chrono::steady_clock::now() - start;
  ::kill(disk.server(), SIGCONT);
  CHECK(end.written < 32 * MiB);
  CHECK(end.error == 0);
  CHECK(taken < longest_drain + std::chrono::seconds(10));
}

TEST_CASE("a disk that fails ends both ways of filling with the error and its place") {
  const Way way = each_way();
  ScriptedDisk disk({.size = 64 * MiB, .write_bytes = 16e6});
  const Descriptor fd(::open(disk.device().c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
  REQUIRE(fd);
  bool killed = false;
  const FillEnd end = filled(way, fd.get(), 64 * MiB, [&](Bytes written) {
    if (written.value >= 4 * MiB && !killed) killed = ::kill(disk.server(), SIGKILL) == 0;
    return true;
  });
  CHECK(killed);
  CHECK(end.error != 0);
  CHECK(end.written >= 4 * MiB);
  CHECK(end.offset % fill_chunk == 0);
  // Those in flight beside it may have been served first.
  CHECK(end.offset + fill_depth * fill_chunk > end.written);
}
