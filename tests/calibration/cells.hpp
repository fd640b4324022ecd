#pragma once
/// The kinds of disks that the judge is calibrated with, and what is true of each.

#include <string>
#include <vector>

#include "calibration/disk.hpp"

namespace diskaudit::calibration {

enum class Truth {
  Good,        ///< at or above the threshold
  Bad,         ///< below it
  NotTheDisk,  ///< something else limits it: to fail it is wrong
  Impossible,  ///< the number cannot be the disk's: to pass it is wrong, and to fail it too
  ByWindow,    ///< what the judged window itself came to, one point aside
  Unseen,      ///< bad in the long run, for reasons that a window may not hold: no verdict is wrong
};

struct Cell {
  std::string group;
  std::string name;
  Truth truth = Truth::Good;
  double distance = 0;  ///< points from the threshold
  double noise = 0;
  /// A disk of this kind; some differ from trial to trial.
  std::function<Disk(Random&)> make;
  std::vector<Cause> causes{};  ///< right ones, when it does not pass; empty = any
  Job job = random_read_job();
  double min_percent = 90;
};

std::vector<Cell> all_cells();

/// What the trials of one cell came to.
struct Tally {
  unsigned trials = 0;
  unsigned passed = 0;
  unsigned failed = 0;
  unsigned undecided = 0;
  unsigned wrong_pass = 0;
  unsigned wrong_fail = 0;
  unsigned right_cause = 0;  ///< among those with a cause, where the cell names any
  unsigned with_cause = 0;
  double seconds = 0;  ///< sum, of disk time

  void add(const Tally& other);
};
Tally run_cell(const Cell& cell, unsigned trials, std::uint64_t seed);

}  // namespace diskaudit::calibration
