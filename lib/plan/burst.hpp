#pragma once
/// Credits of a declared burst: how many are left as the scenarios of an audit follow each other.

#include <optional>
#include <vector>

#include "plan/plan.hpp"

namespace diskaudit {

/// What is left as a scenario begins, in its target's metric.
struct BurstCredit {
  double rate = 0;    ///< while it lasts
  double bucket = 0;  ///< I/Os or bytes beyond the target
};

/// What a disk did for some time, in requests as it saw them; nothing while it rested.
struct Traffic {
  double seconds = 0;
  double bytes = 0;
  double request_bytes = 0;
  Pattern pattern = Pattern::Sequential;
};

/// The buckets of a disk that had time to rest. What is not known to have been drawn is not drawn:
/// too many credits left make a verdict too careful, too few would make a burst pass for the quota.
class BurstAccount {
 public:
  explicit BurstAccount(const std::optional<Quota>& quota);

  /// None without a target, and where no burst applies to it or the burst has no declared end.
  std::optional<BurstCredit> credit_for(const Job& job) const;

  /// At an even rate: what comes in beyond a full bucket is lost.
  void draw(const Traffic& traffic);

 private:
  struct Bucket {
    double rate = 0;
    double size = 0;
    double level = 0;
    double refill = 0;

    void draw(double amount, double seconds);
  };
  static std::optional<Bucket> bucket_of(const std::optional<Burst>& burst, double baseline);

  std::optional<IoUnit> io_unit_{};
  std::optional<Bucket> ios_{};
  std::optional<Bucket> bytes_{};
};

/// What the job's window takes with a healthy disk.
double usual_seconds(const Job& job);

/// Seconds that each of the plan's jobs can run from its ramp on before the burst is used up, if
/// the disk gives all of it; 0 where there is none left. At most so long: what is done to the disk
/// beside the windows is not foreseen.
std::vector<double> burst_forecast(const Plan& plan);

/// Makes each job's window longer by its burst, so that the level after it is seen for as long as
/// the job was to be measured.
void run_until_baseline(Plan& plan);

}  // namespace diskaudit
