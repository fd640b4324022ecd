#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace diskaudit {
namespace {

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return {ends[0], ends[1]};
}

void close_fd(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

/// Appends what can be read without waiting; closes `fd` at its end.
void read_available(int& fd, std::string& text) {
  char buffer[65536];
  while (fd >= 0) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n > 0) {
      text.append(buffer, static_cast<size_t>(n));
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
      close_fd(fd);
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

/// The environment with the additions in front, where they win.
std::vector<std::string> merged_environment(const std::vector<std::string>& additions) {
  std::vector<std::string> all = additions;
  const auto name = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const auto same = [&](const std::string& other) { return name(other) == name(*entry); };
    if (std::none_of(additions.begin(), additions.end(), same)) all.emplace_back(*entry);
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const auto& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

Process::Process(std::vector<std::string> arguments, ProcessOptions options)
    : input_(std::move(options.input)), keep_input_open_(options.keep_input_open) {
  // A child that does not read its input must not end the test.
  signal(SIGPIPE, SIG_IGN);
  start_child(arguments, options);
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  for (int fd : {in_, out_, err_}) fcntl(fd, F_SETFL, O_NONBLOCK);
}

void Process::start_child(const std::vector<std::string>& arguments,
                          const ProcessOptions& options) {
  const Pipe in = make_pipe(), out = make_pipe(), err = make_pipe(), failure = make_pipe();
  const auto environment = merged_environment(options.environment);
  const auto argv = pointers(arguments), envp = pointers(environment);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    setpgid(0, 0);
    if (options.killed_with_parent) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(127);
    }
    signal(SIGPIPE, SIG_DFL);
    dup2(in.read, 0);
    dup2(out.write, 1);
    dup2(err.write, 2);
    if (options.folder.empty() || chdir(options.folder.c_str()) == 0) {
      if (options.before_exec) options.before_exec();
      execvpe(argv[0], argv.data(), envp.data());
    }
    const int cause = errno;
    [[maybe_unused]] const ssize_t written = write(failure.write, &cause, sizeof cause);
    _exit(127);
  }
  setpgid(pid_, pid_);
  for (int fd : {in.read, out.write, err.write, failure.write}) close(fd);
  in_ = in.write, out_ = out.read, err_ = err.read;
  int cause = 0;
  const bool failed = read(failure.read, &cause, sizeof cause) == sizeof cause;
  close(failure.read);
  if (failed) {
    waitpid(pid_, nullptr, 0);
    for (int* fd : {&in_, &out_, &err_}) close_fd(*fd);
    throw std::system_error(cause, std::generic_category(), "cannot start " + arguments[0]);
  }
}

Process::~Process() {
  if (!reaped_) {
    send_group(SIGKILL);
    reap();
  }
  for (int* fd : {&in_, &out_, &err_, &pidfd_}) close_fd(*fd);
}

void Process::send(int signal) const {
  if (!reaped_) kill(pid_, signal);
}

void Process::send_group(int signal) const {
  if (!reaped_) kill(-pid_, signal);
}

void Process::write_input(std::string_view text) {
  input_ += text;
  pump(Clock::now());
}

void Process::close_input() {
  keep_input_open_ = false;
  if (input_.empty()) close_fd(in_);
}

bool Process::running() {
  pump(Clock::now());
  return !reaped_;
}

void Process::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
  if (WIFEXITED(status)) finished_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished_.signal = WTERMSIG(status);
}

void Process::drain() {
  read_available(out_, finished_.out);
  read_available(err_, finished_.err);
}

/// One round of input, output and end-of-process; false when the deadline passed with no event.
bool Process::pump(Clock::time_point deadline) {
  if (reaped_) return false;
  if (in_ >= 0 && input_.empty() && !keep_input_open_) close_fd(in_);
  pollfd fds[] = {{pidfd_, POLLIN, 0},
                  {out_, POLLIN, 0},
                  {err_, POLLIN, 0},
                  {input_.empty() ? -1 : in_, POLLOUT, 0}};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  if (poll(fds, 4, static_cast<int>(std::max<long>(0, left.count()))) <= 0) return false;
  if (fds[3].revents != 0) {
    const ssize_t n = write(in_, input_.data(), input_.size());
    if (n > 0) input_.erase(0, static_cast<size_t>(n));
    if (n < 0 && errno != EAGAIN) {
      input_.clear();
      close_fd(in_);
    }
  }
  // Ended is looked at before the output is drained, so that nothing written before the end is
  // lost.
  if (fds[0].revents != 0) reap();
  drain();
  return true;
}

bool Process::wait_for_output(std::string_view text, std::chrono::milliseconds time_limit) {
  const auto deadline = Clock::now() + time_limit;
  const auto found = [&] {
    return out().find(text) != std::string::npos || err().find(text) != std::string::npos;
  };
  while (!found()) {
    if (!pump(deadline) && (reaped_ || Clock::now() >= deadline)) return found();
  }
  return true;
}

Finished Process::wait(std::chrono::milliseconds time_limit) {
  close_input();
  const auto deadline = Clock::now() + time_limit;
  while (!reaped_) {
    if (pump(deadline) || Clock::now() < deadline) continue;
    finished_.timed_out = true;
    send_group(SIGKILL);
    reap();
    drain();
  }
  return finished_;
}

Finished run(std::vector<std::string> arguments, ProcessOptions options) {
  const auto time_limit = options.time_limit;
  return Process(std::move(arguments), std::move(options)).wait(time_limit);
}

}  // namespace diskaudit
