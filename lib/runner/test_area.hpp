#pragma once
/// The bytes that a job may touch: an unnamed file on a file system, or a block device.

#include <atomic>
#include <functional>

#include "device/device.hpp"
#include "error.hpp"
#include "measure/measurement.hpp"
#include "units.hpp"

namespace diskaudit {

/// An open descriptor (O_DIRECT) and the span below it; closes the descriptor, and with it the
/// unnamed file, when it goes, and after that `lock`, where a lock on the disk is held by one.
class TestArea {
 public:
  TestArea(int fd, Bytes size, unsigned alignment, int lock = -1)
      : fd_(fd), size_(size), alignment_(alignment), lock_(lock) {}
  TestArea(TestArea&& other) noexcept;
  TestArea& operator=(TestArea&& other) noexcept;
  ~TestArea();

  int fd() const { return fd_; }
  Bytes size() const { return size_; }
  unsigned alignment() const { return alignment_; }

 private:
  int fd_ = -1;
  Bytes size_;
  unsigned alignment_ = 512;
  int lock_ = -1;
};

struct FileOptions {
  Bytes size{};                  ///< wanted
  bool size_given = false;       ///< by the user: too little space is a refusal, not a smaller file
  Bytes reserve{};               ///< free space that stays untouched
  std::function<bool()> stop{};  ///< true ends the wait for a disk that does not answer
};

/// An unnamed file of `options.size`, or of what the reserve leaves, in the directory `disk.path`:
/// space allocated, nothing written. Refuses where the space is short or direct I/O is not
/// possible.
Result<TestArea> open_test_file(const Disk& disk, const FileOptions& options);

/// The first `span` bytes of a block device, for reading only.
Result<TestArea> open_for_reading(const Disk& disk, Bytes span);

/// Called with the bytes written so far; returns false to stop.
using FillProgress = std::function<bool(Bytes)>;

/// Writes every block once with unique incompressible data and syncs. Stopped early: fewer bytes
/// than the size in the result. An error with the code Fail is the disk's; then `fault` has it too.
Result<Bytes> fill(const TestArea& area, const FillProgress& progress, IoFault* fault = nullptr);

}  // namespace diskaudit
