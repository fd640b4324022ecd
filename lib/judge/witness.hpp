#pragma once
/// The kernel's counts beside our own: requests split, somebody else's I/O, reads that never came.

#include "measure/measurement.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// Counts of the window. All 0 where the witness is unknown.
struct Comparison {
  bool known = false;
  double own_ios = 0;
  double own_bytes = 0;
  double device_ios = 0;    ///< in the job's direction
  double device_bytes = 0;  ///< in the job's direction
  double other_ios = 0;     ///< in the direction that the job does not use
  double other_bytes = 0;
};
Comparison compare(const Job& job, const Measurement& measurement);

/// Whether the bytes agree, so that every device request must have been ours.
bool bytes_agree(const Comparison& counts);

/// Device requests per request of ours where the kernel splits them, else 1.
double split_ratio(const Job& job, const Measurement& measurement);

/// The same as the vendor counts both: two halves of a large request may be as many I/Os as it.
double counted_ratio(const Job& job, const Measurement& measurement);

/// Mean size of a request as the device saw it; the block size where that is unknown.
double request_bytes(const Job& job, const Measurement& measurement);

/// Mean bytes for each I/O that the vendor counts, never more than a request held.
double counted_bytes(const Job& job, const Measurement& measurement);

/// Others' I/O on the disk, in the target's metric per second; 0 where unknown.
double foreign_rate(const Job& job, const Measurement& measurement);

/// Whether the device moved clearly fewer bytes than we count: something answered in its place.
bool served_elsewhere(const Job& job, const Measurement& measurement);

}  // namespace diskaudit
