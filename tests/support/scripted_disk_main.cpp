/// The scripted disk: a block device whose behaviour a test dictates. Prints one line of JSON when
/// it is ready and lives until its standard input ends. README.md beside this file describes the
/// script.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "support/scripted_disk_cgroup.hpp"
#include "support/scripted_disk_place.hpp"
#include "support/scripted_disk_server.hpp"

// Two processes watch each other. The supervisor (the parent) sets up, waits and takes down. The
// server answers the kernel; when the supervisor is gone it takes down in its place. When the
// server is gone the kernel fails what waits, and the supervisor takes down.

namespace diskaudit {
namespace {

constexpr Nanoseconds second = 1'000'000'000;

/// What the server does when it finds itself alone.
struct Orphan {
  Place place;
  DiskServer* server = nullptr;
};

void take_over(void* context) {
  const auto& orphan = *static_cast<Orphan*>(context);
  tear_down_apart(orphan.place, orphan.server->fd());
  // The loop device goes once nobody uses it. If somebody still does, the disk fails under him.
  orphan.server->end_by(monotonic_now() + 5 * second);
}

/// The server's process; `control` is its end of the socket.
[[noreturn]] void serve(const Script& script, DiskLog& log, const Place& place, int control) {
  // Out of the reach of signals meant for the supervisor's group.
  setsid();
  signal(SIGCHLD, SIG_IGN);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  // Woken to the microsecond, before others, and never waiting for its own disk to free memory. A
  // nice value would not do: it holds within a session, and this is one of its own.
  prctl(PR_SET_TIMERSLACK, 1);
  const sched_param first{.sched_priority = 1};
  sched_setscheduler(0, SCHED_RR, &first);
  prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
  Orphan orphan{place};
  DiskServer server(script, log, control, take_over, &orphan);
  orphan.server = &server;
  if (const auto mounted = server.mount(place.fuse, place.name); !mounted) {
    fmt::print(stderr, "scripted_disk: {}\n", mounted.error().message);
    _exit(1);
  }
  server.run();
  _exit(0);
}

/// The server is nobody's child: who kills a test with all its descendants does not reach it.
void start_server(const Script& script, DiskLog& log, const Place& place, const int (&ends)[2]) {
  const pid_t between = fork();
  if (between == 0) {
    if (fork() != 0) _exit(0);
    close(ends[0]);
    serve(script, log, place, ends[1]);
  }
  close(ends[1]);
  waitpid(between, nullptr, 0);
}

struct Disk {
  Place place;
  int control = -1;
  Loop loop{};
  pid_t server = -1;
  int server_fd = -1;  ///< the server's process, which is no child of ours
};

bool has_ended(const Disk& disk, int time_limit_ms) {
  pollfd fds{disk.server_fd, POLLIN, 0};
  return disk.server_fd < 0 || poll(&fds, 1, time_limit_ms) > 0;
}

/// The server's next word: its process number, then "started". Empty when it is gone.
std::string hear(const Disk& disk) {
  char message[16];
  const ssize_t size = recv(disk.control, message, sizeof message, 0);
  return {message, static_cast<size_t>(std::max<ssize_t>(size, 0))};
}

Result<void> set_up(Disk& disk, const Script& script) {
  disk.server = std::atoi(hear(disk).c_str());
  if (disk.server <= 0) return refusal("the server did not start");
  disk.server_fd = static_cast<int>(syscall(SYS_pidfd_open, disk.server, 0));
  auto loop = attach_loop(disk.place.fuse + "/" + disk.place.name, script.block_size);
  if (!loop) return std::unexpected(loop.error());
  disk.loop = *loop;
  // The loop device holds the file: the mount has done its duty, and nothing remains to leak.
  umount2(disk.place.fuse.c_str(), MNT_DETACH);
  if (!script.filesystem.empty()) {
    auto mounted = mount_filesystem(script.filesystem, disk.loop.device, disk.place.directory);
    if (!mounted) return mounted;
  }
  if (wants_cgroup(script)) {
    auto made = make_cgroup(disk.place.cgroup, disk.loop.fd, script);
    if (!made) return made;
  }
  send(disk.control, "start", 5, MSG_NOSIGNAL);
  if (hear(disk).empty()) return refusal("the server is gone");
  return {};
}

bool wait_for(pid_t child, int time_limit_ms) {
  for (int waited = 0; waited < time_limit_ms; waited += 10) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return true;
    usleep(10'000);
  }
  return false;
}

void finish(Disk& disk) {
  send(disk.control, "stop", 4, MSG_NOSIGNAL);
  const pid_t cleaner = tear_down_apart(disk.place, disk.loop.fd);
  const bool is_clean = wait_for(cleaner, 5000);
  if (disk.loop.fd >= 0) close(disk.loop.fd);
  // The server ends by itself when the kernel lets go of its file. If something holds the disk
  // longer than that, the disk fails under it.
  if (!is_clean || !has_ended(disk, 3000)) {
    syscall(SYS_pidfd_send_signal, disk.server_fd, SIGKILL, nullptr, 0);
    has_ended(disk, 10'000);
  }
  if (!is_clean) waitpid(cleaner, nullptr, 0);
}

/// Lines of standard input are changes of the script; false at its end.
bool pass_on_changes(const Disk& disk, std::string& input) {
  char buffer[4096];
  const ssize_t size = read(STDIN_FILENO, buffer, sizeof buffer);
  if (size <= 0) return false;
  input.append(buffer, static_cast<size_t>(size));
  for (auto end = input.find('\n'); end != std::string::npos; end = input.find('\n')) {
    if (end > 0) send(disk.control, input.data(), end, MSG_NOSIGNAL);
    input.erase(0, end + 1);
  }
  return true;
}

/// Until standard input ends, a signal asks us to stop, or the server is gone.
bool stand_by(const Disk& disk, int signals) {
  std::string input;
  while (true) {
    pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}, {disk.control, POLLIN, 0}};
    if (poll(fds, 3, -1) < 0 && errno != EINTR) return false;
    if (fds[1].revents != 0) return true;
    if (fds[2].revents != 0) return false;
    if (fds[0].revents != 0 && !pass_on_changes(disk, input)) return true;
  }
}

void print_ready(const Disk& disk, const Script& script, const DiskLog& log) {
  fmt::print(R"({{"device":"{}","directory":"{}","cgroup":"{}","log":"/proc/{}/fd/{}",)",
             disk.loop.device, script.filesystem.empty() ? "" : disk.place.directory,
             wants_cgroup(script) ? disk.place.cgroup : "", getpid(), log.fd());
  fmt::print(R"("pid":{},"server":{}}})"
             "\n",
             getpid(), disk.server);
  std::fflush(stdout);
}

int supervise(const Script& script) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  const int signals = signalfd(-1, &set, SFD_CLOEXEC);
  auto log = DiskLog::create();
  sweep_places();
  const auto place = make_place();
  int ends[2];
  if (!place || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    fmt::print(stderr, "scripted_disk: {}\n", place ? "no socket" : place.error().message);
    return 1;
  }
  Disk disk{*place, ends[0]};
  start_server(script, log, *place, ends);
  const auto ready = set_up(disk, script);
  bool is_good = ready.has_value();
  if (ready) {
    print_ready(disk, script, log);
    is_good = stand_by(disk, signals);
    if (!is_good) fmt::print(stderr, "scripted_disk: the server is gone\n");
  } else {
    fmt::print(stderr, "scripted_disk: {}\n", ready.error().message);
  }
  finish(disk);
  return is_good ? 0 : 1;
}

/// `key=value` words; `--key value` and `--key=value` mean the same.
std::string script_text(int argc, char** argv) {
  std::string text;
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    const bool is_option = word.starts_with("--");
    if (is_option) word.remove_prefix(2);
    std::string key(word.substr(0, word.find('=')));
    for (char& letter : key) letter = is_option && letter == '-' ? '_' : letter;
    text += key;
    text += word.substr(std::min(key.size(), word.size()));
    if (word.find('=') == std::string_view::npos && i + 1 < argc)
      text += std::string("=") + argv[++i];
    text += '\n';
  }
  return text;
}

}  // namespace
}  // namespace diskaudit

int main(int argc, char** argv) {
  const auto script = diskaudit::parse_script(diskaudit::script_text(argc, argv));
  if (!script) {
    fmt::print(stderr, "scripted_disk: {}\n", script.error().message);
    return 2;
  }
  return diskaudit::supervise(*script);
}
