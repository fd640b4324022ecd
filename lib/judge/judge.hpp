#pragma once
/// Job + Evidence → Verdict. Pure: the same evidence gives the same verdict, live and replayed.

#include <optional>
#include <vector>

#include "judge/verdict.hpp"
#include "measure/measurement.hpp"
#include "plan/burst.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// What a measurement was made for. Latency: one request outstanding, before anything else.
/// SecondPass: the same blocks once more, from the first one on, without a ramp.
enum class Purpose { Attempt, HalfDepth, SecondPass, Latency };

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
  DiskKind kind = DiskKind::File;
  bool copy_on_write = false;  ///< the file system, where `kind` is File
  std::optional<BurstCredit> burst{};
  std::optional<double> promised_time_percent{};  ///< in which the vendor promises the quota
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
