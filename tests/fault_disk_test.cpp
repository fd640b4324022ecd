// Everything that can go wrong around an audit: each ends in time, with the right code, one clear
// line, and never with a verdict that the disk did not earn.

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/loop_device.hpp"
#include "support/premium_disk.hpp"
#include "support/scripted_disk.hpp"
#include "support/words.hpp"

using namespace diskaudit;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

using Clock = std::chrono::steady_clock;

/// One scenario on a file of 64 MiB.
Words audit_in(const std::string& directory, const Words& more) {
  return Words{
             "--profile", "tencent-standard", "--size", "100",       "--disk", directory, "--ramp",
             "0.5",       "--test-size",      "64MiB",  "--reserve", "1MiB"} +
         more;
}

Script small_disk() { return premium_disk(256 << 20); }

/// Measures random writes on the bare disk.
Words overwrite(const ScriptedDisk& disk) {
  std::string number = read_file("/sys/block/" + disk.device_name() + "/diskseq");
  number.pop_back();
  return {"measure",
          "--disk",
          disk.device(),
          "--test-size",
          "64MiB",
          "--ramp",
          "0.5",
          "--runtime",
          "3",
          "--scenario",
          "rand-write-4k",
          "--destroy-data-on",
          "diskseq:" + number};
}

const std::string filled = "written";

/// The record is whole, the program judges it as the audit did, and the disk is what failed.
void check_io_error(const Cli& cli, const Finished& finished) {
  INFO(finished.out << finished.err);
  REQUIRE(cli.records().size() == 1);
  const json record = json::parse(read_file(cli.records().front()));
  CHECK(record["outcome"] == "fail");
  CHECK(record["cause"] == "io_error");
  const json& scenario = record["scenarios"].back();
  CHECK(scenario["outcome"] == "fail");
  CHECK(scenario["measured"]["errors"].get<int>() + scenario["measured"]["faults"].size() > 0);
  const Finished judged = cli({"judge", cli.records().front()});
  INFO(judged.err);
  CHECK(judged.exit_code == 1);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// A file system that takes no more than `limit`, though it has room.
struct LimitedFolder {
  explicit LimitedFolder(const std::string& limit) : disk(folder / "image", {.size = 256 << 20}) {
    const auto done = [](const Words& command) { return run(command).exit_code == 0; };
    if (!done({"mkfs.btrfs", "-q", disk.path()})) skip("cannot make btrfs");
    mount.emplace(disk.path(), path(), "btrfs");
    if (!done({"btrfs", "quota", "enable", path()}) ||
        !done({"btrfs", "qgroup", "limit", limit, path()}))
      skip("this kernel has no quotas");
  }
  std::string path() const { return folder / "limited"; }
  TempFolder folder;
  LoopDevice disk;
  std::optional<PrivateMount> mount;
};

struct TinyFolder {
  TinyFolder() : mount("tmpfs", folder / "tiny", "tmpfs", "size=4k") {}
  std::string path() const { return folder / "tiny"; }
  TempFolder folder;
  PrivateMount mount;
};

/// The kernel's loop device would keep it for its next user.
struct ReadOnly {
  explicit ReadOnly(const std::string& path) : device(path) { run({"blockdev", "--setro", path}); }
  ~ReadOnly() { run({"blockdev", "--setrw", device}); }
  std::string device;
};

}  // namespace

TEST_CASE("errors on reading or writing fail the disk and are never counted as I/O") {
  const std::string direction = GENERATE("read", "write");
  const Cli cli;
  ScriptedDisk disk(small_disk());
  Process audit(cli.command(audit_in(disk.directory(), {"--runtime", "3", "--scenario",
                                                        "rand-" + direction + "-4k"})),
                cli.with_state({}));
  REQUIRE(audit.wait_for_output(filled, seconds(30)));
  disk.set("bad_range", direction + ":0+256MiB");
  const Finished finished = audit.wait(seconds(20));
  INFO(finished.err);
  CHECK(finished.exit_code == 1);
  check_io_error(cli, finished);
}

