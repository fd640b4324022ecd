#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/catch.hpp"
#include "support/scripted_disk.hpp"
#include "support/scripted_disk_cgroup.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
using namespace std::chrono_literals;

namespace {

/// fio on the disk, as the independent client; what it reports about its one job.
nlohmann::json fio(const std::string& target, const std::vector<std::string>& more) {
  std::vector<std::string> command{"fio",
                                   "--name=job",
                                   "--filename=" + target,
                                   "--direct=1",
                                   "--ioengine=libaio",
                                   "--output-format=json",
                                   "--verify_state_save=0"};
  command.insert(command.end(), more.begin(), more.end());
  const auto done = run(command);
  INFO(done.err);
  REQUIRE(done.exit_code == 0);
  return nlohmann::json::parse(done.out.substr(done.out.find('{'))).at("jobs").at(0);
}

void require_fio() {
  if (run({"sh", "-c", "command -v fio"}).exit_code != 0) skip("needs fio");
}

/// All answers of one direction and length, from the first arrival to the last answer.
struct Stream {
  double seconds = 0, ios = 0, bytes = 0;
};

Stream stream_of(const ScriptedDisk& disk, DiskDirection direction, std::uint32_t length) {
  Stream stream;
  std::int64_t first = INT64_MAX, last = 0;
  for (const auto& entry : disk.log()) {
    if (entry.direction != direction || entry.length != length) continue;
    first = std::min(first, entry.arrival);
    last = std::max(last, entry.completion);
    ++stream.ios;
    stream.bytes += entry.length;
  }
  stream.seconds = static_cast<double>(last - first) * 1e-9;
  return stream;
}

/// The rate and one bucket bound it whatever the machine does; a busy machine may lose a little.
void check_rate(double amount, double seconds, double rate) {
  CHECK(amount <= rate * (seconds + 0.1) + 1);
  CHECK(amount >= rate * seconds * 0.95);
}

/// What a disk must not leave in the system, noted while it lives.
struct Traces {
  std::string folder;
  std::vector<pid_t> processes;
  std::string device;
};

std::string backing_file(const std::string& device) {
  const std::string path = "/sys/block/" + device.substr(5) + "/loop/backing_file";
  return std::filesystem::exists(path) ? read_file(path) : "";
}

/// A zombie is none of ours: in a container nobody may collect it.
bool is_alive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z";
}

/// What is still there of a disk, once it is `expected` or after the time that it has to go.
std::string remains(const Traces& traces, std::string_view expected = "") {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  const auto name = traces.folder.substr(traces.folder.rfind('/') + 1);
  while (true) {
    std::string found;
    if (std::filesystem::exists(traces.folder)) found += "folder ";
    if (read_file("/proc/self/mountinfo").find(name) != std::string::npos) found += "mount ";
    if (backing_file(traces.device).find(name) != std::string::npos) found += "loop ";
    for (pid_t process : traces.processes) {
      if (is_alive(process)) found += "process ";
    }
    if (found == expected || std::chrono::steady_clock::now() > deadline) return found;
    std::this_thread::sleep_for(20ms);
  }
}

/// The folder's name is the backing file's, also when no directory is wanted.
Traces traces_of(const ScriptedDisk& disk) {
  const auto file = backing_file(disk.device());
  return {std::filesystem::temp_directory_path().string() + file.substr(0, file.find('\n')),
          {disk.supervisor(), disk.server()},
          disk.device()};
}

}  // namespace

TEST_CASE("fio, the log and the script agree on the rate of random reads", "[serial]") {
  require_fio();
  ScriptedDisk disk{{.read_iops = 2600}};
  const auto job = fio(disk.device(), {"--rw=randread", "--bs=4k", "--iodepth=64", "--time_based",
                                       "--runtime=3", "--size=512m"});
  const auto reads = stream_of(disk, DiskDirection::Read, 4096);
  check_rate(reads.ios, reads.seconds, 2600);
  CHECK(job["read"]["total_ios"] == reads.ios);
}

