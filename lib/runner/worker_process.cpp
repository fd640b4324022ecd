#include "runner/worker_process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runner/clock.hpp"

namespace diskaudit {

namespace {

/// A child held by the kernel must not hold pipes to other programs, nor the lock of a disk.
void close_all_but(int first, int second) {
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2 && null >= 0; ++fd) ::dup2(null, fd);
  DIR* list = ::opendir("/proc/self/fd");
  if (list == nullptr) return;
  while (const dirent* entry = ::readdir(list)) {
    const int fd = std::atoi(entry->d_name);
    if (fd > 2 && fd != first && fd != second && fd != ::dirfd(list)) ::close(fd);
  }
  ::closedir(list);
}

[[noreturn]] void be_the_child(const std::function<void()>& work, pid_t parent, int fd, int alive) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
  struct sigaction nudged {};
  nudged.sa_handler = [](int) {};  // without SA_RESTART: a wait ends with EINTR
  ::sigaction(SIGUSR1, &nudged, nullptr);
  close_all_but(fd, alive);
  // Registered buffers count as locked memory for an ordinary user.
  rlimit locked{};
  if (::getrlimit(RLIMIT_MEMLOCK, &locked) == 0) {
    locked.rlim_cur = locked.rlim_max;
    ::setrlimit(RLIMIT_MEMLOCK, &locked);
  }
  work();
  ::_exit(0);
}

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const std::function<void()>& work, int fd) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return refusal(fmt::format("cannot start the workers: {}", std::strerror(errno)));
  }
  Descriptor alive(ends[0]), child_end(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    return refusal(fmt::format("cannot start the workers: {}", std::strerror(errno)));
  }
  if (pid == 0) be_the_child(work, parent, fd, ends[1]);
  return WorkerProcess(pid, std::move(alive));
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      alive_(std::move(other.alive_)),
      status_(other.status_) {}

WorkerProcess::~WorkerProcess() { kill(); }

bool WorkerProcess::wait_until(std::uint64_t deadline) {
  const std::uint64_t now = now_ns();
  const std::uint64_t left = deadline > now ? deadline - now : 0;
  const timespec time{.tv_sec = static_cast<time_t>(left / second_ns),
                      .tv_nsec = static_cast<long>(left % second_ns)};
  pollfd alive{.fd = alive_.get(), .events = 0, .revents = 0};
  return ::ppoll(&alive, 1, &time, nullptr) == 1;
}

std::uint64_t WorkerProcess::cpu_ns() {
  clockid_t clock{};
  if (!status() && ::clock_getcpuclockid(pid_, &clock) == 0) return read_clock(clock);
  return final_cpu_ns_;
}

void WorkerProcess::nudge(pid_t thread) const { ::syscall(SYS_tgkill, pid_, thread, SIGUSR1); }

void WorkerProcess::kill() {
  if (pid_ < 0 || status()) return;
  ::kill(pid_, SIGKILL);
  for (int i = 0; i < 100 && !status(); ++i) {
    const timespec time{.tv_sec = 0, .tv_nsec = 10'000'000};
    ::nanosleep(&time, nullptr);
  }
}

std::optional<int> WorkerProcess::status() {
  int status = 0;
  rusage usage{};
  if (!status_ && ::wait4(pid_, &status, WNOHANG, &usage) == pid_) {
    status_ = status;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      final_cpu_ns_ += static_cast<std::uint64_t>(time.tv_sec) * second_ns +
                       static_cast<std::uint64_t>(time.tv_usec) * 1000;
    }
  }
  return status_;
}

}  // namespace diskaudit