TEST_CASE("an error while the test file is filled fails the disk, and the record says where") {
  const Cli cli;
  Script script = small_disk();
  script.write_bytes = 16e6;
  ScriptedDisk disk(script);
  Process audit(cli.command(audit_in(disk.directory(), {"--runtime", "1"})), cli.with_state({}));
  std::this_thread::sleep_for(milliseconds(1000));
  disk.set("bad_range", "write:0+256MiB");
  const Finished finished = audit.wait(seconds(20));
  INFO(finished.err);
  CHECK(finished.exit_code == 1);
  CHECK_THAT(finished.err, ContainsSubstring("cannot write at offset"));
  check_io_error(cli, finished);
}

TEST_CASE("a disk that vanishes fails and holds nobody up") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  Process audit(
      cli.command(audit_in(disk.directory(), {"--runtime", "60", "--scenario", "rand-write-4k"})),
      cli.with_state({}));
  REQUIRE(audit.wait_for_output(filled, seconds(30)));
  std::this_thread::sleep_for(seconds(1));
  REQUIRE(kill(disk.server(), SIGKILL) == 0);
  const Finished finished = audit.wait(seconds(30));
  INFO(finished.err);
  CHECK(finished.exit_code == 1);
  check_io_error(cli, finished);
}

TEST_CASE("a disk that stops answering is given up after a minute by either engine") {
  std::vector<std::unique_ptr<ScriptedDisk>> disks;
  std::vector<std::unique_ptr<Cli>> clis;
  std::vector<std::unique_ptr<Process>> audits;
  const auto start = [&](const Words& more, bool while_filling) {
    Script script = small_disk();
    if (while_filling) script.write_bytes = 16e6;
    disks.push_back(std::make_unique<ScriptedDisk>(script));
    clis.push_back(std::make_unique<Cli>());
    const Cli& cli = *clis.back();
    audits.push_back(std::make_unique<Process>(
        cli.command(audit_in(disks.back()->directory(), more)), cli.with_state({})));
    if (while_filling) std::this_thread::sleep_for(seconds(1));
    if (!while_filling) REQUIRE(audits.back()->wait_for_output(filled, seconds(30)));
    std::this_thread::sleep_for(milliseconds(600));
    REQUIRE(kill(disks.back()->server(), SIGSTOP) == 0);
  };
  start({"--scenario", "rand-read-4k", "--runtime", "5"}, false);
  start({"--scenario", "rand-write-4k", "--runtime", "5", "--engine", "libaio"}, false);
  start({"--runtime", "5"}, true);
  const ScriptedDisk raw({.size = 64 << 20, .hang = 20});
  const Cli raw_cli;
  Process raw_audit(raw_cli.command(overwrite(raw)), raw_cli.with_state({}));
  const auto stopped = Clock::now();
  std::vector<Finished> all;
  for (auto& audit : audits) all.push_back(audit->wait(seconds(80)));
  const Finished refused = raw_audit.wait(seconds(80));
  CHECK(refused.exit_code == 4);
  CHECK_THAT(refused.err, ContainsSubstring("will not write on " + raw.device()) &&
                              ContainsSubstring("the disk has not answered for 60 s"));
  CHECK(Clock::now() - stopped < seconds(70));
  for (auto& disk : disks) kill(disk->server(), SIGCONT);
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(i << ": " << all[i].err);
    CHECK_FALSE(all[i].timed_out);
    CHECK(all[i].exit_code == 1);
    check_io_error(*clis[i], all[i]);
    const json record = json::parse(read_file(clis[i]->records().front()));
    CHECK_THAT(record["scenarios"].back()["reasons"].dump(), ContainsSubstring("hung"));
  }
}

