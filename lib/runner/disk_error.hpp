#pragma once
/// Which errors of a request are the disk's own.

#include <algorithm>
#include <cerrno>

#include "measure/measurement.hpp"

namespace diskaudit {

/// What block/blk-core.c turns a failed request into, other than a lack of space or memory. 0, a
/// short transfer, counts as well. Any other error may be the doing of this program, the file
/// system or the kernel: it ends the audit without a verdict, for no disk fails for what it did not
/// do.
inline bool is_disk_error(int error) {
  for (const int known :
       {0, EIO, ETIMEDOUT, ETIME, ENOLINK, EREMOTEIO, ENODATA, EILSEQ, EBADE, ENODEV, ENXIO}) {
    if (error == known) return true;
  }
  return false;
}

/// The first of the faults where none of them is the disk's own; else none.
inline const IoFault* fault_of_another(const std::vector<IoFault>& faults) {
  const bool disks = std::any_of(faults.begin(), faults.end(),
                                 [](const IoFault& fault) { return is_disk_error(fault.error); });
  return disks || faults.empty() ? nullptr : &faults.front();
}

}  // namespace diskaudit
