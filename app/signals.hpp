#pragma once
/// SIGINT, SIGTERM and SIGHUP end a run in order; a second one ends it at once.

#include <atomic>

namespace diskaudit {

/// The first signal received, 0 before.
extern std::atomic<int> received_signal;

/// Installs the handlers; SIGPIPE is ignored, so that a closed stdout is a write error.
void catch_signals();

}  // namespace diskaudit
