#pragma once
/// A disk with a known truth, measured in virtual time: what the judge is calibrated with.

#include <functional>
#include <vector>

#include "calibration/random.hpp"
#include "judge/judge.hpp"

namespace diskaudit::calibration {

/// All rates are shares of the target.
struct Disk {
  /// What the disk gives at `seconds` since it was first used, before noise.
  std::function<double(double seconds)> level = [](double) { return 1.0; };
  double noise = 0;            ///< relative deviation of the seconds
  double autocorrelation = 0;  ///< of neighbouring seconds
  double full_depth = 0;       ///< outstanding needed for the level; 0 = any depth will do
  bool soft_knee = false;      ///< near `full_depth` the rate bends instead of breaking off
  double client_cap = 0;       ///< what the client can ask for; 0 = anything
  double cgroup_cap = 0;
  double foreign = 0;      ///< taken by another writer
  unsigned split = 1;      ///< device requests for each of ours; the level counts those
  bool cached = false;     ///< the device serves a tenth of what is read
  double error_every = 0;  ///< seconds between errors; 0 = none
  double saw_tooth = 0;    ///< of each second, the share in which its tokens are used up
};

/// A disk in use: its clock runs on through ramps, attempts and probes.
class Bench {
 public:
  Bench(const Disk& disk, std::uint64_t seed) : disk_(disk), random_(seed) {}

  /// Runs `job` as the runner would: ramp, window, and an end when `settled` says so.
  Measurement run(const Job& job, const std::function<bool(const Measurement&)>& settled);

 private:
  double next_second(const Job& job);
  void append(const Job& job, Measurement& measurement, double rate);

  const Disk& disk_;
  Random random_;
  double clock_ = 0;
  double deviation_ = 0;  ///< of the last second, in units of the noise
  double carry_ = 0;      ///< fraction of a request not yet completed
};

/// What the judge knows of the surroundings of such a disk.
Circumstances circumstances_of(const Disk& disk, const Job& job, double min_percent);

/// Measures and judges one scenario as the pipeline does.
struct Trial {
  Evidence evidence;
  Verdict verdict;
  double seconds = 0;  ///< of windows, ramps and probes together
};
Trial try_disk(const Disk& disk, const Job& job, double min_percent, std::uint64_t seed);

/// 4 KiB random reads, 256 of at most 1024 outstanding, 2600 IOPS, runtime `auto`.
Job random_read_job();

}  // namespace diskaudit::calibration
