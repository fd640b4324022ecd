#include "runner/runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "runner/disk_error.hpp"
#include "runner/engine_choice.hpp"
#include "runner/offsets.hpp"
#include "runner/pinning.hpp"
#include "runner/standstill.hpp"
#include "runner/witness.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/loop_device.hpp"

using namespace diskaudit;

namespace {

/// An unnamed file of `size` bytes for direct I/O, with an optional other access mode.
TestArea make_area(std::uint64_t size, bool read_only = false, std::uint64_t actual = ~0ULL) {
  const int fd = ::open(BUILD_FOLDER, O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
  if (fd < 0) skip(std::string("no unnamed file for direct I/O here: ") + std::strerror(errno));
  TestArea area(fd, Bytes{std::min(size, actual)}, 512);
  if (::posix_fallocate(fd, 0, static_cast<off_t>(area.size().value)) != 0) skip("no space");
  if (!fill(area, [](Bytes) { return true; })) skip("cannot fill the file");
  if (read_only) {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    return TestArea(::open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC), Bytes{size}, 512);
  }
  const int again = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return TestArea(again, Bytes{size}, 512);
}

Job short_job(Direction direction, Pattern pattern, std::uint64_t block_size = 4096) {
  Job job;
  job.scenario = {.name = "short",
                  .direction = direction,
                  .pattern = pattern,
                  .block_size = Bytes{block_size},
                  .iodepth = 8,
                  .read_percent = direction == Direction::Mixed ? 70U : 100U};
  job.iodepth = 8;
  job.threads = 2;
  job.ramp_seconds = 0.1;
  job.runtime_seconds = 0.5;
  return job;
}

std::uint64_t sum(const std::vector<std::uint64_t>& column) {
  return std::accumulate(column.begin(), column.end(), std::uint64_t{0});
}

bool never_enough(const Measurement&) { return false; }

void check_counts(const Measurement& m, std::uint64_t block_size) {
  CHECK(m.seconds == Approx(0.5));
  REQUIRE(m.all.series.ios.size() == 5);
  CHECK(m.all.ios > 0);
  CHECK(m.all.errors == 0);
  CHECK(m.all.bytes == m.all.ios * block_size);
  CHECK(sum(m.all.series.ios) == m.all.ios);
  CHECK(sum(m.all.series.bytes) == m.all.bytes);
  CHECK(m.all.latency.mean > 0);
  CHECK(m.all.latency.p50 <= m.all.latency.p99);
  CHECK(m.all.latency.p999 <= m.all.latency.max);
  CHECK(m.inflight_mean > 0);
  CHECK(m.inflight_mean <= 8);
  CHECK(m.window_end_ns - m.window_begin_ns == 500'000'000);
  CHECK(m.faults.empty());
  CHECK_FALSE(m.hung);
  CHECK_FALSE(m.interrupted);
  CHECK(m.client.cpu_seconds > 0);
}

/// From here on this process gets `error` from every call of io_uring's, as in a container.
void refuse_io_uring(int error) {
  const auto answer = SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SYS_io_uring_setup, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SYS_io_uring_register, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{.len = sizeof code / sizeof code[0], .filter = code};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    skip("no seccomp filters here");
  }
}

RunnerOptions with(EngineChoice engine) {
  RunnerOptions options;
  options.engine = engine;
  return options;
}

/// Both engines, where this machine has them.
std::vector<EngineChoice> engines() {
  std::vector<EngineChoice> list;
  for (const EngineChoice engine : {EngineChoice::IoUring, EngineChoice::Libaio}) {
    if (choose_engine(engine, SystemRoot{}, 8)) list.push_back(engine);
  }
  if (list.empty()) skip("neither io_uring nor native AIO here");
  return list;
}

}  // namespace

TEST_CASE("random offsets are blocks of the span and repeat with the seed") {
  Random random(1, 0), same(1, 0), other(1, 1);
  Offsets offsets(Pattern::Random, 1000 * 4096 + 17, 4096, 0, 1);
  std::set<std::uint64_t> seen;
  bool differs = false;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t offset = offsets.next(random);
    REQUIRE(offset == offsets.next(same));
    if (offset != offsets.next(other)) differs = true;
    REQUIRE(offset % 4096 == 0);
    REQUIRE(offset / 4096 < 1000);
    seen.insert(offset);
  }
  CHECK(seen.size() == 1000);
  CHECK(differs);
}