TEST_CASE("fio, the log and the script agree on the rate of sequential writes to a file",
          "[serial]") {
  require_fio();
  ScriptedDisk disk{{.filesystem = "ext4", .write_bytes = 115e6}};
  const auto job = fio(disk.directory() + "/file",
                       {"--rw=write", "--bs=256k", "--iodepth=32", "--iodepth_batch_submit=1",
                        "--time_based", "--runtime=3", "--size=256m"});
  const auto writes = stream_of(disk, DiskDirection::Write, 256 * 1024);
  check_rate(writes.bytes, writes.seconds, 115e6);
  CHECK(job["write"]["io_bytes"] == writes.bytes);
}

TEST_CASE("both directions have limits of their own at the same time", "[serial]") {
  require_fio();
  ScriptedDisk disk{{.read_iops = 1000, .write_iops = 3000}};
  std::thread reader([&] {
    run({"fio", "--name=r", "--filename=" + disk.device(), "--direct=1", "--ioengine=libaio",
         "--rw=randread", "--iodepth=32", "--time_based", "--runtime=3", "--size=512m"});
  });
  run({"fio", "--name=w", "--filename=" + disk.device(), "--direct=1", "--ioengine=libaio",
       "--rw=randwrite", "--iodepth=32", "--time_based", "--runtime=3", "--size=512m"});
  reader.join();
  const auto reads = stream_of(disk, DiskDirection::Read, 4096);
  const auto writes = stream_of(disk, DiskDirection::Write, 4096);
  check_rate(reads.ios, reads.seconds, 1000);
  check_rate(writes.ios, writes.seconds, 3000);
}