TEST_CASE("a signal ends the wait for a disk that does not answer within seconds") {
  struct Run {
    std::string engine;
    bool while_filling;
    Cli cli{};
    std::optional<ScriptedDisk> disk{};
    std::optional<Process> audit{};
  };
  Run runs[] = {{"io_uring", false}, {"libaio", false}, {"io_uring", true}};
  for (Run& run : runs) {
    Script script = small_disk();
    if (run.while_filling) script.write_bytes = 16e6;
    const std::string directory = run.disk.emplace(script).directory();
    run.audit.emplace(
        run.cli.command(audit_in(
            directory, {"--runtime", "5", "--scenario", "rand-read-4k", "--engine", run.engine})),
        run.cli.with_state({}));
    if (run.while_filling) std::this_thread::sleep_for(seconds(1));
    if (!run.while_filling) REQUIRE(run.audit->wait_for_output(filled, seconds(30)));
    std::this_thread::sleep_for(milliseconds(500));
    REQUIRE(kill(run.disk->server(), SIGSTOP) == 0);
  }
  std::this_thread::sleep_for(milliseconds(500));
  const auto signalled = Clock::now();
  for (Run& run : runs) run.audit->send(SIGTERM);
  for (Run& run : runs) {
    const Finished finished = run.audit->wait(seconds(20));
    CHECK(Clock::now() - signalled < seconds(9));
    kill(run.disk->server(), SIGCONT);
    INFO(run.engine << ": " << finished.err);
    CHECK(finished.exit_code == 128 + SIGTERM);
    REQUIRE(run.cli.records().size() == 1);
    CHECK(run.cli({"judge", run.cli.records().front()}).exit_code == (run.while_filling ? 3 : 1));
  }
}

TEST_CASE("a disk that does not answer from the start is waited for only until a signal comes") {
  const bool raw = GENERATE(false, true);
  const Cli cli;
  Script script = small_disk();
  if (raw) script.filesystem.clear();
  ScriptedDisk disk(script);
  REQUIRE(kill(disk.server(), SIGSTOP) == 0);
  Words words = audit_in(raw ? disk.device() : disk.directory(), {"--runtime", "1"});
  if (raw) words = words + Words{"--destroy-data-on", "diskseq:1"};
  Process audit(cli.command(words), cli.with_state({}));
  std::this_thread::sleep_for(seconds(1));
  CHECK(audit.running());
  audit.send(SIGINT);
  const Finished finished = audit.wait(seconds(10));
  kill(disk.server(), SIGCONT);
  INFO(finished.err);
  CHECK(finished.exit_code == 128 + SIGINT);
}

TEST_CASE("a disk that hangs while the guard looks at it is left alone as soon as a signal comes") {
  const std::uint64_t request = GENERATE(4U, 20U, 60U, 100U);
  const Cli cli;
  const ScriptedDisk disk({.size = 64 << 20, .hang = request});
  Process audit(cli.command(overwrite(disk)), cli.with_state({}));
  std::this_thread::sleep_for(seconds(1));
  CHECK(audit.running());
  audit.send(SIGTERM);
  const Finished finished = audit.wait(seconds(10));
  INFO(request << ": " << finished.err);
  CHECK(finished.exit_code == 128 + SIGTERM);
  CHECK(disk.served(0, INT64_MAX).writes.ios == 0);
}

TEST_CASE("a device that turns read-only is no slow disk") {
  const Cli cli;
  Script script = small_disk();
  script.filesystem.clear();
  ScriptedDisk disk(script);
  Process audit(cli.command(overwrite(disk)), cli.with_state({}));
  REQUIRE(audit.wait_for_output(filled, seconds(30)));
  Finished finished;
  {
    const ReadOnly read_only(disk.device());
    finished = audit.wait(seconds(20));
  }
  INFO(finished.err);
  // Some kernels let writes through a descriptor that was open before.
  CHECK((finished.exit_code == 0 || finished.exit_code == 1 || finished.exit_code == 4));
  if (finished.exit_code == 4) CHECK_THAT(finished.err, ContainsSubstring("cannot"));
}

