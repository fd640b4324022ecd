// The short form of the calibration: few trials of each kind of disk, the same each time. The
// program `calibration` runs as many as are wanted and prints the table.

#include <algorithm>
#include <string>

#include "calibration/cells.hpp"
#include "support/catch.hpp"

using namespace diskaudit;
using namespace diskaudit::calibration;

namespace {

constexpr unsigned trials = 15;

// All cells that `choose` takes, tried and added up; each cell has its own seed.
template <typename Choose>
Tally tally_of(Choose choose) {
  Tally all;
  std::uint64_t seed = 20240229;
  for (const Cell& cell : all_cells()) {
    ++seed;
    if (!choose(cell)) continue;
    const Tally tally = run_cell(cell, trials, seed);
    INFO(cell.group << ": " << cell.name << ": " << tally.passed << " passed, " << tally.failed
                    << " failed, " << tally.undecided << " undecided");
    const bool hard = cell.distance > 0 && cell.distance < 3;
    if (!hard) CHECK(tally.wrong_pass + tally.wrong_fail == 0);
    all.add(tally);
  }
  REQUIRE(all.trials > 0);
  return all;
}

}  // namespace

TEST_CASE("over noise and autocorrelation the judge is hardly ever wrong") {
  const Tally all = tally_of([](const Cell& cell) { return cell.group == "limiter"; });
  CHECK(all.wrong_pass <= 0.005 * all.trials);
  CHECK(all.wrong_fail <= 0.005 * all.trials);
  CHECK(all.passed > 0);
  CHECK(all.failed > 0);
}

TEST_CASE("a runtime that was asked for is judged as truly, if less often") {
  for (const std::string group : {"runtime 3 s", "runtime 10 s", "runtime 30 s"}) {
    INFO(group);
    const Tally all = tally_of([&](const Cell& cell) { return cell.group == group; });
    CHECK(all.wrong_pass <= 0.005 * all.trials);
    CHECK(all.wrong_fail <= 0.005 * all.trials);
  }
}

TEST_CASE("a quiet disk five points from the threshold is decided") {
  const Tally all = tally_of([](const Cell& cell) {
    return cell.group == "limiter" && cell.distance >= 5 && cell.noise <= 0.02;
  });
  CHECK(all.undecided <= 0.05 * all.trials);
}

TEST_CASE("what is not the disk's fault is named") {
  const Tally all = tally_of([](const Cell& cell) {
    return cell.truth == Truth::NotTheDisk || cell.truth == Truth::Impossible;
  });
  CHECK(all.failed == 0);
  CHECK(all.with_cause == all.trials);
  CHECK(all.right_cause >= 0.95 * all.trials);
}

TEST_CASE("bursts, warm-ups, depth and errors come out as what they are") {
  for (const std::string group :
       {"burst ends below", "burst ends at quota", "warm-up, then quota", "warm-up, then below",
        "saw-tooth", "depth", "requests split", "errors", "unit mix-up"}) {
    INFO(group);
    const Tally all = tally_of(
        [&](const Cell& cell) { return cell.group == group && cell.truth != Truth::NotTheDisk; });
    CHECK(all.undecided <= 0.02 * all.trials);
    CHECK(all.right_cause >= 0.95 * all.with_cause);
  }
}

TEST_CASE("dips, stalls, two levels and drifts are judged by what the window held") {
  for (const std::string group : {"dips to half", "stall", "two levels", "drift"}) {
    INFO(group);
    const Tally all = tally_of([&](const Cell& cell) { return cell.group == group; });
    CHECK(all.wrong_pass + all.wrong_fail == 0);
  }
}

TEST_CASE("a healthy disk has its verdict within forty seconds") {
  const Tally all = tally_of([](const Cell& cell) {
    return cell.group == "limiter" && cell.truth == Truth::Good && cell.distance == 10 &&
           cell.noise <= 0.01;
  });
  CHECK(all.seconds <= 40.0 * all.trials);
}
