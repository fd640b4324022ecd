#pragma once
/// A block device of a test's own whose behaviour is scripted and whose every answer is logged.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.hpp"
#include "support/scripted_disk_log.hpp"
#include "support/scripted_disk_script.hpp"

namespace diskaudit {

/// Ends the test as skipped unless this machine can run a scripted disk.
void require_scripted_disk();

/// Ends the test as skipped unless this machine can throttle a device through a cgroup.
void require_throttling_cgroup();

/// What the disk served in a window.
struct Served {
  std::uint64_t ios = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
};

struct ServedWindow {
  Served reads{}, writes{};
};

/// `ScriptedDisk disk{{.filesystem = "ext4", .read_iops = 2600}};` Skips the test where it cannot
/// run. Removes everything from the system when it ends, also when the test is killed.
class ScriptedDisk {
 public:
  explicit ScriptedDisk(const Script& script);
  ~ScriptedDisk();

  const std::string& device() const { return device_; }        ///< /dev/loopN
  const std::string& directory() const { return directory_; }  ///< where its file system is mounted
  std::string device_name() const { return device_.substr(5); }  ///< loopN, as in /sys/block
  pid_t supervisor() const { return process_.pid(); }
  pid_t server() const { return server_; }

  /// Requests answered in [from, to), in nanoseconds of CLOCK_MONOTONIC.
  ServedWindow served(std::int64_t from, std::int64_t to) const;
  /// All answers since the script took effect, in the order of completion.
  std::vector<LogEntry> log() const;
  const DiskLog& raw_log() const { return *log_; }

  /// Gives one key of the script another value; it holds when this returns.
  void set(const std::string& key, const std::string& value);

  /// For ProcessOptions::before_exec: puts the program into the cgroup that throttles this disk.
  std::function<void()> join_cgroup() const;

  /// Takes the disk down now; false when that did not go smoothly.
  bool close();

 private:
  Process process_;
  std::string device_, directory_, cgroup_;
  pid_t server_ = -1;
  std::optional<DiskLog> log_;
};

}  // namespace diskaudit
