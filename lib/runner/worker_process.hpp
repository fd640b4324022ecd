#pragma once
/// The process in which the workers run, so that requests which never return hold it and not the
/// program: the kernel keeps a process until its requests are back.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "device/inspect_descriptor.hpp"
#include "error.hpp"

namespace diskaudit {

class WorkerProcess {
 public:
  /// Runs `work` in a child that keeps no descriptor open but `fd`, leaves SIGINT, SIGTERM and
  /// SIGHUP to its parent, and dies with it.
  static Result<WorkerProcess> start(const std::function<void()>& work, int fd);

  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess();

  /// Sleeps until `deadline` (CLOCK_MONOTONIC), a signal or the end of the process; true: ended.
  bool wait_until(std::uint64_t deadline);
  /// CPU time so far of all its threads, those of the kernel's that work for it included.
  std::uint64_t cpu_ns();
  /// Makes one of its threads return from the system call in which it waits.
  void nudge(pid_t thread) const;
  /// Kills it and waits a second at most: it may be held by the kernel.
  void kill();
  /// How it ended, as wait4() says it, once it has.
  std::optional<int> status();

 private:
  WorkerProcess(pid_t pid, Descriptor alive) : pid_(pid), alive_(std::move(alive)) {}

  pid_t pid_ = -1;
  Descriptor alive_;  ///< hangs up when the process ends
  std::optional<int> status_{};
  std::uint64_t final_cpu_ns_ = 0;
};

}  // namespace diskaudit