TEST_CASE("sequential workers cover the span once, each its own slice, before they start over") {
  Random random(1, 0);
  std::set<std::uint64_t> seen;
  for (unsigned worker = 0; worker < 3; ++worker) {
    Offsets offsets(Pattern::Sequential, 100 * 4096, 4096, worker, 3);
    const std::uint64_t first = offsets.next(random);
    CHECK(first == worker * 33 * 4096);
    std::uint64_t offset = first, steps = 0;
    do {
      CHECK(seen.insert(offset).second);
      const std::uint64_t next = offsets.next(random);
      if (next != first) REQUIRE(next == offset + 4096);
      offset = next;
      ++steps;
    } while (offset != first);
    CHECK(steps == (worker == 2 ? 34 : 33));
  }
  CHECK(seen.size() == 100);
}

TEST_CASE("each worker has a processor of its own, the last ones first, where there are enough") {
  const std::vector<int> four{0, 1, 4, 5};
  CHECK(cpu_for_worker(four, 0, 1) == 5);
  CHECK(cpu_for_worker(four, 0, 2) == 5);
  CHECK(cpu_for_worker(four, 1, 2) == 1);
  std::set<int> used;
  for (unsigned worker = 0; worker < 4; ++worker)
    used.insert(cpu_for_worker(four, worker, 4).value());
  CHECK(used.size() == 4);
  CHECK_FALSE(cpu_for_worker(four, 0, 5));
  CHECK_FALSE(cpu_for_worker({}, 0, 1));
}

TEST_CASE("a job of each direction and pattern counts what completed in the window") {
  const TestArea area = make_area(8 * MiB);
  for (const EngineChoice engine : engines()) {
    for (const Direction direction : {Direction::Read, Direction::Write}) {
      for (const Pattern pattern : {Pattern::Random, Pattern::Sequential}) {
        const Job job = short_job(direction, pattern, 16384);
        const auto m = run_job(area, job, with(engine), never_enough);
        REQUIRE(m);
        check_counts(*m, 16384);
        CHECK(m->engine == (engine == EngineChoice::Libaio ? "libaio" : "io_uring"));
        CHECK(m->engine_warning.empty());
        CHECK(m->read.ios + m->write.ios == 0);
      }
    }
  }
}

TEST_CASE("a mixed job reports reads and writes apart") {
  const TestArea area = make_area(8 * MiB);
  for (const EngineChoice engine : engines()) {
    const auto m =
        run_job(area, short_job(Direction::Mixed, Pattern::Random), with(engine), never_enough);
    REQUIRE(m);
    check_counts(*m, 4096);
    CHECK(m->read.ios + m->write.ios == m->all.ios);
    CHECK(m->write.ios > 0);
    CHECK(m->read.ios > m->write.ios);
  }
}

TEST_CASE("every feature of io_uring can be missing") {
  if (!choose_engine(EngineChoice::IoUring, SystemRoot{}, 8)) skip("no io_uring here");
  const TestArea area = make_area(4 * MiB);
  RunnerOptions options = with(EngineChoice::IoUring);
  for (const char* feature : {"deferred_taskrun", "coop_taskrun", "submit_all", "registered_ring",
                              "registered_buffers", "registered_file"}) {
    options.without_features.emplace_back(feature);
    const auto m =
        run_job(area, short_job(Direction::Read, Pattern::Random), options, never_enough);
    REQUIRE(m);
    check_counts(*m, 4096);
    const auto& left = m->engine_features;
    CHECK(std::find(left.begin(), left.end(), feature) == left.end());
  }
}

TEST_CASE("no two written blocks are equal and none repeats inside") {
  constexpr std::uint64_t size = 4 * MiB;
  const TestArea area = make_area(size);
  for (const EngineChoice engine : engines()) {
    const auto m =
        run_job(area, short_job(Direction::Write, Pattern::Sequential), with(engine), never_enough);
    REQUIRE(m);
    std::vector<char> bytes(size);
    const std::string path = "/proc/self/fd/" + std::to_string(area.fd());
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(::pread(fd, bytes.data(), size, 0) == static_cast<ssize_t>(size));
    ::close(fd);
    std::set<std::string> sectors;
    for (std::uint64_t at = 0; at < size; at += 512) sectors.emplace(bytes.data() + at, 512);
    CHECK(sectors.size() == size / 512);
    // In random bytes each value makes up 1/256; a pattern or a run of zeros would stand out.
    std::vector<std::uint64_t> histogram(256);
    for (const char byte : bytes) ++histogram[static_cast<unsigned char>(byte)];
    CHECK(*std::max_element(histogram.begin(), histogram.end()) < size / 256 * 11 / 10);
  }
}

