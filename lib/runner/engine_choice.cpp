#include "runner/engine_choice.hpp"

#include <fmt/format.h>
#include <linux/aio_abi.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "runner/uring_engine.hpp"

namespace diskaudit {

namespace {

/// The value of "Key:\tvalue" in /proc/self/status.
std::string status_of(const SystemRoot& root, const std::string& key) {
  std::istringstream lines(root.read("/proc/self/status"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key + ":\t")) return line.substr(key.size() + 2);
  }
  return "";
}

bool is_filtered(const SystemRoot& root) {
  const std::string mode = status_of(root, "Seccomp");
  return !mode.empty() && mode != "0";
}

bool kernel_is_older_than_5_1(const SystemRoot& root) {
  std::istringstream release(root.read("/proc/sys/kernel/osrelease"));
  int major = 0, minor = 0;
  char dot = 0;
  release >> major >> dot >> minor;
  return major != 0 && (major < 5 || (major == 5 && minor < 1));
}

/// Whether kernel.io_uring_disabled = 1 spares this process: CAP_SYS_ADMIN or the group named.
bool is_exempt(const SystemRoot& root) {
  constexpr unsigned long long sys_admin = 1ULL << 21;
  unsigned long long capabilities = 0;
  std::istringstream(status_of(root, "CapEff")) >> std::hex >> capabilities;
  if (capabilities & sys_admin) return true;
  const std::string group = root.read("/proc/sys/kernel/io_uring_group");
  if (group.empty() || group == "-1") return false;
  std::istringstream groups(status_of(root, "Groups") + " " + status_of(root, "Gid"));
  for (std::string own; groups >> own;) {
    if (own == group) return true;
  }
  return false;
}

int probe_io_uring(unsigned depth) {
  io_uring ring{};
  unsigned accepted = 0;
  const int error = set_up_ring(ring, depth, all_uring_features, accepted);
  if (error == 0) io_uring_queue_exit(&ring);
  return -error;
}

int probe_libaio(unsigned depth) {
  aio_context_t context = 0;
  if (::syscall(SYS_io_setup, depth, &context) != 0) return errno;
  ::syscall(SYS_io_destroy, context);
  return 0;
}

}  // namespace

std::string cause_of_refusal(int error, const SystemRoot& root) {
  if (error == EPERM || error == EACCES) {
    const std::string sysctl = root.read("/proc/sys/kernel/io_uring_disabled");
    if (sysctl == "2") return "the sysctl kernel.io_uring_disabled is 2; set it to 0";
    if (sysctl == "1" && !is_exempt(root)) {
      return "the sysctl kernel.io_uring_disabled is 1; run as root, join the group in "
             "kernel.io_uring_group, or set it to 0";
    }
    return fmt::format("{} forbids it; allow io_uring_setup, io_uring_enter and io_uring_register",
                       is_filtered(root) ? "a seccomp filter" : "a security module (LSM)");
  }
  if (error == ENOSYS) {
    if (!kernel_is_older_than_5_1(root) && is_filtered(root)) {
      return "a seccomp filter hides it; allow io_uring_setup, io_uring_enter and "
             "io_uring_register";
    }
    return fmt::format("the kernel {} does not have it; 5.1 brought it",
                       root.read("/proc/sys/kernel/osrelease"));
  }
  if (error == ENOMEM) {
    rlimit locked{};
    ::getrlimit(RLIMIT_MEMLOCK, &locked);
    if (locked.rlim_cur != RLIM_INFINITY) {
      return fmt::format("the limit of locked memory is {} KiB; raise it with ulimit -l",
                         locked.rlim_cur / 1024);
    }
  }
  return std::strerror(error);
}

Result<ChosenEngine> choose_engine(EngineChoice choice, const SystemRoot& root, unsigned depth) {
  ChosenEngine chosen;
  if (choice != EngineChoice::Libaio) {
    const int error = probe_io_uring(depth);
    if (error == 0) return chosen;
    const std::string cause = cause_of_refusal(error, root);
    if (choice == EngineChoice::IoUring) return refusal("cannot use io_uring: " + cause);
    chosen.warning = "io_uring is not available, libaio used instead: " + cause;
  }
  chosen.engine = Engine::Libaio;
  const int error = probe_libaio(depth);
  if (error == 0) return chosen;
  const std::string remedy = error == EAGAIN ? "; raise the sysctl fs.aio-max-nr" : "";
  return refusal(fmt::format("cannot use libaio: {}{}{}", std::strerror(error), remedy,
                             chosen.warning.empty() ? "" : "; " + chosen.warning));
}

}  // namespace diskaudit
