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

void ignore_signals_of_writes() {
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_IGN);
}

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) sigaction(number, &action, nullptr);
  // Started by nohup it stays ignored.
  struct sigaction inherited = {};
  if (sigaction(SIGHUP, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

}  // namespace diskaudit
