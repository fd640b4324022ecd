#pragma once
/// The findings behind a verdict: codes and figures here, people's words for them in the reports.

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace diskaudit {

/// Rates below are in the target's metric (IOPS, bytes per second, microseconds) unless said
/// otherwise; seconds count from the start of the window. The figures of each code in parentheses.
enum class ReasonCode {
  Measured,         ///< (value, target) what the verdict is about; of the plateau if there is one
  Threshold,        ///< (percent, value) what passes
  ThresholdByIops,  ///< (value, iops, request_bytes) a sequential rate that the IOPS quota allows
  ShortWindow,      ///< (seconds) too short for a useful interval
  Errors,           ///< (errors, faults) failed or short requests
  Hung,             ///< (gap_seconds) a request never returned
  Interrupted,      ///< (seconds) measured before a signal came
  // Who was the limiter.
  HalfDepth,        ///< (iodepth, value, ratio) half the depth and what it reached, of the whole
  NoHalfDepth,      ///< (iodepth) saturation was not tested
  DeepestTried,     ///< (iodepth, max_iodepth) and still not saturated
  Repeated,         ///< (value) what another attempt at the same depth reached
  ClientBusy,       ///< (share) busiest worker's share of a CPU
  ClientSteal,      ///< (share) CPU time that the hypervisor kept
  ClientThrottled,  ///< () the cgroup's CPU quota bit
  QueueNotFull,     ///< (inflight, iodepth)
  CgroupLimit,      ///< (limit) of our own cgroup, and measured is close to it
  InstanceCap,      ///< (cap) of the instance type, and measured is close to it
  PageCacheBelow,   ///< () a loop device without direct I/O
  ZeroBlocks,       ///< (share) sampled blocks that hold only zeros: reads of them may cost nothing
  FewerDeviceBytes,  ///< (own, device) bytes per second: the kernel saw fewer than we count
  Foreign,           ///< (value, percent) others' I/O on the disk, percent of ours
  RequestsSplit,  ///< (ratio) device requests per request of ours, counted as the device saw them
  LatencyImpossible,  ///< (latency_us, implied_us, inflight) contradicts Little's law
  FirstTouch,         ///< (first, second) the second pass over the same blocks was faster
  CopyOnWrite,        ///< () the file system writes elsewhere
  // The shape of the series.
  Plateau,     ///< (begin, end, percent) what was judged
  Step,        ///< (at, before, after) levels in percent
  WarmUp,      ///< (at, before, after) discarded
  BurstEnded,  ///< (at, burst, level, bucket) burst and later level in percent; bucket in I/Os or
               ///< bytes
  BurstRemaining,  ///< (seconds) until a declared burst ends
  Alternating,     ///< (low, high) percent; several steps, the whole window counts
  Trend,           ///< (percent) change over the window
  Stall,           ///< (seconds) longest gap without a completion
  SawTooth,        ///< (period, swing) seconds, percent
  OutlierSeconds,  ///< (count, worst) percent
  Spread,          ///< (percent) coefficient of variation of the seconds
  Decline,         ///< (first, last) percent at the beginning and at the end
  // Second axis and hints.
  Availability,       ///< (share, proven, promised, seconds, longest)
  NotDemonstrable,    ///< (promised, needed) percent of the time, and seconds that would show it
  OverQuota,          ///< (percent)
  UnitMixUp,          ///< (ratio) such as 1.0486: MB against MiB
  OtherSize,          ///< (gib, percent) another size of this profile fits
  OtherProfile,       ///< subject = its id, (percent) another profile of this vendor fits
  SaturationLatency,  ///< (latency_us) depth / rate
  Disputed,           ///< (target, percent) by subject, which disagrees, the verdict is another
};

struct ReasonName {
  ReasonCode code;
  std::string_view name;
};

/// Every code with its name in the record, in the order of the enum.
extern const std::array<ReasonName, 45> reason_names;

/// "half_depth"
std::string_view name_of(ReasonCode code);

struct Reason {
  ReasonCode code = ReasonCode::Measured;
  std::vector<std::pair<std::string, double>> values{};
  std::string subject{};  ///< the name that it speaks of, where there is one
};

}  // namespace diskaudit
