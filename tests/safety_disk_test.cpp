// What the whole program does before, and instead of, touching somebody's data.

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <thread>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/loop_device.hpp"
#include "support/scripted_disk.hpp"
#include "support/words.hpp"

using namespace diskaudit;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// One quick scenario on a target.
Words measure_on(const std::string& target, const Words& more = {}) {
  return Words{"measure", "--disk", target,       "--runtime",   "1",
               "--ramp",  "0.5",    "--scenario", "rand-read-4k"} +
         more;
}

/// The same, held against a formula.
Words audit_on(const std::string& target, const Words& more = {}) {
  Words words = measure_on(target, Words{"--profile", "tencent-standard"} + more);
  words.front() = "audit";
  return words;
}

std::string hash_of(const std::string& path) {
  const Finished finished = run({"sha256sum", path});
  REQUIRE(finished.exit_code == 0);
  return finished.out.substr(0, 64);
}

std::string diskseq_of(const std::string& device) {
  std::string number = read_file("/sys/block/" + device.substr(5) + "/diskseq");
  while (!number.empty() && number.back() == '\n') number.pop_back();
  return "diskseq:" + number;
}

/// The refusal's one line; the disk is as it was.
std::string refused(const Cli& cli, const std::string& image, const Words& arguments) {
  const std::string before = hash_of(image);
  const Finished finished = cli(arguments);
  CHECK(finished.exit_code == 4);
  CHECK(finished.out.empty());
  CHECK(std::count(finished.err.begin(), finished.err.end(), '\n') == 1);
  CHECK(hash_of(image) == before);
  CHECK(cli.records().empty());
  return finished.err;
}

json only_record(const Cli& cli) {
  REQUIRE(cli.records().size() == 1);
  return json::parse(read_file(cli.records().front()));
}

/// "CapEff" and such of a process's status.
std::string status_of(pid_t pid, const std::string& key) {
  const std::string text = read_file("/proc/" + std::to_string(pid) + "/status");
  std::smatch match;
  if (!std::regex_search(text, match, std::regex(key + ":\\s*(\\S+)"))) return "";
  return match[1];
}

std::uint64_t capabilities_of(pid_t pid) {
  return std::stoull(status_of(pid, "CapPrm"), nullptr, 16);
}

constexpr uid_t ordinary_user = 65534;

/// The program in a folder that everybody can reach.
std::string open_to_all(const std::filesystem::path& folder) {
  using std::filesystem::perms;
  for (const auto& step : {folder, folder.parent_path()})
    std::filesystem::permissions(step, perms(0755));
  const std::filesystem::path program = folder / "diskaudit";
  std::filesystem::copy_file(DISKAUDIT_BINARY, program);
  std::filesystem::permissions(program, perms(0755));
  return program.string();
}

/// A part of /sys with some files of the test's own in front of the real ones.
class Overlaid {
 public:
  Overlaid(const std::string& place, const std::map<std::string, std::string>& files) {
    require_root();
    for (const auto& [path, text] : files) {
      const std::filesystem::path file = folder_.path() / path;
      std::filesystem::create_directories(file.parent_path());
      write_file(file, text);
    }
    mount_.emplace("overlay", place, "overlay",
                   "lowerdir=" + folder_.path().string() + ":" + place);
  }

 private:
  TempFolder folder_;
  std::optional<PrivateMount> mount_;
};

void become_ordinary() {
  if (setgid(ordinary_user) != 0 || setuid(ordinary_user) != 0) _exit(99);
}

}  // namespace

