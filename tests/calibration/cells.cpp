#include "calibration/cells.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "judge/rate.hpp"

namespace diskaudit::calibration {
namespace {

using Cells = std::vector<Cell>;

constexpr double noises[] = {0.002, 0.01, 0.02, 0.05, 0.10};
constexpr double correlations[] = {-0.3, 0, 0.5, 0.8};

std::function<Disk(Random&)> same(Disk disk) {
  return [disk](Random&) { return disk; };
}

std::function<double(double)> flat(double level) {
  return [level](double) { return level; };
}

Cell cell(std::string group, std::string name, Truth truth, Disk disk,
          std::vector<Cause> causes = {}) {
  const double noise = disk.noise;
  return {.group = std::move(group),
          .name = std::move(name),
          .truth = truth,
          .noise = noise,
          .make = same(std::move(disk)),
          .causes = std::move(causes)};
}

void add_limiters(Cells& cells) {
  for (const double percent :
       {50., 80., 85., 87., 89., 91., 93., 95., 97., 100., 105., 130., 200.}) {
    for (const double noise : noises) {
      for (const double correlation : correlations) {
        Cell one =
            cell("limiter",
                 fmt::format("{:g} %, noise {:g} %, autocorrelation {:g}", percent, noise * 100,
                             correlation),
                 percent >= 90 ? Truth::Good : Truth::Bad,
                 {.level = flat(percent / 100), .noise = noise, .autocorrelation = correlation});
        one.distance = std::abs(percent - 90);
        if (percent < 90) one.causes = {Cause::BelowQuota, Cause::Borderline, Cause::Unsteady};
        cells.push_back(std::move(one));
      }
    }
  }
}

// The runtime that was asked for, judged once at its end.
void add_fixed_runtimes(Cells& cells) {
  for (const double runtime : {3., 10., 30.}) {
    for (const double percent : {85., 87., 89., 91., 93., 95.}) {
      for (const double noise : {0.002, 0.02, 0.05}) {
        for (const double correlation : {0., 0.5, 0.8}) {
          Cell one =
              cell(fmt::format("runtime {:g} s", runtime),
                   fmt::format("{:g} %, noise {:g} %, autocorrelation {:g}", percent, noise * 100,
                               correlation),
                   percent >= 90 ? Truth::Good : Truth::Bad,
                   {.level = flat(percent / 100), .noise = noise, .autocorrelation = correlation});
          one.distance = std::abs(percent - 90);
          one.job.runtime_seconds = runtime;
          cells.push_back(std::move(one));
        }
      }
    }
  }
}

std::function<double(double)> then(double first, double until, double second) {
  return [=](double seconds) { return seconds < until ? first : second; };
}

void add_steps(Cells& cells) {
  for (const double noise : {0.002, 0.01, 0.02}) {
    for (const double until : {10., 25., 30., 55., 90.}) {
      for (const double later : {0.1, 0.5, 0.8}) {
        const std::string name =
            fmt::format("after {:g} s to {:g} %, noise {:g} %", until, later * 100, noise * 100);
        const Disk disk{.level = then(1.2, until, later), .noise = noise};
        if (until < 35) {
          cells.push_back(
              cell("burst ends below", name, Truth::Bad, disk, {Cause::BurstThenBelow}));
        } else {
          cells.push_back(cell("risk: burst outlasts the window", name, Truth::Unseen, disk));
        }
      }
      cells.push_back(cell("burst ends at quota",
                           fmt::format("after {:g} s, noise {:g} %", until, noise * 100),
                           Truth::Good, {.level = then(1.5, until, 1.0), .noise = noise}));
    }
    for (const double until : {8., 11., 14.}) {
      cells.push_back(cell("warm-up, then quota",
                           fmt::format("{:g} s at 30 %, noise {:g} %", until - 5, noise * 100),
                           Truth::Good, {.level = then(0.3, until, 1.0), .noise = noise}));
      cells.push_back(cell("warm-up, then below",
                           fmt::format("{:g} s at 30 %, noise {:g} %", until - 5, noise * 100),
                           Truth::Bad, {.level = then(0.3, until, 0.8), .noise = noise},
                           {Cause::BelowQuota}));
    }
  }
}

// Each second on its own is bad with probability `share`.
std::function<Disk(Random&)> dips(double base, double share, double low, double noise) {
  return [=](Random& random) {
    const std::uint64_t seed = random.bits();
    const auto level = [=](double seconds) {
      Random second(seed + static_cast<std::uint64_t>(seconds));
      return second.uniform() < share ? low : base;
    };
    return Disk{.level = level, .noise = noise};
  };
}

// Two levels, each held for `dwell` seconds on average.
std::function<Disk(Random&)> bimodal(double low, double high, double dwell) {
  return [=](Random& random) {
    std::vector<double> levels;
    double now = random.uniform() < 0.5 ? low : high;
    for (int second = 0; second < 1000; ++second) {
      levels.push_back(now);
      if (random.uniform() < 1 / dwell) now = low + high - now;
    }
    return Disk{.level = [levels](double seconds) { return levels[std::size_t(seconds) % 1000]; },
                .noise = 0.01};
  };
}

std::function<Disk(Random&)> stall(double length) {
  return [=](Random& random) {
    const double at = random.uniform(5, 60);
    return Disk{
        .level = [=](double seconds) { return seconds >= at && seconds < at + length ? 0.0 : 1.0; },
        .noise = 0.01};
  };
}

std::function<Disk(Random&)> drift(double begin, double end, double noise) {
  return [=](Random&) {
    return Disk{
        .level =
            [=](double seconds) { return begin + (end - begin) * std::min(1.0, seconds / 125); },
        .noise = noise};
  };
}

void add_wandering(Cells& cells) {
  const auto add = [&](std::string group, std::string name, std::function<Disk(Random&)> make) {
    cells.push_back({.group = std::move(group),
                     .name = std::move(name),
                     .truth = Truth::ByWindow,
                     .noise = 0.01,
                     .make = std::move(make)});
  };
  for (const double share : {0.02, 0.05, 0.10}) {
    for (const double base : {0.93, 0.96, 1.0}) {
      add("dips to half", fmt::format("{:g} % of seconds, else {:g} %", share * 100, base * 100),
          dips(base, share, base / 2, 0.01));
    }
  }
  for (const double length : {1., 3., 5.})
    add("stall", fmt::format("{:g} s", length), stall(length));
  for (const double dwell : {3., 10., 30.}) {
    add("two levels", fmt::format("70 and 105 %, {:g} s each", dwell), bimodal(0.7, 1.05, dwell));
    add("two levels", fmt::format("85 and 100 %, {:g} s each", dwell), bimodal(0.85, 1.0, dwell));
  }
  for (const double noise : {0.002, 0.02}) {
    add("drift", fmt::format("105 to 85 %, noise {:g} %", noise * 100), drift(1.05, 0.85, noise));
    add("drift", fmt::format("80 to 100 %, noise {:g} %", noise * 100), drift(0.8, 1.0, noise));
    add("drift", fmt::format("88 to 70 %, noise {:g} %", noise * 100), drift(0.88, 0.7, noise));
  }
  for (const double percent : {80., 87., 93., 100.}) {
    Cell one =
        cell("saw-tooth", fmt::format("{:g} %", percent), percent >= 90 ? Truth::Good : Truth::Bad,
             {.level = flat(percent / 100), .noise = 0.01, .saw_tooth = 0.3});
    one.distance = std::abs(percent - 90);
    cells.push_back(one);
  }
}

void add_depth(Cells& cells, double noise) {
  const std::string suffix = fmt::format(", noise {:g} %", noise * 100);
  for (const bool soft : {false, true}) {
    const std::string knee = soft ? "soft knee, " : "sharp knee, ";
    cells.push_back(cell("depth", knee + "quota at 4 times the deepest queue" + suffix,
                         Truth::NotTheDisk, {.noise = noise, .full_depth = 4096, .soft_knee = soft},
                         {Cause::DepthLimited}));
    cells.push_back(cell("depth", knee + "quota at 1.3 times the deepest queue" + suffix,
                         Truth::NotTheDisk, {.noise = noise, .full_depth = 1350, .soft_knee = soft},
                         {Cause::DepthLimited}));
  }
  cells.push_back(cell("depth", "quota at twice the published depth" + suffix, Truth::Good,
                       {.noise = noise, .full_depth = 512}));
  cells.push_back(cell("depth", "60 % at twice the published depth" + suffix, Truth::Bad,
                       {.level = flat(0.6), .noise = noise, .full_depth = 512},
                       {Cause::BelowQuota}));
}

void add_others(Cells& cells, double noise) {
  const std::string suffix = fmt::format(", noise {:g} %", noise * 100);
  for (const double cap : {0.3, 0.8}) {
    const std::string percent = fmt::format("{:g} %", cap * 100) + suffix;
    cells.push_back(cell("client's CPU", percent, Truth::NotTheDisk,
                         {.noise = noise, .client_cap = cap}, {Cause::ClientLimited}));
    cells.push_back(cell("own cgroup", percent, Truth::NotTheDisk,
                         {.noise = noise, .cgroup_cap = cap}, {Cause::CgroupLimited}));
    cells.push_back(cell("another writer", fmt::format("takes {:g} %", (1 - cap) * 100) + suffix,
                         Truth::NotTheDisk, {.noise = noise, .foreign = 1 - cap},
                         {Cause::Contaminated}));
  }
  cells.push_back(cell("own cgroup", "at 80 %, the disk gives 50 %" + suffix, Truth::Bad,
                       {.level = flat(0.5), .noise = noise, .cgroup_cap = 0.8},
                       {Cause::BelowQuota}));
  cells.push_back(cell("another writer", "takes 10 %, the disk gives 60 %" + suffix, Truth::Bad,
                       {.level = flat(0.6), .noise = noise, .foreign = 0.1}, {Cause::BelowQuota}));
  Cell instance = cell("instance cap", "at the cap" + suffix, Truth::NotTheDisk,
                       {.level = flat(0.97), .noise = noise}, {Cause::InstanceLimited});
  instance.job.target->bound_by = "instance_iops";
  instance.min_percent = 99;
  cells.push_back(instance);
  Cell split =
      cell("requests split", "two each" + suffix, Truth::Good, {.noise = noise, .split = 2});
  split.job.scenario.block_size = Bytes{16 * KiB};
  cells.push_back(split);
  cells.push_back(cell("cache", "a tenth is read" + suffix, Truth::Impossible,
                       {.level = flat(3), .noise = noise, .cached = true}, {Cause::CacheServed}));
  cells.push_back(cell("errors", "one in 7 s" + suffix, Truth::Bad,
                       {.noise = noise, .error_every = 7}, {Cause::IoError}));
  for (const double ratio : {0.9537, 1.0486, 0.5, 2.0}) {
    cells.push_back(cell("unit mix-up", fmt::format("{:g} %", ratio * 100) + suffix,
                         ratio >= 0.9 ? Truth::Good : Truth::Bad,
                         {.level = flat(ratio), .noise = noise}));
  }
}

// The truth of one trial; none where the window itself is within a point of the threshold.
std::optional<Truth> truth_of(const Cell& cell, const Trial& trial) {
  if (cell.truth == Truth::Unseen) return std::nullopt;
  if (cell.truth != Truth::ByWindow) return cell.truth;
  const double percent = value_of(cell.job, *trial.evidence.judged) / cell.job.target->value * 100;
  if (percent >= cell.min_percent + 1) return Truth::Good;
  if (percent <= cell.min_percent - 1) return Truth::Bad;
  return std::nullopt;
}

}  // namespace

std::vector<Cell> all_cells() {
  Cells cells;
  add_limiters(cells);
  add_fixed_runtimes(cells);
  add_steps(cells);
  add_wandering(cells);
  for (const double noise : {0.002, 0.02, 0.05}) {
    add_depth(cells, noise);
    add_others(cells, noise);
  }
  return cells;
}

void Tally::add(const Tally& other) {
  trials += other.trials;
  passed += other.passed;
  failed += other.failed;
  undecided += other.undecided;
  wrong_pass += other.wrong_pass;
  wrong_fail += other.wrong_fail;
  right_cause += other.right_cause;
  with_cause += other.with_cause;
  seconds += other.seconds;
}

Tally run_cell(const Cell& cell, unsigned trials, std::uint64_t seed) {
  Tally tally;
  Random random(seed);
  for (unsigned i = 0; i < trials; ++i) {
    const Disk disk = cell.make(random);
    const Trial trial = try_disk(disk, cell.job, cell.min_percent, random.bits());
    const Outcome outcome = trial.verdict.outcome;
    const auto truth = truth_of(cell, trial);
    ++tally.trials;
    tally.passed += outcome == Outcome::Pass;
    tally.failed += outcome == Outcome::Fail;
    tally.undecided += outcome == Outcome::Inconclusive;
    const bool may_not_pass = truth && (*truth == Truth::Bad || *truth == Truth::Impossible);
    const bool may_not_fail = truth && *truth != Truth::Bad;
    tally.wrong_pass += outcome == Outcome::Pass && may_not_pass;
    tally.wrong_fail += outcome == Outcome::Fail && may_not_fail;
    tally.seconds += trial.seconds;
    if (cell.causes.empty() || !trial.verdict.cause) continue;
    ++tally.with_cause;
    tally.right_cause += std::ranges::count(cell.causes, *trial.verdict.cause) > 0;
  }
  return tally;
}

}  // namespace diskaudit::calibration
