#pragma once
/// Who was the limiter: what speaks against blaming the disk, each with its evidence.

#include <optional>

#include "judge/judge.hpp"
#include "judge/rate.hpp"

namespace diskaudit {

/// Why a result that does not pass is not the disk's fault; the findings go into `reasons`.
std::optional<Cause> other_limiter(const Job& job, const Measurement& measurement, const Rate& rate,
                                   const Circumstances& circumstances,
                                   std::vector<Reason>& reasons);

/// Whether the number cannot be the disk's: a cache or nothing at all answered. `passes`: blocks
/// that were never written make a disk faster, so they spoil a pass alone.
bool cannot_be_the_disk(const Job& job, const Measurement& measurement,
                        const Circumstances& circumstances, bool passes,
                        std::vector<Reason>& reasons);

/// Whether the same blocks were clearly faster at their second reading: the disk was not
/// initialised. Only a device that this program has not written can be that.
bool may_be_initialising(const Job& job, const Circumstances& circumstances);
bool is_initialising(const Job& job, const Evidence& evidence, const Circumstances& circumstances,
                     std::vector<Reason>& reasons);

/// What half the depth says: a disk that gives as much with half the requests outstanding is
/// saturated, and more depth would not help.
struct Saturation {
  bool tested = false;
  bool saturated = false;
  bool half_passes = false;  ///< half the depth alone would pass
  unsigned half_depth = 0;
  double half_value = 0;  ///< in the target's metric
  double ratio = 0;       ///< of the judged attempt's
};
Saturation saturation_of(const Job& job, const Evidence& evidence, const Tolerance& tolerance);

}  // namespace diskaudit
