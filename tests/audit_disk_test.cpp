// Whole audits on a disk whose quota is known: the program's word against the disk's own log.

#include <sys/statvfs.h>

#include <csignal>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/premium_disk.hpp"
#include "support/scripted_disk.hpp"

using namespace diskaudit;
using nlohmann::json;

namespace {

std::vector<std::string> audit_of(const ScriptedDisk& disk, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"--profile",   "tencent-standard",
                                        "--size",      "100",
                                        "--disk",      disk.directory(),
                                        "--ramp",      "2",
                                        "--reserve",   "1MiB",
                                        "--test-size", "256MiB"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::chrono::minutes limit{10};

struct Audited {
  Finished finished;
  json record;
};

Audited audit(const Cli& cli, const ScriptedDisk& disk, std::vector<std::string> more) {
  Audited audited;
  audited.finished = cli(audit_of(disk, std::move(more)), {.time_limit = limit});
  UNSCOPED_INFO(audited.finished.out << audited.finished.err);
  REQUIRE(cli.records().size() == 1);
  audited.record = json::parse(read_file(cli.records().front()));
  return audited;
}

// The disk's own count over the window that the record names.
Served served_in_window(const ScriptedDisk& disk, const json& scenario) {
  const json& measured = scenario["measured"];
  const auto begin = measured["window_begin_ns"].get<std::int64_t>();
  const auto end = measured["window_end_ns"].get<std::int64_t>();
  const ServedWindow window = disk.served(begin, end);
  return scenario["direction"] == "read" ? window.reads : window.writes;
}

// The kernel's view of the loop device and the disk's log, against the record, in one window.
void check_counts_agree(const ScriptedDisk& disk, const json& scenario) {
  const Served served = served_in_window(disk, scenario);
  const double seconds = scenario["measured"]["seconds"];
  const double own_bytes = scenario["measured"]["bytes_per_second"].get<double>() * seconds;
  INFO(scenario["name"]);
  CHECK(own_bytes == Approx(double(served.bytes)).epsilon(0.01));
  CHECK(scenario["witness"]["device_bytes"].get<double>() ==
        Approx(double(served.bytes)).epsilon(0.01));
  if (scenario["pattern"] == "random") {
    const double own_ios = scenario["measured"]["iops"].get<double>() * seconds;
    CHECK(own_ios == Approx(double(served.ios)).epsilon(0.01));
    CHECK(scenario["witness"]["device_ios"].get<double>() ==
          Approx(double(served.ios)).epsilon(0.01));
  }
}

double percent_by_log(const ScriptedDisk& disk, const json& scenario) {
  const Served served = served_in_window(disk, scenario);
  const double amount =
      scenario["target"]["metric"] == "iops" ? double(served.ios) : double(served.bytes);
  return amount / scenario["measured"]["seconds"].get<double>() /
         scenario["target"]["value"].get<double>() * 100;
}

std::uint64_t free_bytes(const std::string& directory) {
  struct statvfs space = {};
  REQUIRE(statvfs(directory.c_str(), &space) == 0);
  return std::uint64_t{space.f_bfree} * space.f_frsize;
}

}  // namespace

TEST_CASE("a disk that delivers its quota passes, and every count agrees with the disk's log",
          "[serial]") {
  const Cli cli;
  const ScriptedDisk disk(premium_disk(512 << 20));
  const auto [finished, record] = audit(cli, disk, {"--runtime", "5"});
  CHECK(finished.exit_code == 0);
  CHECK(record["schema"] == "diskaudit/record/1");
  CHECK(record["outcome"] == "pass");
  CHECK(record["exit_code"] == 0);
  REQUIRE(record["scenarios"].size() == 4);
  for (const json& scenario : record["scenarios"]) {
    INFO(scenario["name"]);
    CHECK(scenario["outcome"] == "pass");
    CHECK(std::abs(scenario["percent"].get<double>() - percent_by_log(disk, scenario)) < 1);
    CHECK(scenario["measured"]["errors"] == 0);
    CHECK(scenario["measured"]["seconds"].get<double>() == Approx(5).margin(0.2));
    check_counts_agree(disk, scenario);
  }
  CHECK(finished.out.find("PASS") != std::string::npos);
  CHECK(finished.err.ends_with(cli.records().front() + "\n"));
}

TEST_CASE("a disk with too few IOPS fails in the random scenario and passes the sequential one") {
  const Cli cli;
  Script script = premium_disk(512 << 20);
  script.read_iops = script.write_iops = 1800;
  const ScriptedDisk disk(script);
  const auto [finished, record] = audit(
      cli, disk, {"--scenario", "seq-read-256k", "--scenario", "rand-read-4k", "--runtime", "5"});
  CHECK(finished.exit_code == 1);
  CHECK(record["outcome"] == "fail");
  CHECK(record["cause"] == "below_quota");
  for (const json& scenario : record["scenarios"]) {
    INFO(scenario["name"]);
    if (scenario["pattern"] == "random") {
      CHECK(scenario["outcome"] == "fail");
      CHECK(scenario["percent"].get<double>() == Approx(1800 / 26.0).margin(1));
      CHECK(scenario["probes"].size() >= 1);
    } else {
      CHECK(scenario["outcome"] == "pass");
    }
  }
}

TEST_CASE("a disk without any limit passes and is flagged as over its quota", "[serial]") {
  const Cli cli;
  Script script;
  script.size = 1 << 30;
  script.filesystem = "ext4";
  const ScriptedDisk disk(script);
  const auto [finished, record] = audit(
      cli, disk, {"--scenario", "seq-write-256k", "--scenario", "rand-read-4k", "--runtime", "3"});
  CHECK(finished.exit_code == 0);
  CHECK(record["outcome"] == "pass");
  for (const json& scenario : record["scenarios"]) {
    INFO(scenario["name"]);
    CHECK(scenario["flags"].dump().find("over") != std::string::npos);
  }
}

TEST_CASE("measure needs no profile, gives no verdict and ends with 0") {
  const Cli cli;
  Script script = premium_disk(512 << 20);
  const ScriptedDisk disk(script);
  const Finished finished =
      cli({"measure", "--disk", disk.directory(), "--reserve", "1MiB", "--test-size", "64MiB",
           "--ramp", "1", "--runtime", "3", "--scenario", "rand-read-4k", "--format", "json"});
  INFO(finished.err);
  CHECK(finished.exit_code == 0);
  const json record = json::parse(finished.out);
  CHECK(record["quota"].is_null());
  REQUIRE(record["scenarios"].size() == 1);
  CHECK(record["scenarios"][0]["measured"]["iops"].get<double>() == Approx(2600).epsilon(0.05));
}

namespace {

// A suite on a small disk, a few seconds a scenario.
json run_suite(const ScriptedDisk& disk, const std::string& suite, std::vector<std::string> more) {
  const Cli cli;
  std::vector<std::string> arguments = {"--suite", suite, "--disk",      disk.directory(),
                                        "--ramp",  "0.3", "--reserve",   "1MiB",
                                        "--lang",  "en",  "--test-size", "64MiB"};
  arguments.insert(arguments.begin(), more.begin(), more.end());
  const Finished finished = cli(arguments, {.time_limit = limit});
  UNSCOPED_INFO(finished.out << finished.err);
  REQUIRE(cli.records().size() == 1);
  return json::parse(read_file(cli.records().front()));
}

std::vector<std::string> names_of(const json& record) {
  std::vector<std::string> names;
  for (const json& scenario : record["scenarios"]) names.push_back(scenario["name"]);
  return names;
}

}  // namespace

TEST_CASE("the 16 KiB suite measures its five scenarios one after the other, without a profile") {
  Script script;
  script.size = 256 << 20;
  script.filesystem = "ext4";
  script.total_iops = 3000;
  const ScriptedDisk disk(script);
  const json record = run_suite(disk, "huawei-16k", {"measure", "--runtime", "1"});
  CHECK(record["outcome"] == "not_tested");
  CHECK(names_of(record) == std::vector<std::string>{"seq-read-16k", "rand-read-16k",
                                                     "seq-write-16k", "rand-write-16k",
                                                     "rand-mixed-16k"});
  std::uint64_t ended = 0;
  for (const json& scenario : record["scenarios"]) {
    INFO(scenario["name"]);
    CHECK(scenario["iodepth"] == 30);
    CHECK(scenario["block_size"] == 16 << 10);
    const json& measured = scenario["measured"];
    CHECK(measured["window_begin_ns"] > ended);
    ended = measured["window_end_ns"];
    const ServedWindow window = disk.served(measured["window_begin_ns"], measured["window_end_ns"]);
    CHECK(measured["bytes"].get<double>() ==
          Approx(double(window.reads.bytes + window.writes.bytes)).epsilon(0.01).margin(1 << 20));
    REQUIRE(scenario["probes"].size() == 1);
    CHECK(scenario["probes"][0]["purpose"] == "latency");
    CHECK(scenario["probes"][0]["measured"]["iodepth"] == 1);
    CHECK(scenario["probes"][0]["measured"]["latency_us"]["mean"] > 0);
  }
  const json& mixed = record["scenarios"][4];
  CHECK(mixed["read"]["measured"]["ios"].get<double>() ==
        Approx(0.7 * mixed["measured"]["ios"].get<double>()).epsilon(0.1));
}

TEST_CASE("the mixed suite holds both directions together against an unqualified quota") {
  Script script = premium_disk(512 << 20);
  script.size = 256 << 20;
  script.total_iops = 2600;
  const ScriptedDisk disk(script);
  const json record = run_suite(
      disk, "mixed", {"--profile", "tencent-standard", "--size", "100", "--runtime", "3"});
  CHECK(record["outcome"] == "pass");
  CHECK(names_of(record) == std::vector<std::string>{"rand-mixed-4k"});
  CHECK(record["scenarios"][0]["target"]["value"] == 2600);
  CHECK(record["scenarios"][0]["percent"].get<double>() == Approx(100).margin(2));
}

TEST_CASE("the latency suite judges one request at a time against the published range") {
  Script script;
  script.size = 256 << 20;
  script.filesystem = "ext4";
  script.write_latency = 0.002;
  const ScriptedDisk disk(script);
  const json record = run_suite(
      disk, "latency", {"--profile", "alibaba-efficiency", "--size", "100", "--runtime", "3"});
  CHECK(record["outcome"] == "pass");
  CHECK(names_of(record) == std::vector<std::string>{"latency-read-4k", "latency-write-4k"});
  CHECK(record["scenarios"][0]["outcome"] == "not_tested");
  const json& write = record["scenarios"][1];
  CHECK(write["target"]["metric"] == "latency_us");
  CHECK(write["iodepth"] == 1);
  CHECK(write["probes"].empty());
  CHECK(write["measured"]["latency_us"]["mean"] >= 2000);
}

TEST_CASE("the sustained-write suite raises its depth until the disk is saturated") {
  Script script = premium_disk(512 << 20);
  script.size = 256 << 20;
  script.write_latency = 0.002;
  const ScriptedDisk disk(script);
  const json record =
      run_suite(disk, "sustained-write",
                {"--profile", "tencent-standard", "--size", "100", "--runtime", "3"});
  CHECK(record["outcome"] == "pass");
  const json& scenario = record["scenarios"][0];
  CHECK(scenario["job"]["published_iodepth"] == 4);
  CHECK(scenario["job"]["min_runtime_seconds"] == 300);
  CHECK(scenario["measured"]["iodepth"] > 4);
  REQUIRE_FALSE(scenario["attempts"].empty());
  CHECK(scenario["attempts"][0]["measured"]["iodepth"] == 4);
}

TEST_CASE("a block device is audited read-only without one byte of it changing") {
  const Cli cli;
  Script script = premium_disk(512 << 20);
  script.filesystem.clear();
  script.size = 256 << 20;
  const ScriptedDisk disk(script);
  const Finished refused = cli({"--profile", "tencent-standard", "--size", "100", "--disk",
                                disk.device(), "--runtime", "3"});
  CHECK(refused.exit_code == 4);
  CHECK(refused.err.find("--read-only") != std::string::npos);
  const Finished finished = cli({"--profile", "tencent-standard", "--size", "100", "--disk",
                                 disk.device(), "--runtime", "3", "--ramp", "1", "--read-only"});
  INFO(finished.out << finished.err);
  CHECK((finished.exit_code == 0 || finished.exit_code == 3));
  for (const LogEntry& entry : disk.log()) {
    if (entry.direction == DiskDirection::Write) FAIL("the disk was written to");
  }
}

namespace {

// A killed process's requests in flight are waited for by the kernel before the file goes.
bool comes_back(const std::string& directory, std::uint64_t bytes) {
  for (int tries = 0; tries < 100; ++tries) {
    sync();
    if (free_bytes(directory) >= bytes) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

}  // namespace

TEST_CASE("kill -9 in any phase leaves no file and gives the space back") {
  const Cli cli;
  Script script = premium_disk(512 << 20);
  script.read_bytes = script.write_bytes = 400e6;
  const ScriptedDisk disk(script);
  sync();
  const std::uint64_t before = free_bytes(disk.directory());
  // Into the filling, a ramp, a window and a later scenario.
  for (const int milliseconds : {600, 2500, 4500, 7500}) {
    Process audit(cli.command(audit_of(disk, {"--runtime", "2"})), cli.with_state({}));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    audit.send(SIGKILL);
    CHECK(audit.wait().signal == SIGKILL);
    INFO(milliseconds << " ms into the run");
    CHECK(comes_back(disk.directory(), before - (1 << 20)));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(disk.directory())) {
      if (entry.path().filename() != "lost+found") ++files;
    }
    CHECK(files == 0);
  }
}

TEST_CASE("SIGTERM ends an audit in order: finished scenarios are kept in a record") {
  const Cli cli;
  const ScriptedDisk disk(premium_disk(512 << 20));
  const auto as_nohup = [] { signal(SIGHUP, SIG_IGN); };
  Process audit(cli.command(audit_of(disk, {"--runtime", "8"})),
                cli.with_state({.before_exec = as_nohup}));
  REQUIRE(audit.wait_for_output("seq-write-256k: ", std::chrono::seconds(60)));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  audit.send(SIGHUP);  // as a terminal that is closed, which then ends nothing
  audit.send(SIGTERM);
  const Finished finished = audit.wait(std::chrono::seconds(20));
  INFO(finished.out << finished.err);
  CHECK(finished.exit_code == 128 + SIGTERM);
  REQUIRE(cli.records().size() == 1);
  const json record = json::parse(read_file(cli.records().front()));
  CHECK(record["outcome"] == "inconclusive");
  CHECK(record["cause"] == "interrupted");
  CHECK(record["scenarios"][0]["outcome"] == "pass");
  const Finished judged = cli({"judge", cli.records().front()});
  INFO(judged.err);
  CHECK(judged.exit_code == 3);
}

TEST_CASE("a second audit of the same disk is refused while the first one runs") {
  const Cli cli;
  const ScriptedDisk disk(premium_disk(512 << 20));
  Process first(cli.command(audit_of(disk, {"--runtime", "30"})), cli.with_state({}));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  const Cli other;
  const Finished second = other(audit_of(disk, {"--runtime", "1"}));
  INFO(second.err);
  CHECK(second.exit_code == 4);
  CHECK(second.err.find("another diskaudit is at work") != std::string::npos);
  first.send(SIGTERM);
  CHECK(first.wait(std::chrono::seconds(20)).exit_code == 128 + SIGTERM);
}

TEST_CASE("fio reaches the rates of the audit whose job file it is given", "[serial]") {
  if (std::system("command -v fio >/dev/null") != 0) skip("fio is not installed");
  Script script = premium_disk(512 << 20);
  script.size = 256 << 20;
  const ScriptedDisk disk(script);
  const Cli cli;
  const std::string job_file = cli.folder() / "scenarios.fio";
  const Finished measured =
      cli({"measure", "--disk", disk.directory(), "--scenario", "rand-read-4k", "--scenario",
           "seq-write-256k", "--runtime", "2", "--ramp", "1", "--reserve", "1MiB", "--test-size",
           "64MiB", "--format", "json", "-o", job_file});
  INFO(measured.err);
  REQUIRE(measured.exit_code == 0);
  const Finished repeated = run({"fio", "--output-format=json", job_file});
  INFO(repeated.err);
  REQUIRE(repeated.exit_code == 0);
  const json record = json::parse(measured.out);
  const json jobs = json::parse(repeated.out)["jobs"];
  REQUIRE(jobs.size() == 2);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const json& scenario = record["scenarios"][i];
    INFO(scenario["name"]);
    REQUIRE(jobs[i]["jobname"] == scenario["name"]);
    const json& flow = jobs[i][scenario["direction"] == "read" ? "read" : "write"];
    const double rate = flow["bw_bytes"].get<double>();
    CHECK(rate == Approx(scenario["measured"]["bytes_per_second"].get<double>()).epsilon(0.05));
  }
}