TEST_CASE("an empty disk is audited by writing, with consent to its identity") {
  const Cli cli;
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 64 << 20});
  const Finished finished = cli(measure_on(
      disk.path(), {"--destroy-data-on", diskseq_of(disk.path()), "--scenario", "rand-write-4k"}));
  INFO(finished.out << finished.err);
  CHECK(finished.exit_code == 0);
  const auto warned =
      finished.err.find("destroying what is on " + disk.path() + " (64 MiB, diskseq:");
  REQUIRE(warned != std::string::npos);
  CHECK(warned < finished.err.find("rand-read-4k"));
  const json record = only_record(cli);
  REQUIRE(record["scenarios"].size() == 2);
  for (const json& scenario : record["scenarios"]) CHECK(scenario["measured"]["errors"] == 0);
  REQUIRE(record["guard"].size() > 10);
  for (const json& check : record["guard"]) CHECK(check["passed"] == true);
  CHECK_THAT(record["notes"].dump(), ContainsSubstring("needs a new file system"));
  // All of it was written, and that with data that does not repeat.
  const std::string image = read_file(folder / "image");
  for (std::size_t at = 0; at < image.size(); at += 4096)
    REQUIRE(image.compare(at, 4096, std::string(4096, '\0')) != 0);

  const Finished second =
      Cli()(measure_on(disk.path(), {"--destroy-data-on", diskseq_of(disk.path()),
                                     "--overwrite-unrecognised-data"}));
  CHECK(second.exit_code == 0);
  const Cli again;
  CHECK_THAT(refused(again, folder / "image",
                     measure_on(disk.path(), {"--destroy-data-on", diskseq_of(disk.path())})),
             ContainsSubstring("--overwrite-unrecognised-data"));
}

TEST_CASE("without the right consent a disk is refused and stays as it is") {
  const Cli cli;
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 64 << 20});
  const LoopDevice other(folder / "other", {.size = 64 << 20});
  const std::string id = diskseq_of(disk.path());
  const auto refusal_with = [&](const Words& more) {
    return refused(cli, folder / "image", measure_on(disk.path(), more));
  };
  CHECK_THAT(refusal_with({}),
             ContainsSubstring("say --destroy-data-on " + id) && ContainsSubstring("--read-only"));
  CHECK_THAT(refusal_with({"--destroy-data-on", disk.path()}), ContainsSubstring("is a path"));
  CHECK_THAT(refusal_with({"--destroy-data-on", diskseq_of(other.path())}),
             ContainsSubstring("is not this disk"));
  CHECK_THAT(refused(cli, folder / "image",
                     audit_on(disk.path(), {"--destroy-data-on", id, "--size", "100"})),
             ContainsSubstring("it has 64 MiB, not 100 GiB"));
  REQUIRE(run({"mkfs.ext4", "-q", disk.path()}).exit_code == 0);
  CHECK_THAT(refusal_with({"--destroy-data-on", id, "--overwrite-unrecognised-data"}),
             ContainsSubstring("holds ext4") && ContainsSubstring("wipefs --all " + disk.path()));
}

TEST_CASE("a dry run on a disk shows each check, writes nothing and ends as the audit would") {
  const Cli cli;
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 64 << 20});
  const std::string before = hash_of(folder / "image");
  const Finished allowed =
      cli(measure_on(disk.path(), {"--dry-run", "--destroy-data-on", diskseq_of(disk.path())}));
  INFO(allowed.out << allowed.err);
  CHECK(allowed.exit_code == 0);
  CHECK_THAT(allowed.out, ContainsSubstring("guard") && ContainsSubstring("ok   consent") &&
                              !ContainsSubstring("STOP"));
  const Finished stopped = cli(measure_on(disk.path(), {"--dry-run"}));
  CHECK(stopped.exit_code == 4);
  CHECK_THAT(stopped.out, ContainsSubstring("STOP consent"));
  CHECK_THAT(stopped.err, ContainsSubstring("--destroy-data-on diskseq:"));
  CHECK(hash_of(folder / "image") == before);
}

