#pragma once
/// What comes of judging one scenario.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/reasons.hpp"

namespace diskaudit {

enum class Outcome { Pass, Fail, Inconclusive, NotTested };

/// Why it is not a plain pass; the names in a record are these in snake_case.
enum class Cause {
  BelowQuota,
  BurstThenBelow,
  LatencyAboveRange,
  IoError,
  ClientLimited,
  DepthLimited,
  InstanceLimited,
  CgroupLimited,
  FilesystemLimited,
  Contaminated,
  Initialising,
  BurstOnly,
  Unsteady,
  Borderline,
  CacheServed,
  Interrupted,
};

std::string_view name_of(Outcome outcome);
std::string_view name_of(Cause cause);

/// A confidence interval of the percentage.
struct Interval {
  double low = 0;
  double high = 0;
  double confidence = 0.99;
};

/// The part of the window that was judged, where that is not the whole of it.
struct Plateau {
  double begin_seconds = 0;
  double end_seconds = 0;
};

/// How much of the time the disk kept the promised share of its quota. A second axis: it never
/// changes the outcome.
struct Availability {
  double promised_percent = 90;  ///< of the quota
  double share_percent = 0;      ///< of the seconds that reached it
  double proven_percent = 0;     ///< at least, with 95 % confidence, if seconds are independent
  unsigned seconds = 0;
  unsigned longest_bad_seconds = 0;
  std::optional<double> promised_time_percent{};  ///< of the time; none: no such promise
};

struct Verdict {
  Outcome outcome = Outcome::NotTested;
  std::optional<Cause> cause{};
  std::vector<std::string> flags{};  ///< "over", "latency_impossible", "unstable"
  std::vector<Reason> reasons{};
  std::string bound_by{};           ///< the ceiling that bound in the end, as Target's
  std::optional<double> percent{};  ///< measured / target × 100, of the plateau where there is one
  std::optional<Interval> interval{};
  std::optional<Plateau> plateau{};
  std::optional<Availability> availability{};
};

}  // namespace diskaudit