TEST_CASE("a high rate is never exceeded, and fio counts what the log counts", "[serial]") {
  require_fio();
  ScriptedDisk disk{{.read_iops = 50'000}};
  const auto job = fio(disk.device(), {"--rw=randread", "--bs=4k", "--iodepth=64", "--time_based",
                                       "--runtime=3", "--size=512m"});
  // A machine that cannot carry the rate serves less.
  const auto reads = stream_of(disk, DiskDirection::Read, 4096);
  CHECK(reads.ios <= 50'000 * (reads.seconds + 0.1) + 1);
  CHECK(job["read"]["total_ios"] == reads.ios);
}

TEST_CASE("a fixed latency behind parallel servers bounds the rate by the depth", "[serial]") {
  require_fio();
  ScriptedDisk disk{{.read_latency = 0.005, .servers = 64}};
  const auto job = fio(disk.device(), {"--rw=randread", "--bs=4k", "--iodepth=8", "--time_based",
                                       "--runtime=2", "--size=512m"});
  const auto log = disk.log();
  const auto is_read = [](const LogEntry& entry) { return entry.length == 4096; };
  const auto fastest = std::min_element(log.begin(), log.end(), [&](const auto& a, const auto& b) {
    return is_read(a) > is_read(b) ||
           (is_read(a) == is_read(b) && a.completion - a.arrival < b.completion - b.arrival);
  });
  CHECK(fastest->completion - fastest->arrival >= 5'000'000);
  CHECK(job["read"]["total_ios"] <= 8 * 400 + 8);
  CHECK(job["read"]["total_ios"] > 8 * 400 / 2);
}

TEST_CASE("limits change while the disk runs", "[serial]") {
  require_fio();
  ScriptedDisk disk{{.read_iops = 500}};
  Process client({"fio", "--name=r", "--filename=" + disk.device(), "--direct=1",
                  "--ioengine=libaio", "--rw=randread", "--iodepth=32", "--time_based",
                  "--runtime=60", "--size=512m"});
  std::this_thread::sleep_for(1500ms);
  const auto before = disk.raw_log().entries().back().completion;
  disk.set("read_iops", "2000");
  std::this_thread::sleep_for(1500ms);
  client.send(SIGINT);
  client.wait(20s);
  const auto after = disk.log().back().completion;
  const auto ios = [&](std::int64_t end) {
    return static_cast<double>(disk.served(end - 1'000'000'000, end).reads.ios);
  };
  check_rate(ios(before), 1, 500);
  check_rate(ios(after - 200'000'000), 1, 2000);
  CHECK_THROWS(disk.set("read_ips", "1"));
}

TEST_CASE("a bad range fails in the client and in the log, and nothing else does") {
  ScriptedDisk disk{{.bad_ranges = {{"read", 1 << 20, 4096}}}};
  const int fd = open(disk.device().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  REQUIRE(fd >= 0);
  alignas(4096) static char block[4096];
  CHECK(pread(fd, block, sizeof block, 0) == 4096);
  CHECK(pread(fd, block, sizeof block, 1 << 20) == -1);
  CHECK(errno == EIO);
  CHECK(pread(fd, block, sizeof block, (1 << 20) + 4096) == 4096);
  close(fd);
  const auto log = disk.log();
  const auto failed = std::count_if(log.begin(), log.end(), [](const LogEntry& entry) {
    return entry.error == EIO && entry.offset == 1 << 20;
  });
  CHECK(failed > 0);
  CHECK(failed == std::count_if(log.begin(), log.end(),
                                [](const LogEntry& entry) { return entry.error != 0; }));
}

TEST_CASE("a request that is never answered blocks its client until the disk is taken down") {
  ScriptedDisk disk{{.hang = 1}};
  const auto traces = traces_of(disk);
  Process client(
      {"dd", "if=" + disk.device(), "of=/dev/null", "bs=4096", "count=1", "iflag=direct"});
  CHECK_FALSE(client.wait_for_output("copied", 1s));
  CHECK(client.running());
  CHECK(disk.close());
  CHECK(client.wait(20s).exit_code == 1);
  CHECK(remains(traces) == "");
}

TEST_CASE("a cgroup throttles the programs that join it, and nobody else", "[serial]") {
  require_fio();
  require_throttling_cgroup();
  ScriptedDisk disk{{.cgroup_read_iops = 500}};
  const auto traces = traces_of(disk);
  const std::vector<std::string> command{
      "fio",           "--name=r",         "--direct=1",  "--filename=" + disk.device(),
      "--rw=randread", "--time_based",     "--runtime=2", "--size=512m",
      "--iodepth=32",  "--ioengine=libaio"};
  run(command, {.before_exec = disk.join_cgroup()});
  const auto throttled = disk.log().size();
  CHECK(throttled == Approx(1000).epsilon(0.2));
  run(command);
  CHECK(disk.log().size() > 3 * throttled);
  CHECK(disk.close());
  CHECK(remains(traces) == "");
  CHECK_FALSE(std::filesystem::exists(
      throttling_cgroup(std::filesystem::path(traces.folder).filename().string())));
}

TEST_CASE("requests of 256 KiB reach the disk whole") {
  require_fio();
  ScriptedDisk disk{{}};
  for (const char* direction : {"--rw=randwrite", "--rw=randread"}) {
    fio(disk.device(), {direction, "--bs=256k", "--iodepth=16", "--size=64m"});
  }
  const auto log = disk.log();
  const auto whole = std::count_if(log.begin(), log.end(),
                                   [](const LogEntry& entry) { return entry.length == 262144; });
  CHECK(whole == 2 * 256);
}

TEST_CASE("what was written is read back") {
  require_fio();
  ScriptedDisk disk{{.size = 512ull << 20, .filesystem = GENERATE("ext4", "xfs", "btrfs")}};
  const auto job = fio(disk.directory() + "/file", {"--rw=randwrite", "--bs=16k", "--iodepth=32",
                                                    "--verify=crc32c", "--size=64m"});
  CHECK(job["error"] == 0);
  CHECK(disk.close());
}

TEST_CASE("the block size of the device is the script's") {
  ScriptedDisk disk{{.block_size = 4096}};
  CHECK(read_file("/sys/block/" + disk.device_name() + "/queue/logical_block_size") == "4096\n");
}

TEST_CASE("two disks at once do not meet") {
  ScriptedDisk first{{.filesystem = "ext4"}}, second{{.filesystem = "ext4"}};
  CHECK(first.device() != second.device());
  CHECK(first.directory() != second.directory());
  CHECK(first.close());
  write_file(second.directory() + "/file", "content");
  CHECK(second.close());
}

TEST_CASE("nothing remains of a disk that ends in order") {
  ScriptedDisk disk{{.filesystem = GENERATE("ext4", "")}};
  const auto traces = traces_of(disk);
  CHECK(disk.close());
  CHECK(remains(traces) == "");
}

TEST_CASE("nothing remains of a disk when one of its halves is killed") {
  ScriptedDisk disk{{.filesystem = "ext4", .read_iops = 100}};
  const auto traces = traces_of(disk);
  const bool is_supervisor = GENERATE(true, false);
  kill(is_supervisor ? disk.supervisor() : disk.server(), SIGKILL);
  disk.close();
  CHECK(remains(traces) == "");
}

TEST_CASE("nothing remains of a disk whose file is open when it ends") {
  ScriptedDisk disk{{.filesystem = "ext4", .write_iops = 10}};
  const auto traces = traces_of(disk);
  const int fd = open((disk.directory() + "/file").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  REQUIRE(fd >= 0);
  REQUIRE(write(fd, "text", 4) == 4);
  const int killed = GENERATE(0, 1, 2);
  if (killed == 1) kill(disk.supervisor(), SIGKILL);
  if (killed == 2) kill(disk.server(), SIGKILL);
  disk.close();
  // The loop device has to wait for the file, and only for that.
  CHECK(remains(traces, "loop ") == "loop ");
  close(fd);
  CHECK(remains(traces) == "");
}

TEST_CASE("nothing remains of a disk whose test is killed") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t test = fork();
  if (test == 0) {
    ScriptedDisk disk{{.filesystem = "ext4"}};
    const auto traces = traces_of(disk);
    const auto text = traces.folder + " " + traces.device + " " +
                      std::to_string(disk.supervisor()) + " " + std::to_string(disk.server());
    [[maybe_unused]] const auto written = write(ends[1], text.data(), text.size());
    raise(SIGKILL);
  }
  close(ends[1]);
  char text[512] = {};
  REQUIRE(read(ends[0], text, sizeof text - 1) > 0);
  close(ends[0]);
  waitpid(test, nullptr, 0);
  char folder[256], device[64];
  pid_t supervisor = 0, server = 0;
  REQUIRE(sscanf(text, "%255s %63s %d %d", folder, device, &supervisor, &server) == 4);
  CHECK(remains({folder, {supervisor, server}, device}) == "");
}

TEST_CASE("the next disk removes what remains of one whose halves were killed at the same time") {
  ScriptedDisk disk{{.filesystem = "ext4"}};
  const auto traces = traces_of(disk);
  // Stopped first, so that neither sees the other go.
  for (int signal : {SIGSTOP, SIGKILL}) {
    kill(disk.server(), signal);
    kill(disk.supervisor(), signal);
  }
  disk.close();
  CHECK(remains(traces, "folder mount loop ") == "folder mount loop ");
  // What is younger than that may be about to start.
  const timespec old[] = {{std::time(nullptr) - 60, 0}, {std::time(nullptr) - 60, 0}};
  REQUIRE(utimensat(AT_FDCWD, traces.folder.c_str(), old, 0) == 0);
  ScriptedDisk next{{}};
  CHECK(remains(traces) == "");
}

TEST_CASE("a signal ends a disk in order") {
  ScriptedDisk disk{{.filesystem = "ext4"}};
  const auto traces = traces_of(disk);
  kill(disk.supervisor(), GENERATE(SIGTERM, SIGINT));
  CHECK(disk.close());
  CHECK(remains(traces) == "");
}

TEST_CASE("a script that makes no sense is refused before anything is set up") {
  require_scripted_disk();
  const auto done = run({SCRIPTED_DISK_BINARY, "--read-iops", "many"});
  CHECK(done.exit_code == 2);
  CHECK(done.err ==
        "scripted_disk: read_iops: cannot read 'many'; it is no number with a known unit\n");
  const auto other = run({SCRIPTED_DISK_BINARY, "filesystem=fat"});
  CHECK(other.exit_code == 2);
  CHECK(other.out.empty());
}