TEST_CASE("space that goes to others meanwhile does not disturb an audit") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  Process audit(
      cli.command(audit_in(disk.directory(), {"--runtime", "2", "--scenario", "rand-write-4k"})),
      cli.with_state({}));
  std::this_thread::sleep_for(milliseconds(400));
  (void)run({"fallocate", "-l", "160MiB", disk.directory() + "/big"});
  (void)run({"dd", "if=/dev/zero", "of=" + disk.directory() + "/rest", "bs=1M", "oflag=direct"});
  const Finished finished = audit.wait(seconds(60));
  INFO(finished.err);
  CHECK((finished.exit_code == 0 || finished.exit_code == 3));
  const json record = json::parse(read_file(cli.records().front()));
  CHECK(record["scenarios"][0]["measured"]["errors"] == 0);
}

TEST_CASE("a full disk is refused before anything is written") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  (void)run({"fallocate", "-l", "200MiB", disk.directory() + "/big"});
  const Finished finished = cli(audit_in(disk.directory(), {"--runtime", "1"}));
  CHECK(finished.exit_code == 4);
  CHECK_THAT(finished.err, ContainsSubstring("not enough space in " + disk.directory()));
  CHECK(lines_of(finished.err) == 1);
}

TEST_CASE("a report or record that finds no space is an error, and the other one is kept") {
  require_root();
  const Cli cli;
  const TinyFolder tiny;
  ScriptedDisk disk(small_disk());
  const Words words = {"--runtime", "1", "--scenario", "rand-read-4k"};
  SECTION("report") {
    const Words output = {"-o", tiny.path() + "/report.json"};
    const Finished finished = cli(audit_in(disk.directory(), words + output));
    INFO(finished.err);
    CHECK(finished.exit_code == 4);
    CHECK_THAT(finished.err, ContainsSubstring("cannot write " + tiny.path() +
                                               "/report.json: No space left on device"));
    CHECK(cli.records().size() == 1);
    CHECK_FALSE(finished.out.empty());
  }
  SECTION("record") {
    const Finished finished =
        run(cli.command(audit_in(disk.directory(), words)),
            {.environment = {"XDG_STATE_HOME=" + tiny.path(), "LC_ALL=C.UTF-8"}});
    INFO(finished.err);
    CHECK(finished.exit_code == 4);
    CHECK_THAT(finished.err, ContainsSubstring("No space left on device"));
    CHECK_FALSE(finished.out.empty());
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tiny.path()))
    files += entry.is_regular_file() ? 1 : 0;
  CHECK(files == 0);
}

TEST_CASE("a quota that is used up is named, and the record kept elsewhere") {
  const Cli cli;
  const Words words = {"--runtime", "1", "--scenario", "rand-read-4k"};
  SECTION("by the test file") {
    const LimitedFolder limited("32M");
    const Finished finished = cli(audit_in(limited.path(), words));
    INFO(finished.err);
    CHECK(finished.exit_code == 4);
    CHECK_THAT(finished.err,
               ContainsSubstring("Disk quota exceeded") && ContainsSubstring("--test-size"));
    CHECK(lines_of(finished.err) == 1);
    CHECK(finished.out.empty());
  }
  SECTION("by the report") {
    const LimitedFolder limited("64K");
    ScriptedDisk disk(small_disk());
    const std::string report = limited.path() + "/report.html";
    const Finished finished = cli(audit_in(disk.directory(), words + Words{"-o", report}));
    INFO(finished.err);
    CHECK(finished.exit_code == 4);
    CHECK_THAT(finished.err, ContainsSubstring("cannot write " + report + ": Disk quota exceeded"));
    CHECK(cli.records().size() == 1);
    CHECK_FALSE(finished.out.empty());
    CHECK(std::filesystem::is_empty(limited.path()));
  }
}