TEST_CASE("a request that fails for want of rights is a refusal, and says nothing of the disk") {
  const TestArea area = make_area(4 * MiB, true);
  for (const EngineChoice engine : engines()) {
    const auto m =
        run_job(area, short_job(Direction::Write, Pattern::Random), with(engine), never_enough);
    REQUIRE_FALSE(m);
    CHECK(m.error().code == ExitCode::Refused);
    CHECK(m.error().message.find("a request at offset ") != std::string::npos);
    CHECK(m.error().message.ends_with(std::strerror(EBADF)));
  }
}

TEST_CASE("an error that is not known to be the disk's accuses no disk") {
  const auto is_another = [](std::initializer_list<int> errors) {
    std::vector<IoFault> faults;
    for (const int error : errors) faults.push_back({.error = error});
    return fault_of_another(faults) != nullptr;
  };
  for (const int disks : {EIO, ENODATA, EILSEQ, ETIMEDOUT, ENODEV, ENOLINK, 0})
    CHECK_FALSE(is_another({disks}));
  for (const int others : {EINVAL, EFAULT, EBADF, EOPNOTSUPP, EAGAIN, ENOMEM, ENOSPC, EDQUOT, EFBIG,
                           EPERM, EROFS, EUCLEAN, ECANCELED, 4095}) {
    CHECK(is_another({others}));
    CHECK_FALSE(is_another({others, EIO}));
  }
  CHECK_FALSE(is_another({}));
}

TEST_CASE("requests that the kernel does not take are a refusal and say nothing of the disk") {
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 8 << 20, .sector_size = 4096});
  const std::string engine = GENERATE("io_uring", "libaio");
  const TestArea area(::open(disk.path().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC), Bytes{8 << 20},
                      512);
  RunnerOptions options;
  options.engine = engine == "libaio" ? EngineChoice::Libaio : EngineChoice::Auto;
  const auto measured =
      run_job(area, short_job(Direction::Read, Pattern::Random, 512), options, never_enough);
  REQUIRE_FALSE(measured);
  CHECK(measured.error().code == ExitCode::Refused);
  CHECK(measured.error().message.ends_with("Invalid argument"));
}

TEST_CASE("a short transfer is an error without errno, and whole ones beside it count") {
  const TestArea area = make_area(8 * MiB, false, 4 * MiB);
  for (const EngineChoice engine : engines()) {
    const auto m =
        run_job(area, short_job(Direction::Read, Pattern::Random), with(engine), never_enough);
    REQUIRE(m);
    CHECK(m->all.ios > 0);
    CHECK(m->all.errors > 0);
    REQUIRE_FALSE(m->faults.empty());
    CHECK(m->faults[0].error == 0);
    CHECK(m->faults[0].offset >= 4 * MiB);
  }
}

TEST_CASE("a job runs for its time, however often it goes over a small span") {
  const TestArea area = make_area(256 * KiB);
  const Job job = short_job(Direction::Write, Pattern::Sequential, 16384);
  const auto m = run_job(area, job, RunnerOptions{}, never_enough);
  REQUIRE(m);
  check_counts(*m, 16384);
  CHECK(m->all.bytes > 256 * KiB);
}

TEST_CASE("the watch sees the window grow and ends it") {
  const TestArea area = make_area(4 * MiB);
  Job job = short_job(Direction::Read, Pattern::Random);
  job.runtime_seconds = 0;
  std::vector<double> seconds;
  const auto m = run_job(area, job, RunnerOptions{}, [&seconds](const Measurement& so_far) {
    seconds.push_back(so_far.seconds);
    return so_far.seconds >= 0.5;
  });
  REQUIRE(m);
  CHECK(std::is_sorted(seconds.begin(), seconds.end()));
  CHECK(seconds.back() >= 0.5);
  CHECK(m->seconds >= seconds.back());
  CHECK(m->seconds < 60);
  CHECK(m->all.series.ios.size() == static_cast<std::size_t>(m->seconds * 10 + 0.5));
  CHECK_FALSE(m->interrupted);
}

