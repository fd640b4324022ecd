#pragma once
/// SIGINT, SIGTERM and SIGHUP end a run in order; a second one ends it at once.

#include <atomic>

namespace diskaudit {

/// The first signal received, 0 before.
extern std::atomic<int> received_signal;

/// Makes errors of the write of a pipe that nobody reads and a file over the shell's limit.
void ignore_signals_of_writes();

/// For what has something to clean up or keep; anything else a signal ends as ever.
void catch_signals();

}  // namespace diskaudit