TEST_CASE("a link that is pointed to another disk after the first look is refused") {
  const Cli cli;
  const ScriptedDisk disk({.size = 64 << 20});
  const TempFolder folder;
  const LoopDevice other(folder / "image", {.size = 64 << 20});
  const std::string before = hash_of(folder / "image");
  const std::string link = folder / "link";
  std::filesystem::create_symlink(disk.device(), link);
  // The program has looked where the link leads and waits for the disk.
  REQUIRE(kill(disk.server(), SIGSTOP) == 0);
  Process audit(cli.command(measure_on(link, {"--destroy-data-on", diskseq_of(disk.device())})),
                cli.with_state({}));
  std::this_thread::sleep_for(seconds(1));
  std::filesystem::remove(link);
  std::filesystem::create_symlink(other.path(), link);
  REQUIRE(kill(disk.server(), SIGCONT) == 0);
  const Finished finished = audit.wait(seconds(20));
  CHECK(finished.exit_code == 4);
  CHECK_THAT(finished.err, ContainsSubstring(link + " leads to another place than before"));
  CHECK(hash_of(folder / "image") == before);
  CHECK(disk.served(0, INT64_MAX).writes.ios == 0);
}

TEST_CASE("a disk of the host itself is not held against a cloud disk's formula") {
  const Cli cli;
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 64 << 20});
  // The kernel's folder of the device, with a model that it does not have.
  const std::string place = "/sys/devices/virtual/block/" + disk.name();
  if (!std::filesystem::exists(place)) skip("loop devices are described elsewhere here");
  const std::filesystem::path made = folder / "device";
  std::filesystem::create_directories(made / "device");
  for (const char* name : {"dev", "size", "diskseq", "ro"})
    write_file(made / name, read_file(place + "/" + name));
  write_file(made / "device/model", "Amazon EC2 NVMe Instance Storage\n");
  const PrivateMount mount(made.string(), place, "", "", MS_BIND);
  CHECK_THAT(refused(cli, folder / "image", audit_on(disk.path(), {"--read-only"})),
             ContainsSubstring("is a disk in the host, not a cloud disk") &&
                 ContainsSubstring("diskaudit measure"));
}

TEST_CASE("a disk of the size that was bought is held against its formula") {
  const Cli cli;
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 10ULL << 30});
  const Finished finished =
      cli(audit_on(disk.path(), {"--size", "10", "--test-size", "64MiB", "--destroy-data-on",
                                 diskseq_of(disk.path())}));
  INFO(finished.out << finished.err);
  CHECK((finished.exit_code == 0 || finished.exit_code == 1 || finished.exit_code == 3));
  const json record = only_record(cli);
  CHECK(record["scenarios"][0]["percent"].get<double>() > 0);
  CHECK(record["disk"]["span_bytes"] == 64 << 20);
}

TEST_CASE("reads of a device that was never written give no verdict") {
  const Cli cli;
  const ScriptedDisk disk({.size = 64 << 20});
  const Finished finished = cli(audit_on(disk.device(), {"--read-only", "--size", "100"}));
  INFO(finished.out << finished.err);
  CHECK(finished.exit_code == 3);
  const json record = only_record(cli);
  CHECK(record["cause"] == "cache_served");
  CHECK(record["disk"]["device"]["zero_share"] == 1);
  CHECK(record["guard"].is_null());
  CHECK_THAT(record["scenarios"][0]["reasons"].dump(), ContainsSubstring("zero_blocks"));
}

TEST_CASE("a run as root keeps no capability that it does not need") {
  const Cli cli;
  const ScriptedDisk disk({.size = 256 << 20, .filesystem = "ext4"});
  constexpr std::uint64_t sys_admin = 1 << 21;
  constexpr std::uint64_t dac_override = 1 << 1;
  constexpr std::uint64_t sys_rawio = 1 << 17;
  Process audit(cli.command({"measure", "--disk", disk.directory(), "--runtime", "20", "--scenario",
                             "rand-read-4k", "--reserve", "1MiB", "--test-size", "64MiB"}),
                cli.with_state({}));
  REQUIRE(audit.wait_for_output("written before measuring", seconds(20)));
  CHECK(status_of(audit.pid(), "NoNewPrivs") == "1");
  const std::uint64_t left = capabilities_of(audit.pid());
  if (read_file("/proc/sys/kernel/io_uring_disabled").substr(0, 1) != "1")
    CHECK((left & sys_admin) == 0);
  CHECK((left & sys_rawio) == 0);
  // The state folder is below /tmp, where only an owner may replace a file, so this one is kept.
  CHECK((left & ~(dac_override | 1 << 3 | 1 << 14 | sys_admin)) == 0);
  audit.send(SIGTERM);
  CHECK(audit.wait(seconds(20)).exit_code == 128 + SIGTERM);
  CHECK(cli.records().size() == 1);
}

