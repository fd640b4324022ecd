#include "runner/witness.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
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
    if (i == 4) sample.iowait_ticks = ticks;
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

std::uint64_t ios_of(const DiskStat& stat) { return stat.read_ios + stat.write_ios; }
std::uint64_t bytes_of(const DiskStat& stat) { return stat.read_bytes + stat.write_bytes; }

DiskStat read_own_stat(const SystemRoot& root, const std::string& name) {
  const std::string base = "/sys/block/" + name;
  if (name.empty() || root.read(base + "/queue/iostats") == "0") return {};
  return parse_disk_stat(root.read(base + "/stat"));
}

DiskStat sum_of(const DiskStat& a, const DiskStat& b) {
  return {.known = a.known || b.known,
          .read_ios = a.read_ios + b.read_ios,
          .read_bytes = a.read_bytes + b.read_bytes,
          .write_ios = a.write_ios + b.write_ios,
          .write_bytes = a.write_bytes + b.write_bytes,
          .merges = a.merges + b.merges,
          .inflight = a.inflight + b.inflight,
          .busy_ms = a.busy_ms + b.busy_ms,
          .request_ms = a.request_ms + b.request_ms};
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Witness witness_between(const Sample& before, const Sample& after, const BlockDevice& device) {
  const DiskStat& a = before.disk;
  const DiskStat& b = after.disk;
  if (!a.known || !b.known) return {};
  Witness witness{.known = true,
                  .read_ios = b.read_ios - a.read_ios,
                  .read_bytes = b.read_bytes - a.read_bytes,
                  .write_ios = b.write_ios - a.write_ios,
                  .write_bytes = b.write_bytes - a.write_bytes,
                  .merges = b.merges - a.merges};
  const std::uint64_t passed_ms = (after.at_ns - before.at_ns) / 1'000'000;
  witness.inflight_mean = share(b.request_ms - a.request_ms, passed_ms);
  witness.busy_share = std::min(1.0, share(b.busy_ms - a.busy_ms, passed_ms));
  for (std::size_t i = 0; i < std::min(before.lower.size(), after.lower.size()); ++i) {
    if (!before.lower[i].known || !after.lower[i].known) continue;
    witness.lower.push_back({.name = device.lower[i],
                             .ios = ios_of(after.lower[i]) - ios_of(before.lower[i]),
                             .bytes = bytes_of(after.lower[i]) - bytes_of(before.lower[i])});
  }
  return witness;
}

}  // namespace

DiskStat parse_disk_stat(const std::string& text) {
  std::istringstream fields(text);
  std::array<std::uint64_t, 11> field{};
  for (std::uint64_t& value : field) {
    if (!(fields >> value)) return {};
  }
  return {.known = true,
          .read_ios = field[0],
          .read_bytes = field[2] * sector,
          .write_ios = field[4],
          .write_bytes = field[6] * sector,
          .merges = field[1] + field[5],
          .inflight = field[8],
          .busy_ms = field[9],
          .request_ms = field[10]};
}

DiskStat read_disk_stat(const SystemRoot& root, const BlockDevice& device) {
  DiskStat own = read_own_stat(root, device.name);
  // Every head that counts has counted the search for partitions at its start.
  if (!device.name.starts_with("nvme") || !own.known || ios_of(own) != 0) return own;
  for (const std::string& path : device.lower) own = sum_of(own, read_own_stat(root, path));
  return own;
}

Look look_between(const Look& before, const Look& after, std::uint64_t at_ns) {
  const DiskStat &a = before.disk, &b = after.disk;
  if (!a.known || !b.known || at_ns >= after.at_ns || before.at_ns >= after.at_ns) return after;
  const double part = share(at_ns - std::min(at_ns, before.at_ns), after.at_ns - before.at_ns);
  const auto at = [part](std::uint64_t from, std::uint64_t to) {
    return from + static_cast<std::uint64_t>(part * static_cast<double>(to - from));
  };
  return {at_ns,
          {.known = true,
           .read_ios = at(a.read_ios, b.read_ios),
           .read_bytes = at(a.read_bytes, b.read_bytes),
           .write_ios = at(a.write_ios, b.write_ios),
           .write_bytes = at(a.write_bytes, b.write_bytes),
           .merges = at(a.merges, b.merges),
           .inflight = b.inflight,
           .busy_ms = at(a.busy_ms, b.busy_ms),
           .request_ms = at(a.request_ms, b.request_ms)}};
}

WitnessLog log_of(const std::vector<Look>& looks, std::uint64_t window_begin_ns) {
  WitnessLog log;
  for (const Look& look : looks) {
    if (!look.disk.known || !looks.front().disk.known) continue;
    const auto since_begin = static_cast<std::int64_t>(look.at_ns - window_begin_ns);
    // To the tenth of a second that a record keeps.
    log.at_seconds.push_back(std::round(static_cast<double>(since_begin) / 1e8) / 10);
    log.ios.push_back(ios_of(look.disk) - ios_of(looks.front().disk));
    log.bytes.push_back(bytes_of(look.disk) - bytes_of(looks.front().disk));
    log.inflight.push_back(look.disk.inflight);
  }
  return log;
}

Sample take_sample(const SystemRoot& root, const BlockDevice& device) {
  Sample sample;
  sample.at_ns = now_ns();
  sample.disk = read_disk_stat(root, device);
  for (const std::string& lower : device.lower) sample.lower.push_back(read_own_stat(root, lower));
  sample.cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  read_ticks(root.read("/proc/stat"), sample);
  sample.throttled = throttled_periods(root);
  sample.time = utc_now();
  return sample;
}

void enter_difference(const Sample& before, const Sample& after, const BlockDevice& device,
                      Measurement& measurement) {
  measurement.witness = witness_between(before, after, device);
  ClientCost& client = measurement.client;
  client.cpu_seconds = static_cast<double>(after.cpu_ns - before.cpu_ns) / 1e9;
  const std::uint64_t ticks = after.all_ticks - before.all_ticks;
  client.steal_share = share(after.steal_ticks - before.steal_ticks, ticks);
  // The kernel's iowait may go back when a CPU comes or goes.
  client.iowait_share =
      share(after.iowait_ticks - std::min(before.iowait_ticks, after.iowait_ticks), ticks);
  client.cpu_throttled = after.throttled > before.throttled;
  measurement.started = before.time;
  measurement.ended = after.time;
}

}  // namespace diskaudit
