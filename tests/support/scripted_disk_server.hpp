#pragma once
/// The half of the scripted disk that answers: a FUSE file whose answers come when the script says.

#include <memory>
#include <string>

#include "error.hpp"
#include "support/scripted_disk_log.hpp"
#include "support/scripted_disk_scheduler.hpp"
#include "support/scripted_disk_script.hpp"

namespace diskaudit {

class DiskServer {
 public:
  /// `control` is the packet socket to the supervisor: it gets our process number, gives "start",
  /// "stop" and "key=value"; when it closes, `on_orphaned` is called once and serving goes on.
  DiskServer(const Script& script, DiskLog& log, int control, void (*on_orphaned)(void*),
             void* context);
  ~DiskServer();

  /// Mounts a file system with one file of the script's size.
  Result<void> mount(const std::string& folder, const std::string& file);
  /// Serves until the kernel has let go of the file.
  void run();
  /// The channel to the kernel; a forked process closes it, or it would keep a dead server's disk
  /// alive.
  int fd() const;
  /// Ends run() at `deadline` (CLOCK_MONOTONIC), whatever still waits.
  void end_by(Nanoseconds deadline);

  struct State;  ///< the .cpp's own

 private:
  std::unique_ptr<State> state_;
};

Nanoseconds monotonic_now();

}  // namespace diskaudit
