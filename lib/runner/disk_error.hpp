#pragma once
/// Which errors of a request are the disk's own.

#include <cerrno>

namespace diskaudit {

/// What block/blk-core.c turns a failed request into, other than a lack of space or memory. 0, a
/// short transfer, counts as well.
inline bool is_disk_error(int error) {
  for (const int known :
       {0, EIO, ETIMEDOUT, ENOLINK, EREMOTEIO, ENODATA, EILSEQ, EBADE, ENODEV, ENXIO}) {
    if (error == known) return true;
  }
  return false;
}

}  // namespace diskaudit