TEST_CASE("a signal ends the window and what was measured so far is returned") {
  const TestArea area = make_area(4 * MiB);
  std::atomic<int> signal{0};
  RunnerOptions options;
  options.signal = &signal;
  Job job = short_job(Direction::Write, Pattern::Random);
  job.runtime_seconds = 600;
  const auto m = run_job(area, job, options, [&signal](const Measurement& so_far) {
    if (so_far.seconds >= 0.3) signal = SIGINT;
    return false;
  });
  REQUIRE(m);
  CHECK(m->interrupted);
  CHECK_FALSE(m->hung);
  CHECK(m->seconds >= 0.3);
  CHECK(m->seconds < 60);
  CHECK(m->all.ios > 0);
}

TEST_CASE("a signal during the ramp leaves an empty measurement") {
  const TestArea area = make_area(4 * MiB);
  std::atomic<int> signal{SIGTERM};
  RunnerOptions options;
  options.signal = &signal;
  Job job = short_job(Direction::Read, Pattern::Random);
  job.ramp_seconds = 600;
  const auto m = run_job(area, job, options, never_enough);
  REQUIRE(m);
  CHECK(m->interrupted);
  CHECK(m->seconds == 0);
  CHECK(m->all.ios == 0);
}

TEST_CASE("a stretch in which the program was stopped is void, also at the window's end") {
  const double runtime = GENERATE(4.0, 2.0);
  const TestArea area = make_area(4 * MiB);
  Job job = short_job(Direction::Read, Pattern::Random);
  job.runtime_seconds = runtime;
  const pid_t self = ::getpid();
  std::atomic<bool> stopped{false};
  // Another process stops and continues this one, as a shell would.
  const auto m = run_job(area, job, RunnerOptions{}, [&](const Measurement& so_far) {
    if (so_far.seconds >= 1 && !stopped.exchange(true)) {
      const pid_t child = ::fork();
      if (child == 0) {
        ::kill(self, SIGSTOP);
        ::usleep(1'500'000);
        ::kill(self, SIGCONT);
        ::_exit(0);
      }
    }
    return false;
  });
  ::wait(nullptr);
  REQUIRE(m);
  REQUIRE(m->voids.size() == 1);
  CHECK(m->voids[0].cause == "suspended");
  CHECK(m->voids[0].begin_seconds < m->voids[0].end_seconds - (runtime > 2 ? 1.4 : 0.5));
  CHECK(m->voids[0].end_seconds <= m->seconds);
  CHECK_FALSE(m->hung);
}

TEST_CASE("a standstill is told from a set clock and from nothing at all") {
  constexpr std::uint64_t tick = second_ns / 10;
  const Clocks before{100 * second_ns, 200 * second_ns, 300 * second_ns};
  const auto after = [&before](std::uint64_t monotonic, std::uint64_t boot, std::uint64_t real) {
    const char* cause = standstill(
        before, {before.monotonic + monotonic, before.boot + boot, before.real + real}, tick);
    return std::string(cause == nullptr ? "" : cause);
  };
  CHECK(after(tick, tick, tick).empty());
  CHECK(after(4 * tick, 4 * tick, 4 * tick).empty());
  CHECK(after(tick, tick, tick + second_ns / 1000).empty());
  CHECK(after(2 * second_ns, 2 * second_ns, 2 * second_ns) == "suspended");
  CHECK(after(tick, tick + 60 * second_ns, tick + 60 * second_ns) == "machine_suspended");
  CHECK(after(tick, tick, tick + 60 * second_ns) == "clock_step");
  CHECK(after(tick, tick, tick - 60 * second_ns) == "clock_step");
}

TEST_CASE("a job that cannot run is refused with the reason") {
  const TestArea area = make_area(1 * MiB);
  Job job = short_job(Direction::Read, Pattern::Random);
  SECTION("more threads than requests") { job.threads = 9; }
  SECTION("blocks that the disk does not take") { job.scenario.block_size = Bytes{700}; }
  SECTION("fewer blocks than threads") { job.scenario.block_size = Bytes{1 * MiB}; }
  const auto m = run_job(area, job, RunnerOptions{}, never_enough);
  REQUIRE_FALSE(m);
  CHECK(m.error().code == ExitCode::Refused);
  CHECK(m.error().message.starts_with("cannot run short: "));
}

