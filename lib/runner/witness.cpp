#include "runner/witness.hpp"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <sstream>

#include "runner/clock.hpp"

namespace diskaudit {

namespace {

constexpr std::uint64_t sector = 512;  // of this file, whatever the disk's blocks are

std::string utc_now() {
  const std::uint64_t now = read_clock(CLOCK_REALTIME);
  const auto seconds = static_cast<time_t>(now / second_ns);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     now % second_ns / 1'000'000);
}

/// The line "cpu  user nice system idle iowait irq softirq steal guest guest_nice" of /proc/stat;
/// guest time is part of user time.
void read_ticks(const std::string& text, Sample& sample) {
  std::istringstream line(text.substr(0, text.find('\n')));
  std::string word;
  line >> word;
  std::uint64_t ticks = 0;
  for (int i = 0; i < 8 && line >> ticks; ++i) {
    sample.all_ticks += ticks;
    if (i == 7) sample.steal_ticks = ticks;
  }
}

std::uint64_t value_in(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  std::string word;
  std::uint64_t value = 0;
  while (lines >> word >> value) {
    if (word == key) return value;
  }
  return 0;
}

/// Throttled periods of this process's CPU groups, up the tree.
std::uint64_t throttled_periods(const SystemRoot& root) {
  std::istringstream groups(root.read("/proc/self/cgroup"));
  std::uint64_t sum = 0;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    const std::string base = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controllers;
    std::string path = line.substr(second + 1);
    while (true) {
      sum += value_in(root.read(base + path + "/cpu.stat"), "nr_throttled");
      if (path.empty() || path == "/") break;
      path = path.substr(0, path.rfind('/'));
    }
  }
  return sum;
}

}  // namespace

Witness parse_disk_stat(const std::string& text) {
  std::istringstream fields(text);
  std::array<std::uint64_t, 7> field{};
  for (std::uint64_t& value : field) {
    if (!(fields >> value)) return {};
  }
  return {.known = true,
          .read_ios = field[0],
          .read_bytes = field[2] * sector,
          .write_ios = field[4],
          .write_bytes = field[6] * sector,
          .merges = field[1] + field[5]};
}

Sample take_sample(const SystemRoot& root, const std::string& device) {
  Sample sample;
  if (!device.empty()) sample.disk = parse_disk_stat(root.read("/sys/block/" + device + "/stat"));
  sample.cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  read_ticks(root.read("/proc/stat"), sample);
  sample.throttled = throttled_periods(root);
  sample.time = utc_now();
  return sample;
}

void enter_difference(const Sample& before, const Sample& after, Measurement& measurement) {
  const Witness& a = before.disk;
  const Witness& b = after.disk;
  measurement.witness = {.known = a.known && b.known,
                         .read_ios = b.read_ios - a.read_ios,
                         .read_bytes = b.read_bytes - a.read_bytes,
                         .write_ios = b.write_ios - a.write_ios,
                         .write_bytes = b.write_bytes - a.write_bytes,
                         .merges = b.merges - a.merges};
  if (!measurement.witness.known) measurement.witness = {};
  ClientCost& client = measurement.client;
  client.cpu_seconds = static_cast<double>(after.cpu_ns - before.cpu_ns) / 1e9;
  const std::uint64_t ticks = after.all_ticks - before.all_ticks;
  client.steal_share = ticks == 0 ? 0
                                  : static_cast<double>(after.steal_ticks - before.steal_ticks) /
                                        static_cast<double>(ticks);
  client.cpu_throttled = after.throttled > before.throttled;
  measurement.started = before.time;
  measurement.ended = after.time;
}

}  // namespace diskaudit
