/// How disk benchmarks have gone wrong for others: each kind once, on devices of the test's own.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runner/engine_choice.hpp"
#include "runner/runner.hpp"
#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/loop_device.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

constexpr const char* fast_profile = R"(id: test-fast
vendor: Test
name: Fast
capacity: {min: 1, max: 100}
quota:
  iops: 1000000
  throughput: {value: 100000, unit: MB/s}
sources:
  - {title: None, url: "https://example.org/", read: 2026-11-30}
published:
  - {gib: 1, iops: 1000000, throughput: 100000}
  - {gib: 2, iops: 1000000, throughput: 100000}
)";

std::string random_image(const TempFolder& folder, std::uint64_t size) {
  const std::string path = folder / "image";
  REQUIRE(run({"dd", "if=/dev/urandom", "of=" + path, "bs=1M", fmt::format("count={}", size / MiB)})
              .exit_code == 0);
  return path;
}

json record_of(const Cli& cli, const Words& words, ProcessOptions options = {}) {
  const Finished finished = cli(words, std::move(options));
  UNSCOPED_INFO(finished.out << finished.err);
  REQUIRE(cli.records().size() == 1);
  return json::parse(read_file(cli.records().front()));
}

bool try_write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  return file.good();
}

void write_number(const std::string& path, const std::string& text) {
  if (!try_write(path, text)) throw std::runtime_error("cannot write " + text + " to " + path);
}