TEST_CASE("where io_uring is filtered out, native AIO measures and the cause is named") {
  const int error = GENERATE(EPERM, ENOSYS);
  const TestArea area = make_area(4 * MiB);
  if (!choose_engine(EngineChoice::Libaio, SystemRoot{}, 8)) skip("no native AIO here");
  refuse_io_uring(error);
  const auto m =
      run_job(area, short_job(Direction::Read, Pattern::Random), RunnerOptions{}, never_enough);
  REQUIRE(m);
  check_counts(*m, 4096);
  CHECK(m->engine == "libaio");
  CHECK(m->engine_features.empty());
  CHECK(
      m->engine_warning.starts_with("io_uring is not available, libaio used instead: a seccomp "));

  const auto insisted = run_job(area, short_job(Direction::Read, Pattern::Random),
                                with(EngineChoice::IoUring), never_enough);
  REQUIRE_FALSE(insisted);
  CHECK(insisted.error().code == ExitCode::Refused);
  CHECK(insisted.error().message.starts_with("cannot use io_uring: a seccomp filter"));
}

TEST_CASE("the cause of a refusal is told by the errno and what the system says of itself") {
  Fixture fixture;
  const SystemRoot root = fixture.root();
  const auto write = [&fixture](const std::string& path, const std::string& text) {
    fixture.file("/" + path, text);
  };
  const auto status = [&write](const std::string& capabilities, int seccomp) {
    write("proc/self/status",
          "Name:\tx\nGid:\t1000\t1000\t1000\t1000\nGroups:\t27 1000 \n"
          "CapEff:\t" +
              capabilities + "\nSeccomp:\t" + std::to_string(seccomp));
  };
  const std::string nobody = "0000000000000000", everything = "000001ffffffffff";
  write("proc/sys/kernel/osrelease", "6.1.0-18-amd64");
  const auto begins = [&root](int error, const std::string& text) {
    const std::string cause = cause_of_refusal(error, root);
    INFO(cause);
    return cause.starts_with(text);
  };
  SECTION("the sysctl at 2, whoever asks") {
    write("proc/sys/kernel/io_uring_disabled", "2");
    status(everything, 0);
    CHECK(begins(EPERM, "the sysctl kernel.io_uring_disabled is 2; set it to 0"));
  }
  SECTION("the sysctl at 1, for an ordinary user") {
    write("proc/sys/kernel/io_uring_disabled", "1");
    write("proc/sys/kernel/io_uring_group", "-1");
    status(nobody, 0);
    CHECK(begins(EPERM, "the sysctl kernel.io_uring_disabled is 1; run as root"));
  }
  SECTION("the sysctl at 1 spares root and a group: then it is something else") {
    write("proc/sys/kernel/io_uring_disabled", "1");
    write("proc/sys/kernel/io_uring_group", "27");
    status(nobody, 2);
    CHECK(begins(EPERM, "a seccomp filter forbids it"));
    status(everything, 0);
    CHECK(begins(EPERM, "a security module (LSM) forbids it"));
  }
  SECTION("no such system call") {
    status(everything, 2);
    CHECK(begins(ENOSYS, "a seccomp filter hides it"));
    status(everything, 0);
    CHECK(begins(ENOSYS, "the kernel 6.1.0-18-amd64 does not have it"));
    write("proc/sys/kernel/osrelease", "3.10.0-1160.el7.x86_64");
    status(everything, 2);
    CHECK(begins(ENOSYS, "the kernel 3.10.0-1160.el7.x86_64 does not have it"));
  }
  SECTION("too little locked memory") {
    const rlimit limit{65536, 65536};
    REQUIRE(::setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    CHECK(begins(ENOMEM, "the limit of locked memory is 64 KiB; raise it with ulimit -l"));
  }
}

TEST_CASE("a small limit of locked memory costs the registered buffers and nothing else") {
  const TestArea area = make_area(4 * MiB);
  if (!choose_engine(EngineChoice::IoUring, SystemRoot{}, 64)) skip("no io_uring here");
  const rlimit limit{65536, 65536};
  REQUIRE(::setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
  // Root is not held to the limit.
  if (::geteuid() == 0) REQUIRE(::setresuid(65534, 65534, 65534) == 0);
  Job job = short_job(Direction::Read, Pattern::Random);
  job.iodepth = 64;
  job.threads = 1;
  const auto m = run_job(area, job, with(EngineChoice::IoUring), never_enough);
  REQUIRE(m);
  CHECK(m->all.ios > 0);
  CHECK(m->all.errors == 0);
  const auto& features = m->engine_features;
  CHECK(std::find(features.begin(), features.end(), "registered_buffers") == features.end());
  CHECK(std::find(features.begin(), features.end(), "registered_file") != features.end());
}

TEST_CASE("the disk's counters are read field by field") {
  const DiskStat w =
      parse_disk_stat("  4526  11 361234  5010  2080  7 99000  9000  3 8000 14000 0 0 0 0 25 30");
  CHECK(w.known);
  CHECK(w.read_ios == 4526);
  CHECK(w.read_bytes == 361234ULL * 512);
  CHECK(w.write_ios == 2080);
  CHECK(w.write_bytes == 99000ULL * 512);
  CHECK(w.merges == 18);
  CHECK(w.inflight == 3);
  CHECK(w.busy_ms == 8000);
  CHECK(w.request_ms == 14000);
  CHECK_FALSE(parse_disk_stat("").known);
  CHECK_FALSE(parse_disk_stat("1 2 3").known);
}

TEST_CASE("what the machine took from the program is read from both kinds of control groups") {
  Fixture fixture;
  fixture.file("/proc/stat", "cpu  100 0 50 800 20 0 10 20 5 0\ncpu0 1 2 3 4 5 6 7 8 9 10");
  fixture.file("/sys/block/vdb/stat", "1 0 8 0 2 0 16 0 0 100 200");
  const BlockDevice vdb{.name = "vdb"};
  SECTION("version 2, up the tree") {
    fixture.file("/proc/self/cgroup", "0::/a/b");
    fixture.file("/sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 3");
    fixture.file("/sys/fs/cgroup/a/cpu.stat", "nr_throttled 4");
  }
  SECTION("version 1") {
    fixture.file("/proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/a\n0::/");
    fixture.file("/sys/fs/cgroup/cpu,cpuacct/a/cpu.stat", "nr_periods 9\nnr_throttled 7");
    fixture.file("/sys/fs/cgroup/memory/x/cpu.stat", "nr_throttled 100");
  }
  const Sample before = take_sample(fixture.root(), vdb);
  CHECK(before.throttled == 7);
  CHECK(before.steal_ticks == 20);
  CHECK(before.iowait_ticks == 20);
  CHECK(before.all_ticks == 1000);

  Sample after = before;
  after.at_ns += 10 * second_ns;
  after.disk = parse_disk_stat("11 1 88 0 4 2 48 0 0 5100 40200");
  after.cpu_ns += 2'500'000'000;
  after.steal_ticks += 10;
  after.iowait_ticks += 50;
  after.all_ticks += 200;
  Measurement m;
  enter_difference(before, after, vdb, m);
  CHECK(m.witness.known);
  CHECK(m.witness.read_ios == 10);
  CHECK(m.witness.read_bytes == 80 * 512);
  CHECK(m.witness.write_ios == 2);
  CHECK(m.witness.write_bytes == 32 * 512);
  CHECK(m.witness.merges == 3);
  CHECK(m.witness.inflight_mean == Approx(4));
  CHECK(m.witness.busy_share == Approx(0.5));
  CHECK(m.client.cpu_seconds == Approx(2.5));
  CHECK(m.client.steal_share == Approx(0.05));
  CHECK(m.client.iowait_share == Approx(0.25));
  CHECK_FALSE(m.client.cpu_throttled);
  ++after.throttled;
  enter_difference(before, after, vdb, m);
  CHECK(m.client.cpu_throttled);
}

TEST_CASE("a disk that the kernel does not count has no witness") {
  Fixture fixture;
  fixture.file("/sys/block/vdb/stat", "1 0 8 0 2 0 16 0 0 0 0");
  const BlockDevice vdb{.name = "vdb"};
  CHECK(read_disk_stat(fixture.root(), vdb).known);
  fixture.file("/sys/block/vdb/queue/iostats", "0");
  CHECK_FALSE(read_disk_stat(fixture.root(), vdb).known);
  CHECK_FALSE(read_disk_stat(fixture.root(), BlockDevice{}).known);
}

TEST_CASE("an NVMe head that does not count itself is witnessed by its paths") {
  Fixture fixture;
  fixture.device("nvme0n1", "259:0");
  fixture.device("nvme0c0n1", "259:1");
  fixture.device("nvme0c1n1", "259:2");
  const auto set = [&fixture](const std::string& name, const std::string& text) {
    fixture.file("/sys/block/" + name + "/stat", text);
  };
  const BlockDevice head = inspect_device(fixture.root(), "nvme0n1");
  set("nvme0n1", "0 0 0 0 0 0 0 0 0 0 0");
  set("nvme0c0n1", "10 0 80 0 1 0 8 0 2 0 0");
  set("nvme0c1n1", "5 0 40 0 0 0 0 0 1 0 0");
  const DiskStat paths = read_disk_stat(fixture.root(), head);
  CHECK(paths.read_ios == 15);
  CHECK(paths.write_bytes == 4096);
  CHECK(paths.inflight == 3);
  set("nvme0n1", "14 0 112 0 1 0 8 0 3 0 0");
  CHECK(read_disk_stat(fixture.root(), head).read_ios == 14);
}

TEST_CASE("the devices below a stack are witnesses too") {
  Fixture fixture;
  fixture.device("dm-0", "253:0");
  fixture.device("sda", "8:0");
  fixture.device("sdb", "8:16");
  fixture.link("/sys/block/dm-0/slaves/sda", "/sys/devices/sda");
  fixture.link("/sys/block/dm-0/slaves/sdb", "/sys/devices/sdb");
  const BlockDevice stack = inspect_device(fixture.root(), "dm-0");
  const auto sample = [&](int of_stack, int of_first) {
    fixture.file("/sys/block/dm-0/stat", fmt::format("{} 0 8 0 0 0 0 0 0 0 0", of_stack));
    fixture.file("/sys/block/sda/stat", fmt::format("{} 0 8 0 0 0 0 0 0 0 0", of_first));
    fixture.file("/sys/block/sdb/stat", "7 0 8 0 0 0 0 0 0 0 0");
    return take_sample(fixture.root(), stack);
  };
  const Sample before = sample(100, 1000);
  const Sample after = sample(110, 1040);
  Measurement m;
  enter_difference(before, after, stack, m);
  CHECK(m.witness.read_ios == 10);
  REQUIRE(m.witness.lower.size() == 2);
  CHECK(m.witness.lower[0].name == "sda");
  CHECK(m.witness.lower[0].ios == 40);
  CHECK(m.witness.lower[1].ios == 0);
}

TEST_CASE("what the disk had counted at a moment lies on the line between the looks around it") {
  const auto at = [](std::uint64_t ns, const char* stat) {
    return Look{ns, parse_disk_stat(stat)};
  };
  const Look before = at(10 * second_ns, "100 10 800 0 200 20 1600 0 3 1000 5000");
  const Look after = at(12 * second_ns, "180 30 1440 0 600 40 4800 0 8 1800 13000");
  const DiskStat then = look_between(before, after, 10 * second_ns + second_ns / 2).disk;
  CHECK(then.read_ios == 120);
  CHECK(then.read_bytes == 960 * 512);
  CHECK(then.write_ios == 300);
  CHECK(then.write_bytes == 2400 * 512);
  CHECK(then.merges == 40);
  CHECK(then.inflight == 8);
  CHECK(then.busy_ms == 1200);
  CHECK(then.request_ms == 7000);
  CHECK(look_between(before, after, 10 * second_ns).disk.read_ios == 100);
  CHECK(look_between(before, after, 12 * second_ns).disk.read_ios == 180);
  CHECK(look_between(before, before, 10 * second_ns).disk.read_ios == 100);
  CHECK(look_between(Look{}, after, 11 * second_ns).disk.read_ios == 180);
}

TEST_CASE("looks at the disk are told from the window's begin and counted from the first") {
  const auto at = [](std::uint64_t ns, std::uint64_t ios, std::uint64_t inflight) {
    return Look{ns, {.known = true, .read_ios = ios, .inflight = inflight}};
  };
  const WitnessLog log =
      log_of({at(10 * second_ns, 100, 0), at(15 * second_ns, 150, 8), at(16'040'000'000, 175, 8)},
             15 * second_ns);
  CHECK(log.at_seconds == std::vector<double>{-5, 0, 1});
  CHECK(log.ios == std::vector<std::uint64_t>{0, 50, 75});
  CHECK(log.inflight == std::vector<std::uint64_t>{0, 8, 8});
  CHECK(log_of({Look{}}, 0).ios.empty());
}
