#pragma once
/// Job + Evidence → Verdict. Pure: the same evidence gives the same verdict, live and replayed.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/measurement.hpp"
#include "plan/plan.hpp"

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

/// One finding as a code ("measured", "half_depth", …) and its figures; people's words for it are
/// made by the reports, in their language.
struct Reason {
  std::string code{};
  std::vector<std::pair<std::string, double>> values{};
};

struct Verdict {
  Outcome outcome = Outcome::NotTested;
  std::optional<Cause> cause{};
  std::vector<std::string> flags{};  ///< "over", …
  std::vector<Reason> reasons{};
  std::optional<double> percent{};  ///< measured / target × 100
  std::optional<Interval> interval{};
};

/// What a measurement was made for.
enum class Purpose { Attempt, HalfDepth };

struct Probe {
  Purpose purpose = Purpose::HalfDepth;
  Measurement measurement{};
};

/// Everything measured for one scenario.
struct Evidence {
  std::optional<Measurement> judged{};  ///< the attempt that counts
  std::vector<Measurement> attempts{};  ///< before it: repetitions, other depths
  std::vector<Probe> probes{};
};

/// What the judge must know of the surroundings.
struct Circumstances {
  Tolerance tolerance{};
  Environment environment{};
  BlockDevice device{};
};

Verdict judge(const Job& job, const Evidence& evidence, const Circumstances& circumstances);

/// Whether the series so far settles the verdict, so that an `auto` runtime may end.
bool is_settled(const Job& job, const Measurement& so_far, const Tolerance& tolerance);

/// What to measure next to make the verdict true; none when nothing more would help.
struct NextStep {
  Purpose purpose = Purpose::Attempt;
  unsigned iodepth = 1;
};
std::optional<NextStep> next_step(const Job& job, const Evidence& evidence,
                                  const Circumstances& circumstances);

}  // namespace diskaudit