std::string first_word(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

/// A setting of the kernel's that goes back when this does, also when the test is killed: another
/// process waits for that, ten seconds at most.
class Sysctl {
 public:
  Sysctl(std::string path, const std::string& value) : path_(std::move(path)) {
    before_ = first_word(path_);
    if (before_.empty()) skip("this kernel has no " + path_);
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    alive_ = ends[1];
    watchdog_ = ::fork();
    REQUIRE(watchdog_ >= 0);
    if (watchdog_ == 0) {
      ::close(ends[1]);
      pollfd end{.fd = ends[0], .events = 0, .revents = 0};
      ::poll(&end, 1, 10'000);
      write_number(path_, before_);
      ::_exit(0);
    }
    ::close(ends[0]);
    write_number(path_, value);
  }
  ~Sysctl() {
    ::close(alive_);
    ::waitpid(watchdog_, nullptr, 0);
  }
  Sysctl(const Sysctl&) = delete;
  Sysctl& operator=(const Sysctl&) = delete;

 private:
  std::string path_, before_;
  int alive_ = -1;
  pid_t watchdog_ = -1;
};

constexpr const char* disabled = "/proc/sys/kernel/io_uring_disabled";

/// The warning of an automatic choice that falls on libaio, as an ordinary user or as root.
std::string warning_of_choice(bool ordinary) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (ordinary && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(1);
    const auto chosen = choose_engine(EngineChoice::Auto, SystemRoot{}, 8);
    const bool is_aio = chosen && chosen->engine == Engine::Libaio;
    const std::string text = !chosen ? chosen.error().message : is_aio ? chosen->warning : "none";
    ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string text(500, '\0');
  const ssize_t got = ::read(ends[0], text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

/// A compressing disk in memory.
class Zram {
 public:
  explicit Zram(std::uint64_t size) {
    if (::geteuid() != 0) skip("needs root");
    number_ = first_word("/sys/class/zram-control/hot_add");
    if (number_.empty()) skip("this kernel has no zram");
    write_number(folder() + "/disksize", std::to_string(size));
  }
  // A ring that is gone keeps the disk busy for a moment more.
  ~Zram() {
    const auto remove = [this] {
      return try_write(folder() + "/reset", "1") &&
             try_write("/sys/class/zram-control/hot_remove", number_);
    };
    for (int tries = 0; tries < 250 && !remove(); ++tries) ::usleep(20'000);
  }
  Zram(const Zram&) = delete;
  Zram& operator=(const Zram&) = delete;

  std::string path() const { return "/dev/zram" + number_; }
  std::string name() const { return "zram" + number_; }
  /// Columns of mm_stat (Documentation/admin-guide/blockdev/zram.rst).
  std::vector<double> memory() const {
    std::istringstream text(read_file(folder() + "/mm_stat"));
    std::vector<double> columns;
    for (double column = 0; text >> column;) columns.push_back(column);
    REQUIRE(columns.size() >= 6);
    return columns;
  }

 private:
  std::string folder() const { return "/sys/block/zram" + number_; }
  std::string number_;
};

/// A group whose members together get `percent` of one processor.
class CpuQuota {
 public:
  explicit CpuQuota(int percent) {
    std::ifstream mounts("/proc/self/mounts");
    std::string source, folder, type, options, rest;
    bool is_v1 = false;
    while (mounts >> source >> folder >> type >> options && std::getline(mounts, rest)) {
      is_v1 = type == "cgroup" && ("," + options + ",").find(",cpu,") != std::string::npos;
      const bool is_v2 = type == "cgroup2" &&
                         read_file(folder + "/cgroup.controllers").find("cpu") != std::string::npos;
      if (is_v1 || is_v2) path_ = fmt::format("{}/diskaudit-test-{}", folder, ::getpid());
      if (!path_.empty()) break;
    }
    if (path_.empty() || ::mkdir(path_.c_str(), 0755) != 0) skip("no cgroup for processor time");
    if (is_v1) {
      write_number(path_ + "/cpu.cfs_quota_us", std::to_string(percent * 1000));
      return;
    }
    std::ofstream(path_ + "/../cgroup.subtree_control") << "+cpu";
    write_number(path_ + "/cpu.max", fmt::format("{} 100000", percent * 1000));
  }
  ~CpuQuota() {
    for (int tries = 0; tries < 100 && ::rmdir(path_.c_str()) != 0; ++tries) ::usleep(20'000);
  }
  CpuQuota(const CpuQuota&) = delete;
  CpuQuota& operator=(const CpuQuota&) = delete;

  std::function<void()> join() const {
    return [file = path_ + "/cgroup.procs"] {
      const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
      if (::write(fd, "0", 1) != 1) ::_exit(99);
    };
  }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("memory that takes direct I/O is refused by its name") {
  require_root();
  const TempFolder folder;
  std::filesystem::create_directory(folder / "memory");
  const PrivateMount mount("tmpfs", folder / "memory", "tmpfs", "size=64m");
  const Cli cli;
  const Finished finished = cli({"measure", "--disk", folder / "memory"});
  CHECK(finished.exit_code == 4);
  CHECK_THAT(finished.err, ContainsSubstring("is on tmpfs, which is memory, not a disk"));
}

TEST_CASE("a loop device without direct I/O is never taken for a disk") {
  const TempFolder folder;
  const LoopDevice loop(random_image(folder, 64 * MiB), {.size = 0, .direct_io = false});
  const Cli cli;
  const json record = record_of(
      cli, {"--profile", "tencent-standard", "--size", "100", "--disk", loop.path(), "--read-only",
            "--scenario", "rand-read-4k", "--runtime", "1", "--ramp", "0"});
  CHECK(record["outcome"] == "inconclusive");
  CHECK(record["cause"] == "cache_served");
  CHECK_THAT(record["scenarios"][0]["reasons"].dump(), ContainsSubstring("page_cache_below"));
}

TEST_CASE("a compressing disk finds nothing to compress in what is written") {
  const Zram disk(128 * MiB);
  const int fd = ::open(disk.path().c_str(), O_RDWR | O_DIRECT | O_CLOEXEC);
  REQUIRE(fd >= 0);
  const TestArea area(fd, Bytes{64 * MiB}, 4096);
  Job job;
  job.scenario = {.name = "write",
                  .direction = Direction::Write,
                  .pattern = GENERATE(Pattern::Random, Pattern::Sequential),
                  .block_size = Bytes{GENERATE(4096, 256 * 1024)}};
  job.iodepth = 8;
  job.ramp_seconds = 0;
  job.runtime_seconds = 0.5;
  const auto m = run_job(area, job, {}, [](const Measurement&) { return false; });
  REQUIRE(m);
  const std::vector<double> memory = disk.memory();
  const double stored = memory[0], compressed = memory[1], same_pages = memory[5];
  CHECK(stored > 1e6);
  CHECK(compressed >= 0.99 * stored);
  CHECK(same_pages == 0);
}

TEST_CASE("requests that the kernel splits are counted as the disk saw them") {
  const TempFolder folder;
  const LoopDevice loop(folder / "image", {.size = 64 * MiB});
  const Sysctl setting("/sys/block/" + loop.name() + "/queue/max_sectors_kb", "64");
  const Cli cli;
  const json record = record_of(cli, {"measure", "--disk", loop.path(), "--read-only", "--scenario",
                                      "seq-read-256k", "--runtime", "1", "--ramp", "0"});
  const json& scenario = record["scenarios"][0];
  const double own = scenario["measured"]["ios"];
  CHECK(own > 0);
  CHECK(scenario["witness"]["device_ios"].get<double>() ==
        Approx(4 * own).margin(4 * 2 * scenario["iodepth"].get<double>()));
  CHECK_THAT(scenario["reasons"].dump(), ContainsSubstring("requests_split"));
  CHECK(record["disk"]["device"]["max_sectors_kb"] == 64);
}

TEST_CASE("a disk of 4 KiB blocks is measured in whole blocks") {
  const TempFolder folder;
  const LoopDevice loop(random_image(folder, 64 * MiB), {.size = 0, .sector_size = 4096});
  const Cli cli;
  const json record = record_of(cli, {"measure", "--disk", loop.path(), "--read-only", "--scenario",
                                      "rand-read-4k", "--runtime", "1", "--ramp", "0"});
  CHECK(record["disk"]["device"]["logical_block_size"] == 4096);
  CHECK(record["scenarios"][0]["measured"]["ios"] > 0);
  CHECK(record["scenarios"][0]["measured"]["errors"] == 0);
}

TEST_CASE("a program that is short of processor time blames itself, never the disk") {
  const Zram disk(128 * MiB);
  REQUIRE(run({"dd", "if=/dev/urandom", "of=" + disk.path(), "bs=1M", "count=128", "oflag=direct"})
              .exit_code == 0);
  const CpuQuota quota(10);
  const Cli cli;
  write_file(cli.folder() / "fast.yaml", fast_profile);
  const json record =
      record_of(cli,
                {"--profile", cli.folder() / "fast.yaml", "--size", "1", "--disk", disk.path(),
                 "--read-only", "--scenario", "rand-read-4k", "--runtime", "3", "--ramp", "0.5"},
                {.before_exec = quota.join()});
  CHECK(record["outcome"] == "inconclusive");
  CHECK(record["cause"] == "client_limited");
  CHECK(record["scenarios"][0]["limiter"]["cpu_throttled"] == true);
  CHECK(record["scenarios"][0]["percent"].get<double>() < 90);
}

TEST_CASE("io_uring that a sysctl forbids is replaced by libaio, and the sysctl is named",
          "[serial]") {
  if (::geteuid() != 0) skip("needs root");
  if (!choose_engine(EngineChoice::IoUring, SystemRoot{}, 8)) skip("no io_uring here");
  if (!choose_engine(EngineChoice::Libaio, SystemRoot{}, 8)) skip("no native AIO here");
  const std::string instead = "io_uring is not available, libaio used instead: ";
  SECTION("1 forbids it to ordinary users alone") {
    const Sysctl setting(disabled, "1");
    CHECK(warning_of_choice(true) ==
          instead +
              "the sysctl kernel.io_uring_disabled is 1; run as root, join the group in "
              "kernel.io_uring_group, or set it to 0");
    CHECK(warning_of_choice(false) == "none");
  }
  SECTION("2 forbids it to everybody") {
    const Sysctl setting(disabled, "2");
    for (const bool ordinary : {true, false}) {
      CHECK(warning_of_choice(ordinary) ==
            instead + "the sysctl kernel.io_uring_disabled is 2; set it to 0");
    }
  }
}

TEST_CASE("a setting goes back even when its test is killed") {
  if (::geteuid() != 0) skip("needs root");
  const TempFolder folder;
  const LoopDevice loop(folder / "image", {.size = 8 * MiB});
  const std::string path = "/sys/block/" + loop.name() + "/queue/max_sectors_kb";
  const std::string before = first_word(path);
  const pid_t child = ::fork();
  if (child == 0) {
    const Sysctl setting(path, "64");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  for (int tries = 0; tries < 100 && first_word(path) != before; ++tries) ::usleep(20'000);
  CHECK(first_word(path) == before);
}
