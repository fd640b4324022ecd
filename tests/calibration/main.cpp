// Prints how often the judge is wrong, over disks with a known truth.
//   calibration [--trials N] [--seed N] [--cells] [--group NAME]

#include <fmt/core.h>

#include <boost/math/distributions/beta.hpp>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "calibration/cells.hpp"

using namespace diskaudit;
using namespace diskaudit::calibration;

namespace {

// One-sided 95 % upper bound by Clopper and Pearson.
double upper_bound(unsigned hits, unsigned trials) {
  if (trials == 0 || hits >= trials) return 1;
  const boost::math::beta_distribution<double> share(hits + 1.0, trials - hits);
  return boost::math::quantile(share, 0.95);
}

double percent(unsigned hits, unsigned trials) { return trials == 0 ? 0 : 100.0 * hits / trials; }

void print_row(const std::string& name, const Tally& tally) {
  fmt::print(
      "| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.3f} (≤ {:.3f}) | {:.3f} (≤ {:.3f}) | {} | {:.0f} "
      "|\n",
      name, tally.trials, percent(tally.passed, tally.trials), percent(tally.failed, tally.trials),
      percent(tally.undecided, tally.trials), percent(tally.wrong_pass, tally.trials),
      100 * upper_bound(tally.wrong_pass, tally.trials), percent(tally.wrong_fail, tally.trials),
      100 * upper_bound(tally.wrong_fail, tally.trials),
      tally.with_cause == 0 ? std::string("–")
                            : fmt::format("{:.1f}", percent(tally.right_cause, tally.with_cause)),
      tally.seconds / tally.trials);
}

std::string row_of(const Cell& cell) {
  if (cell.group.starts_with("runtime")) {
    const char* side = cell.truth == Truth::Good ? "above" : "below";
    return fmt::format("{}, {:g} points {}", cell.group, cell.distance, side);
  }
  if (cell.group != "limiter") return cell.group;
  const char* side = cell.truth == Truth::Good ? "above" : "below";
  const char* noise = cell.noise <= 0.02 ? "noise ≤ 2 %" : "noise 5 and 10 %";
  return fmt::format("limiter {:g} points {}, {}", cell.distance, side, noise);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned trials = 3000;
  std::uint64_t seed = 1;
  bool each_cell = false;
  std::string group;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--cells") {
      each_cell = true;
    } else if (i + 1 < argc && option == "--trials") {
      trials = static_cast<unsigned>(std::atoi(argv[++i]));
    } else if (i + 1 < argc && option == "--seed") {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (i + 1 < argc && option == "--group") {
      group = argv[++i];
    } else {
      fmt::print(stderr, "usage: calibration [--trials N] [--seed N] [--cells] [--group NAME]\n");
      return 2;
    }
  }
  std::vector<std::string> order;
  std::map<std::string, Tally> rows;
  Tally all;
  fmt::print(
      "| disks | trials | pass % | fail % | undecided % | wrong pass % | wrong fail % | right "
      "cause % | seconds |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const Cell& cell : all_cells()) {
    if (!group.empty() && !cell.group.starts_with(group)) continue;
    const Tally tally = run_cell(cell, trials, seed++);
    if (each_cell) print_row(cell.group + ": " + cell.name, tally);
    const std::string row = row_of(cell);
    if (!rows.contains(row)) order.push_back(row);
    rows[row].add(tally);
    all.add(tally);
  }
  for (const std::string& row : order) print_row(row, rows[row]);
  print_row("all", all);
  return 0;
}
