#include "privileges.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "device/inspect.hpp"
#include "log.hpp"

namespace diskaudit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t bit(unsigned capability) { return std::uint64_t{1} << capability; }

bool is_roots(const fs::path& folder, mode_t wanted, mode_t unwanted) {
  struct stat facts {};
  return stat(folder.c_str(), &facts) == 0 && facts.st_uid == 0 &&
         (facts.st_mode & wanted) == wanted && (facts.st_mode & unwanted) == 0;
}

// Whether user 0 may replace files there as the owner that it is, without overriding anything.
bool is_open_to_root(const fs::path& folder) {
  std::error_code error;
  fs::path step = fs::canonical(folder, error);
  if (error || !is_roots(step, S_IWUSR | S_IXUSR, S_ISVTX)) return false;
  for (; step != step.root_path(); step = step.parent_path()) {
    if (!is_roots(step.parent_path(), S_IXUSR, 0)) return false;
  }
  return true;
}

std::uint64_t still_needed(const std::vector<fs::path>& folders) {
  std::uint64_t needed = bit(CAP_IPC_LOCK);
  // With 1 the kernel gives io_uring to CAP_SYS_ADMIN alone: admin-guide/sysctl/kernel.rst.
  if (SystemRoot().read("/proc/sys/kernel/io_uring_disabled") == "1") needed |= bit(CAP_SYS_ADMIN);
  for (const fs::path& folder : folders) {
    if (!is_open_to_root(folder)) needed |= bit(CAP_DAC_OVERRIDE) | bit(CAP_FOWNER);
  }
  return needed;
}

}  // namespace

void drop_privileges(const std::vector<fs::path>& folders) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    log_detail(std::string("cannot set no_new_privs: ") + std::strerror(errno));
  }
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) return;
  const std::uint64_t needed = still_needed(folders);
  for (unsigned word = 0; word < sets.size(); ++word) {
    const auto kept = sets[word].permitted & static_cast<std::uint32_t>(needed >> (32 * word));
    sets[word] = {.effective = kept, .permitted = kept, .inheritable = 0};
  }
  if (syscall(SYS_capset, &header, sets.data()) != 0) {
    log_warning(std::string("cannot give up privileges: ") + std::strerror(errno));
  }
}

}  // namespace diskaudit
