#include <sys/timex.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <sstream>

#include "device/inspect.hpp"
#include "device/inspect_cgroup.hpp"

namespace diskaudit {

namespace {

/// The rest of the first line that begins with `key`, without separators and quotes.
std::string value_of(const std::string& text, const std::string& key, const char* around) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    line.erase(0, line.find_first_not_of(around, key.size()));
    line.erase(line.find_last_not_of(around) + 1);
    return line;
  }
  return {};
}

/// How many numbers the list "0-3,8" has.
unsigned count_of_list(const std::string& list) {
  unsigned count = 0;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    unsigned first = 0;
    unsigned last = 0;
    const char* end = range.data() + range.size();
    const auto parsed = std::from_chars(range.data(), end, first);
    if (parsed.ec != std::errc{}) continue;
    last = first;
    if (parsed.ptr != end) std::from_chars(parsed.ptr + 1, end, last);
    if (last >= first) count += last - first + 1;
  }
  return count;
}

unsigned usable_cpus(const SystemRoot& root) {
  // Cpus_allowed is the affinity already narrowed by the group's cpuset.
  const unsigned allowed =
      count_of_list(value_of(root.read("/proc/self/status"), "Cpus_allowed_list:", " \t"));
  const double quota = cpu_quota(root);
  if (quota <= 0) return allowed;
  return std::min(allowed, static_cast<unsigned>(std::ceil(quota)));
}

/// "Asia/Shanghai" of TZ, of what /etc/localtime leads to, or of Debian's /etc/timezone.
std::string zone_of(const SystemRoot& root) {
  const char* wanted = std::getenv("TZ");
  if (wanted != nullptr) return *wanted == ':' ? wanted + 1 : wanted;
  std::error_code error;
  const std::string link = std::filesystem::read_symlink(root.at("/etc/localtime"), error);
  constexpr std::string_view folder = "zoneinfo/";
  const std::size_t at = link.find(folder);
  return at == std::string::npos ? root.read("/etc/timezone") : link.substr(at + folder.size());
}

LocalClock local_clock(const SystemRoot& root) {
  LocalClock clock{.zone = zone_of(root)};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (::localtime_r(&now, &local) != nullptr) {
    clock.utc_offset_seconds = static_cast<double>(local.tm_gmtoff);
  }
  timex state{};
  clock.synchronised = ::adjtimex(&state) >= 0 && (state.status & STA_UNSYNC) == 0;
  return clock;
}

}  // namespace

Environment inspect_environment(const SystemRoot& root, const BlockDevice& device) {
  Environment environment;
  environment.kernel = root.read("/proc/sys/kernel/osrelease");
  std::string release = root.read("/etc/os-release");
  if (release.empty()) release = root.read("/usr/lib/os-release");
  environment.distribution = value_of(release, "PRETTY_NAME=", "\"'");
  environment.machine_vendor = root.read("/sys/class/dmi/id/sys_vendor");
  environment.machine_product = root.read("/sys/class/dmi/id/product_name");
  environment.machine_asset_tag = root.read("/sys/class/dmi/id/chassis_asset_tag");
  environment.cpu_model = value_of(root.read("/proc/cpuinfo"), "model name", " \t:");
  environment.cpus = usable_cpus(root);
  environment.clocksource =
      root.read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  environment.local_clock = local_clock(root);
  read_io_limits(root, device, environment);
  return environment;
}

}  // namespace diskaudit
