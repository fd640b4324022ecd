#pragma once
/// SIGINT, SIGTERM and SIGHUP end a run in order; a second one ends it at once.

#include <atomic>

namespace diskaudit {

/// The first signal received, 0 before.
extern std::atomic<int> received_signal;

/// Installs the handlers; SIGPIPE and SIGXFSZ are ignored: what cannot be written is an error.
void catch_signals();

}  // namespace diskaudit
