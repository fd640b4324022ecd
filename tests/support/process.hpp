#pragma once
/// Runs other programs in tests: once to the end, or started, signalled and waited for.

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace diskaudit {

struct ProcessOptions {
  std::vector<std::string> environment{};        ///< "NAME=VALUE", added to the test's own
  std::string input{};                           ///< what it reads on stdin, then EOF
  bool keep_input_open = false;                  ///< stdin stays open until close_input()
  std::string folder{};                          ///< where it runs; empty: the test's own
  std::chrono::milliseconds time_limit{60'000};  ///< for run(): then SIGKILL
  bool killed_with_parent = true;                ///< SIGKILL when the test itself dies
  std::function<void()> before_exec{};  ///< in the child: rlimits, cgroup, seccomp, user; only
                                        ///< async-signal-safe calls
};

struct Finished {
  int exit_code = -1;      ///< -1 when a signal ended it
  int signal = 0;          ///< the signal that ended it, else 0
  bool timed_out = false;  ///< still running at the time limit, and killed
  std::string out{};
  std::string err{};
};

/// A child process in a process group of its own; killed with its group when this goes out of
/// scope.
class Process {
 public:
  /// `arguments[0]` is the program, looked up in PATH when it has no slash. Throws when it cannot
  /// start.
  explicit Process(std::vector<std::string> arguments, ProcessOptions options = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  bool running();
  void send(int signal) const;              ///< to the process alone
  void send_group(int signal) const;        ///< to all of its group, as a terminal does
  void write_input(std::string_view text);  ///< after what has been given; stdin must be open
  void close_input();
  /// Waits until stdout or stderr hold `text`; false when it ended or the time is over first.
  bool wait_for_output(std::string_view text, std::chrono::milliseconds time_limit);
  const std::string& out() const { return finished_.out; }  ///< so far
  const std::string& err() const { return finished_.err; }
  /// Waits for the end; kills it when the time is over.
  Finished wait(std::chrono::milliseconds time_limit = std::chrono::minutes(1));

 private:
  using Clock = std::chrono::steady_clock;
  void start_child(const std::vector<std::string>& arguments, const ProcessOptions& options);
  bool pump(Clock::time_point deadline);
  void drain();
  void reap();

  pid_t pid_ = -1;
  int pidfd_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string input_;
  bool keep_input_open_ = false;
  bool reaped_ = false;
  Finished finished_;
};

/// Runs a program to its end.
Finished run(std::vector<std::string> arguments, ProcessOptions options = {});

}  // namespace diskaudit
