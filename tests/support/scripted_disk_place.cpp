#include "support/scripted_disk_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/loop.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

#include "support/scripted_disk_cgroup.hpp"

namespace diskaudit {
namespace {

auto failed(const std::string& what) {
  return refusal(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

/// Runs a tool silently; it dies with us.
Result<void> run_tool(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return failed("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return {};
  return refusal(fmt::format("cannot run {}: {}", arguments[0],
                             WIFEXITED(status) ? fmt::format("exit {}", WEXITSTATUS(status))
                                               : fmt::format("signal {}", WTERMSIG(status))));
}

int open_loop(int number) {
  const auto device = fmt::format("/dev/loop{}", number);
  int fd = open(device.c_str(), O_RDWR | O_CLOEXEC);
  // In a container the kernel's new devices do not appear by themselves.
  if (fd < 0 && errno == ENOENT &&
      mknod(device.c_str(), S_IFBLK | 0600, makedev(7, static_cast<unsigned>(number))) == 0) {
    fd = open(device.c_str(), O_RDWR | O_CLOEXEC);
  }
  return fd;
}

constexpr std::string_view prefix = "scripted-disk-";

std::string parent_folder() {
  const char* parent = std::getenv("TMPDIR");
  return parent != nullptr ? parent : "/tmp";
}

Place place_in(const std::string& folder) {
  const auto name = folder.substr(folder.rfind('/') + 1);
  const int lock = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return {folder, folder + "/fuse", folder + "/disk", throttling_cgroup(name), name, lock};
}

}  // namespace

void sweep_places() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent_folder(), ignored)) {
    struct stat info {};
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    // A young one may be about to take its lock.
    if (lstat(entry.path().c_str(), &info) != 0 || info.st_uid != geteuid() ||
        info.st_mtime + 10 > time(nullptr)) {
      continue;
    }
    const auto place = place_in(entry.path().string());
    if (place.lock >= 0 && flock(place.lock, LOCK_EX | LOCK_NB) == 0) tear_down(place);
    close(place.lock);
  }
}

Result<Place> make_place() {
  std::string folder = fmt::format("{}/{}XXXXXX", parent_folder(), prefix);
  if (mkdtemp(folder.data()) == nullptr) return failed("make " + folder);
  const auto place = place_in(folder);
  flock(place.lock, LOCK_SH);
  // Searchable by the ordinary users as whom tests run the program.
  if (chmod(folder.c_str(), 0755) != 0 || mkdir(place.fuse.c_str(), 0700) != 0 ||
      mkdir(place.directory.c_str(), 0755) != 0) {
    const auto failure = failed("fill " + folder);
    tear_down(place);
    return failure;
  }
  return place;
}

void tear_down(const Place& place) {
  umount2(place.fuse.c_str(), MNT_DETACH);
  if (umount2(place.directory.c_str(), UMOUNT_NOFOLLOW) != 0 && errno == EBUSY) {
    umount2(place.directory.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
  }
  remove_cgroup(place.cgroup);
  // Never recursively: what is still there is somebody else's.
  rmdir(place.fuse.c_str());
  rmdir(place.directory.c_str());
  rmdir(place.folder.c_str());
}

pid_t tear_down_apart(const Place& place, int inherited) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (inherited >= 0) close(inherited);
  tear_down(place);
  _exit(0);
}

Result<Loop> attach_loop(const std::string& file, std::uint32_t block_size) {
  const int backing = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (backing < 0) return failed("open " + file);
  const int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
  if (control < 0) {
    close(backing);
    return failed("open /dev/loop-control");
  }
  loop_config config{};
  config.fd = static_cast<std::uint32_t>(backing);
  config.block_size = block_size;
  // Autoclear: detached when its last user closes it, whatever happens to us.
  config.info.lo_flags = LO_FLAGS_DIRECT_IO | LO_FLAGS_AUTOCLEAR;
  Result<Loop> result = refusal("cannot find a free loop device");
  // Others may take the free device first.
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int number = ioctl(control, LOOP_CTL_GET_FREE);
    const int fd = number < 0 ? -1 : open_loop(number);
    if (fd < 0) {
      result = failed("open a free loop device");
      break;
    }
    if (ioctl(fd, LOOP_CONFIGURE, &config) == 0) {
      result = Loop{fd, fmt::format("/dev/loop{}", number)};
      break;
    }
    result = failed(fmt::format("configure /dev/loop{}", number));
    const bool is_taken = errno == EBUSY;
    close(fd);
    if (!is_taken) break;
    usleep(10'000);
  }
  close(backing);
  close(control);
  loop_info64 info{};
  if (result && (ioctl(result->fd, LOOP_GET_STATUS64, &info) != 0 ||
                 (info.lo_flags & LO_FLAGS_DIRECT_IO) == 0)) {
    close(result->fd);
    return refusal("the loop device does not accept direct I/O");
  }
  return result;
}

Result<void> mount_filesystem(const std::string& type, const std::string& device,
                              const std::string& directory) {
  std::vector<std::string> make;
  std::string options;
  // What a fresh file system would do in the background would show in the disk's log.
  if (type == "ext4") {
    make = {"mkfs.ext4",
            "-q",
            "-F",
            "-T",
            "largefile",
            "-E",
            "nodiscard,lazy_itable_init=1,lazy_journal_init=1"};
    options = "noinit_itable";
  } else if (type == "xfs") {
    make = {"mkfs.xfs", "-q", "-f", "-K"};
  } else if (type == "btrfs") {
    make = {"mkfs.btrfs", "-q", "-f", "-K"};
  } else {
    return usage_error(fmt::format("unknown file system '{}'; use ext4, xfs or btrfs", type));
  }
  make.push_back(device);
  const auto made = run_tool(make);
  if (!made) return made;
  if (mount(device.c_str(), directory.c_str(), type.c_str(), 0, options.c_str()) != 0) {
    return failed(fmt::format("mount {} on {}", device, directory));
  }
  if (chmod(directory.c_str(), 01777) != 0) return failed("open " + directory + " to everybody");
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_settled = fd >= 0 && syncfs(fd) == 0;
  if (fd >= 0) close(fd);
  if (!is_settled) return failed("settle " + directory);
  return {};
}

}  // namespace diskaudit