TEST_CASE(
    "an ordinary user audits a directory, with little lockable memory, and keeps the record") {
  const Cli cli;
  const ScriptedDisk disk({.size = 256 << 20, .filesystem = "ext4"});
  const std::string program = open_to_all(disk.directory());
  const std::string profile = disk.directory() + "/disk.yaml";
  std::filesystem::copy_file(SOURCE_FOLDER "/profiles/tencent/standard.yaml", profile);
  const std::string home = disk.directory() + "/home";
  REQUIRE(std::filesystem::create_directory(home));
  REQUIRE(chown(home.c_str(), ordinary_user, ordinary_user) == 0);
  const Finished finished =
      run({program, "--profile", profile, "--size", "100", "--disk", home, "--runtime", "1",
           "--ramp", "0.5", "--scenario", "rand-read-4k", "--reserve", "1MiB", "--test-size",
           "64MiB", "-o", home + "/report.json"},
          {.environment = {"HOME=" + home, "XDG_STATE_HOME="}, .before_exec = [] {
             const rlimit limit{64 << 10, 64 << 10};
             setrlimit(RLIMIT_MEMLOCK, &limit);
             become_ordinary();
           }});
  INFO(finished.out << finished.err);
  CHECK((finished.exit_code == 0 || finished.exit_code == 3));
  const json record = json::parse(read_file(home + "/report.json"));
  CHECK(record["scenarios"][0]["measured"]["errors"] == 0);
  CHECK(record["scenarios"][0]["measured"]["iops"].get<double>() > 0);
  struct stat facts {};
  REQUIRE(stat((home + "/report.json").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK(facts.st_uid == ordinary_user);
  const std::string state = home + "/.local/state/diskaudit";
  CHECK(std::distance(std::filesystem::directory_iterator(state), {}) == 1);
}

TEST_CASE("an ordinary user is told what a block device needs") {
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 64 << 20});
  std::filesystem::create_directory(folder / "bin");
  const std::string program = open_to_all(folder / "bin");
  Words words = measure_on(disk.path(), {"--read-only", "--no-save"});
  words.insert(words.begin(), program);
  const Finished finished = run(words, {.before_exec = become_ordinary});
  INFO(finished.err);
  CHECK(finished.exit_code == 4);
  CHECK_THAT(finished.err, ContainsSubstring("run as root or join group disk"));
}

TEST_CASE("a profile of another cloud than the machine's is warned about") {
  const Cli cli;
  const Overlaid machine("/sys/class", {{"dmi/id/sys_vendor", "Amazon EC2\n"}});
  const Finished finished = cli(Words{"--profile", "tencent-standard", "--size", "100", "--dry-run",
                                      "--disk", SOURCE_FOLDER});
  INFO(finished.out << finished.err);
  CHECK_THAT(finished.err + finished.out, ContainsSubstring("in the cloud aws"));
}

TEST_CASE("a disk of the host itself is not held against a cloud's formula") {
  const Cli cli;
  const TempFolder folder;
  const LoopDevice disk(folder / "image", {.size = 64 << 20});
  const Overlaid nvme("/sys/devices/virtual/block/" + disk.name(),
                      {{"device/model", "Amazon EC2 NVMe Instance Storage\n"}});
  const Finished refused = cli(audit_on(disk.path(), {"--size", "100", "--read-only"}));
  CHECK(refused.exit_code == 4);
  CHECK_THAT(refused.err,
             ContainsSubstring("Amazon EC2 NVMe Instance Storage is a disk in the host"));
  CHECK(cli(measure_on(disk.path(), {"--read-only", "--no-save"})).exit_code == 0);
}
