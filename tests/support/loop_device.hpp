#pragma once
/// Loop devices and mounts of a test's own. The kernel takes both away when the test ends, however
/// it ends: the devices clear themselves on their last close, the mounts live in a private
/// namespace.

#include <cstdint>
#include <string>

namespace diskaudit {

/// Skips the test unless it may set up loop devices and mounts.
void require_root();

struct LoopOptions {
  std::uint64_t size = 64 << 20;  ///< of the image, made sparse if it is not there; 0: as it is
  bool direct_io = true;
  unsigned sector_size = 512;
  bool read_only = false;
};

class LoopDevice {
 public:
  /// Skips the test where the kernel offers no such device; throws on anything else.
  explicit LoopDevice(const std::string& image, const LoopOptions& options = {});
  ~LoopDevice();
  LoopDevice(const LoopDevice&) = delete;
  LoopDevice& operator=(const LoopDevice&) = delete;

  const std::string& path() const { return path_; }  ///< "/dev/loop3"
  std::string name() const { return path_.substr(5); }
  /// Makes the bytes from `start` on partition `number`; its path.
  std::string add_partition(int number, std::uint64_t start, std::uint64_t length);
  void detach();

 private:
  int fd_ = -1;
  int partitions_ = 0;
  std::string path_;
};

/// Mounts in this process's own namespace, unmounted at the end.
class PrivateMount {
 public:
  PrivateMount(const std::string& source, const std::string& target, const std::string& filesystem,
               const std::string& options = "", unsigned long flags = 0);
  ~PrivateMount();
  PrivateMount(const PrivateMount&) = delete;
  PrivateMount& operator=(const PrivateMount&) = delete;

 private:
  std::string target_;
};

}  // namespace diskaudit
