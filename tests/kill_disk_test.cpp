// Kills at random moments of a whole audit. DISKAUDIT_KILLS sets how many; a few without it.

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/scripted_disk.hpp"

using namespace diskaudit;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr int longest_audit_ms = 6500;

int kills_wanted() {
  const char* wanted = std::getenv("DISKAUDIT_KILLS");
  return wanted == nullptr ? 9 : std::atoi(wanted);
}

std::uint64_t free_bytes(const std::string& directory) {
  struct statvfs space {};
  REQUIRE(statvfs(directory.c_str(), &space) == 0);
  return std::uint64_t{space.f_bfree} * space.f_frsize;
}

/// A killed process's requests in flight are waited for by the kernel before the file goes.
std::uint64_t settled_free_bytes(const std::string& directory, std::uint64_t wanted) {
  for (int tries = 0; tries < 100 && free_bytes(directory) != wanted; ++tries) {
    std::this_thread::sleep_for(milliseconds(50));
    sync();
  }
  return free_bytes(directory);
}

std::set<std::string> names_in(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.insert(entry.path().filename().string());
  return names;
}

std::size_t mounts_below(const std::string& folder) {
  const std::string mounts = read_file("/proc/self/mounts");
  std::size_t count = 0;
  for (auto at = mounts.find(folder); at != std::string::npos; at = mounts.find(folder, at + 1))
    ++count;
  return count;
}

/// Each record is whole and can be judged.
void check_records(const Cli& cli, std::set<std::string>& seen) {
  for (const std::string& record : cli.records()) {
    if (!seen.insert(record).second) continue;
    INFO(record);
    CHECK(record.ends_with(".json"));
    CHECK(json::parse(read_file(record))["schema"] == "diskaudit/record/1");
    const Finished judged = cli({"judge", record});
    INFO(judged.err);
    CHECK((judged.exit_code == 0 || judged.exit_code == 1 || judged.exit_code == 3));
  }
}

}  // namespace

TEST_CASE("kills at random moments leave nothing behind and every record whole") {
  const Cli cli;
  Script script;
  script.size = 256 << 20;
  script.filesystem = "ext4";
  script.write_bytes = script.read_bytes = 150e6;
  const ScriptedDisk disk(script);
  const std::string& directory = disk.directory();
  sync();
  const std::uint64_t before = free_bytes(directory);
  const std::set<std::string> files = names_in(directory);
  const std::size_t mounts = mounts_below(directory);
  std::set<std::string> seen;
  std::random_device seed;
  std::mt19937 random(seed());
  const int kills = kills_wanted();
  for (int i = 0; i < kills; ++i) {
    const int signal = std::array{SIGINT, SIGTERM, SIGKILL}[static_cast<std::size_t>(i % 3)];
    const int moment = std::uniform_int_distribution(0, longest_audit_ms)(random);
    INFO("kill " << i << " by signal " << signal << " after " << moment << " ms");
    Process audit(cli.command({"--profile", "tencent-standard", "--size", "100", "--disk",
                               directory, "--ramp", "0.2", "--runtime", "1", "--reserve", "1MiB",
                               "--test-size", "64MiB"}),
                  cli.with_state({}));
    std::this_thread::sleep_for(milliseconds(moment));
    audit.send(signal);
    const Finished finished = audit.wait(seconds(20));
    INFO(finished.err);
    CHECK_FALSE(finished.timed_out);
    // Before its handlers are in place a signal ends it as it ends any program.
    const bool ended_by_it = finished.signal == signal || finished.exit_code == 128 + signal;
    const bool was_over =
        finished.exit_code == 0 || finished.exit_code == 1 || finished.exit_code == 3;
    CHECK((ended_by_it || was_over));
    CHECK(settled_free_bytes(directory, before) == before);
    CHECK(names_in(directory) == files);
    CHECK(mounts_below(directory) == mounts);
    check_records(cli, seen);
  }
  const Finished whole =
      cli({"--profile", "tencent-standard", "--size", "100", "--disk", directory, "--ramp", "0.2",
           "--runtime", "1", "--reserve", "1MiB", "--test-size", "64MiB"});
  INFO(whole.err);
  CHECK(whole.exit_code != 4);
  check_records(cli, seen);
  CHECK(!seen.empty());
}