TEST_CASE("a report that stdout does not take is an error, known at once where stdout is closed") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  const Words words = audit_in(disk.directory(), {"--runtime", "1", "--scenario", "rand-read-4k"});
  SECTION("full") {
    const Finished finished = run(
        cli.command(words),
        cli.with_state({.before_exec = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }}));
    CHECK(finished.exit_code == 4);
    CHECK_THAT(finished.err,
               ContainsSubstring("cannot write the report to stdout: No space left on device"));
    CHECK(cli.records().size() == 1);
  }
  SECTION("closed") {
    const Finished finished =
        run(cli.command(words), cli.with_state({.before_exec = [] { close(STDOUT_FILENO); }}));
    CHECK(finished.exit_code == 4);
    CHECK_THAT(finished.err, ContainsSubstring("stdout is closed"));
    CHECK(disk.served(0, INT64_MAX).reads.bytes < (8 << 20));
  }
  SECTION("a pipe that nobody reads") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    const int end = ends[1];
    const Finished piped = run(
        cli.command(words), cli.with_state({.before_exec = [end] { dup2(end, STDOUT_FILENO); }}));
    close(end);
    CHECK(piped.exit_code == 4);
    CHECK_THAT(piped.err, ContainsSubstring("Broken pipe"));
    CHECK(cli.records().size() == 1);
  }
}

TEST_CASE("stdin and stderr may be closed: nothing of theirs lands in the test file") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  const Finished finished =
      run(cli.command(audit_in(disk.directory(), {"--runtime", "1", "--scenario", "rand-read-4k"})),
          cli.with_state({.before_exec = [] {
            close(STDIN_FILENO);
            close(STDERR_FILENO);
          }}));
  CHECK((finished.exit_code == 0 || finished.exit_code == 3));
  CHECK(finished.err.empty());
  const json record = json::parse(read_file(cli.records().front()));
  CHECK(record["scenarios"][0]["measured"]["errors"] == 0);
}

TEST_CASE("too few file descriptors end in one line that says so") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  bool refused = false;
  bool finished_well = false;
  for (const rlim_t limit : {3, 4, 5, 6, 7, 8, 10, 12, 32}) {
    const Finished finished = run(
        cli.command(audit_in(disk.directory(), {"--runtime", "1", "--scenario", "rand-read-4k"})),
        cli.with_state({.before_exec = [limit] {
          const rlimit files{limit, limit};
          setrlimit(RLIMIT_NOFILE, &files);
        }}));
    INFO(limit << " descriptors: " << finished.err);
    CHECK(finished.signal == 0);
    if (finished.exit_code == 0 || finished.exit_code == 3) {
      finished_well = true;
      continue;
    }
    refused = true;
    // 127: the loader itself found no descriptor.
    CHECK((finished.exit_code == 4 || finished.exit_code == 2 || finished.exit_code == 127));
    CHECK(finished.err.size() > 20);
  }
  CHECK(refused);
  CHECK(finished_well);
}

TEST_CASE("a limit on the size of files is an error of the write, not the program's end") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  const Finished finished =
      run(cli.command(audit_in(disk.directory(), {"--runtime", "1", "--scenario", "rand-read-4k"})),
          cli.with_state({.before_exec = [] {
            const rlimit size{1 << 20, 1 << 20};
            setrlimit(RLIMIT_FSIZE, &size);
          }}));
  CHECK(finished.exit_code == 4);
  CHECK_THAT(finished.err, ContainsSubstring("cannot allocate a test file of 64 MiB") &&
                               ContainsSubstring("File too large"));
}

TEST_CASE("too little memory ends in order") {
  const Cli cli;
  ScriptedDisk disk(small_disk());
  for (const rlim_t mebibytes : {24, 48, 96}) {
    const Finished finished = run(
        cli.command(audit_in(disk.directory(), {"--runtime", "1", "--scenario", "rand-read-4k"})),
        cli.with_state({.before_exec = [mebibytes] {
          const rlimit memory{mebibytes << 20, mebibytes << 20};
          setrlimit(RLIMIT_AS, &memory);
        }}));
    INFO(mebibytes << " MiB: " << finished.err);
    CHECK(finished.signal == 0);
    CHECK((finished.exit_code == 0 || finished.exit_code == 3 || finished.exit_code == 4 ||
           finished.exit_code == 127));
  }
}
