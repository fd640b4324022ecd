// Kills at random moments of a whole audit. DISKAUDIT_KILLS sets how many; a few without it.

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/loop_device.hpp"
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

/// The disk's content at one moment, as a power cut would leave it: the disk's server stands still
/// while its memory is copied.
void copy_content(const ScriptedDisk& disk, std::uint64_t size, const std::string& image) {
  REQUIRE(kill(disk.server(), SIGSTOP) == 0);
  const std::string process = "/proc/" + std::to_string(disk.server());
  std::istringstream maps(read_file(process + "/maps"));
  std::ifstream memory(process + "/mem", std::ios::binary);
  std::string content;
  for (std::string line; content.empty() && std::getline(maps, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2 || end - begin < size) continue;
    std::string magic(2, '\0');
    memory.seekg(static_cast<std::streamoff>(begin + 1024 + 56)).read(magic.data(), 2);
    if (magic != "\x53\xef") continue;  // ext4's
    content.resize(size);
    memory.seekg(static_cast<std::streamoff>(begin));
    memory.read(content.data(), static_cast<std::streamsize>(size));
  }
  REQUIRE(kill(disk.server(), SIGCONT) == 0);
  REQUIRE(memory);
  REQUIRE_FALSE(content.empty());
  write_file(image, content);
}

}  // namespace

TEST_CASE("a power cut leaves no file, all space free and every record whole") {
  Script script;
  script.size = 128 << 20;
  script.filesystem = "ext4";
  script.write_bytes = script.read_bytes = 60e6;
  const ScriptedDisk disk(script);
  sync();
  const std::uint64_t before = free_bytes(disk.directory());
  const std::set<std::string> files = names_in(disk.directory());
  const Cli cli;
  Process audit(
      cli.command({"--profile", "tencent-standard", "--size", "100", "--disk", disk.directory(),
                   "--ramp", "0.2", "--runtime", "1", "--reserve", "1MiB", "--test-size", "64MiB"}),
      {.environment = {"XDG_STATE_HOME=" + disk.directory() + "/state"}});
  const Cli judge;
  std::size_t records = 0;
  // While the file is filled, after the first scenario, and later.
  for (const char* moment : {"", "seq-write-256k", "seq-read-256k"}) {
    INFO("after " << moment);
    if (*moment == '\0') std::this_thread::sleep_for(milliseconds(700));
    if (*moment != '\0') REQUIRE(audit.wait_for_output(moment, seconds(20)));
    std::this_thread::sleep_for(milliseconds(300));
    const TempFolder folder;
    copy_content(disk, script.size, folder / "image");
    const LoopDevice copy(folder / "image", {.size = 0});
    const PrivateMount mount(copy.path(), folder / "copy", "ext4");
    const std::filesystem::path state = folder / "copy/state";
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(state, none)) {
      if (!entry.is_regular_file()) continue;
      ++records;
      INFO(entry.path());
      const int code = judge({"judge", entry.path().string()}).exit_code;
      CHECK((code == 0 || code == 1 || code == 3));
    }
    std::filesystem::remove_all(state);
    CHECK(names_in(folder / "copy") == files);
    CHECK(settled_free_bytes(folder / "copy", before) == before);
  }
  CHECK(records > 0);
  audit.send(SIGTERM);
  CHECK(audit.wait(seconds(20)).exit_code == 128 + SIGTERM);
}

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
