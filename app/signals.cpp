#include "signals.hpp"

#include <unistd.h>

#include <csignal>

namespace diskaudit {

std::atomic<int> received_signal{0};

namespace {

extern "C" void on_signal(int number) {
  int none = 0;
  if (!received_signal.compare_exchange_strong(none, number)) _exit(128 + number);
}

}  // namespace

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  // A pipe that nobody reads and a file beyond the shell's limit are errors of the write.
  action.sa_handler = SIG_IGN;
  for (const int number : {SIGPIPE, SIGXFSZ}) sigaction(number, &action, nullptr);
}

}  // namespace diskaudit
