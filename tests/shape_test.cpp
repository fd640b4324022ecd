#include "judge/shape.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "calibration/random.hpp"
#include "judge/findings.hpp"
#include "judge/judge.hpp"
#include "support/catch.hpp"
#include "support/made_measurement.hpp"
#include "support/read_verdict.hpp"

using namespace diskaudit;

namespace {

// Levels in percent and how many seconds each lasts, with a fixed flutter of ±0.5 points.
std::vector<double> levels(std::initializer_list<std::pair<double, int>> parts) {
  static constexpr double flutter[] = {0.3, -0.5, 0.1, 0.5, -0.3, -0.1, 0.4, -0.4};
  std::vector<double> values;
  for (const auto& [percent, seconds] : parts) {
    for (int i = 0; i < seconds; ++i) {
      values.push_back((percent + flutter[values.size() % 8]) / 100);
    }
  }
  return values;
}

Job job_of(double runtime) {
  Job job;
  job.scenario = {.name = "rand-read-4k", .block_size = Bytes{4096}, .iodepth = 256};
  job.target = Target{Metric::Iops, 2600, "iops"};
  job.iodepth = 256;
  job.max_iodepth = 1024;
  job.runtime_seconds = runtime;
  return job;
}

Measurement measured(const Job& job, const std::vector<double>& seconds) {
  std::vector<double> tenths;
  for (const double second : seconds) tenths.insert(tenths.end(), 10, second * 2600);
  return made_measurement(job.scenario, job.iodepth, tenths);
}

Evidence saturated(const Job& job, const std::vector<double>& seconds, double half) {
  Evidence evidence;
  evidence.judged = measured(job, seconds);
  Measurement probe = steady(job.scenario, 128, half / 100 * 2600, 10);
  evidence.probes.push_back({Purpose::HalfDepth, probe});
  return evidence;
}

}  // namespace

TEST_CASE("steps are found where they are, and only where levels differ by a twentieth") {
  const struct {
    std::vector<double> series;
    std::vector<std::size_t> at;
  } table[] = {
      {levels({{100, 60}}), {}},
      {levels({{100, 30}, {96, 30}}), {}},
      {levels({{100, 30}, {94, 30}}), {30}},
      {levels({{100, 55}, {50, 5}}), {55}},
      {levels({{100, 5}, {50, 55}}), {5}},
      {levels({{100, 57}, {50, 3}}), {}},
      {levels({{120, 20}, {100, 20}, {80, 20}}), {20, 40}},
      {levels({{100, 20}, {50, 20}, {100, 20}}), {20, 40}},
      {levels({{100, 12}, {50, 12}, {100, 12}, {50, 12}, {100, 12}, {50, 12}}), {}},
  };
  for (const auto& [series, at] : table) {
    INFO(series.size() << " seconds, first " << series.front() << ", last " << series.back());
    std::vector<std::size_t> found;
    for (const Step& step : find_steps(series)) found.push_back(step.at);
    if (series.size() == 72) {
      CHECK(found.size() <= 4);
    } else {
      CHECK(found == at);
    }
  }
}

TEST_CASE("noise alone makes hardly any steps, however correlated") {
  for (const double correlation : {0.5, 0.8}) {
    for (const int seconds : {60, 120}) {
      INFO(correlation << " over " << seconds << " s");
      calibration::Random random(1);
      int with_steps = 0;
      for (int series = 0; series < 200; ++series) {
        std::vector<double> values;
        double deviation = random.normal();
        for (int i = 0; i < seconds; ++i) {
          values.push_back(1 + 0.08 * deviation);
          const double own = std::sqrt(1 - correlation * correlation) * random.normal();
          deviation = correlation * deviation + own;
        }
        with_steps += !find_steps(values).empty();
      }
      CHECK(with_steps <= 10);
    }
  }
}

TEST_CASE("a step carries the levels on both sides") {
  const auto steps = find_steps(levels({{120, 24}, {80, 32}}));
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].before == Approx(1.2).margin(0.001));
  CHECK(steps[0].after == Approx(0.8).margin(0.001));
}

TEST_CASE("the form says which part of the window counts") {
  const struct {
    std::vector<double> series;
    Form form;
    std::size_t begin;
  } table[] = {
      {levels({{100, 60}}), Form::Level, 0},
      {levels({{50, 10}, {100, 50}}), Form::WarmUp, 10},
      {levels({{50, 20}, {100, 40}}), Form::WarmUp, 20},
      {levels({{50, 24}, {100, 36}}), Form::Alternating, 0},
      {levels({{50, 2}, {100, 58}}), Form::WarmUp, 2},
      {levels({{50, 2}, {100, 30}, {60, 28}}), Form::BurstEnded, 32},
      {levels({{100, 40}, {50, 20}}), Form::BurstEnded, 40},
      {levels({{150, 20}, {100, 20}, {40, 20}}), Form::BurstEnded, 40},
      {levels({{100, 20}, {50, 20}, {100, 20}}), Form::Alternating, 0},
      {levels({{50, 20}, {100, 20}, {50, 20}}), Form::Alternating, 0},
      {levels({{100, 5}, {10, 4}}), Form::Level, 0},
  };
  for (const auto& [series, form, begin] : table) {
    INFO(series.size() << " seconds, first " << series.front() << ", last " << series.back());
    const Shape shape = shape_of(series);
    CHECK(shape.form == form);
    CHECK(shape.begin == begin);
    CHECK(shape.end == series.size());
  }
}

TEST_CASE("a second in which the level changed counts on neither side, however it is shared out") {
  const auto [first, second] = GENERATE(std::pair{110, 50}, std::pair{50, 100});
  for (int tenths = 1; tenths < 10; ++tenths) {
    INFO(tenths << " tenths of it on the level of before, " << first);
    std::vector<double> series = levels({{first, 7}, {second, 25}});
    series[7] = (tenths * first + (10 - tenths) * second) / 1000.0;
    const Shape shape = shape_of(series);
    REQUIRE(shape.steps.size() == 1);
    CHECK(shape.begin == 8);
    CHECK(shape.steps[0].after == Approx(second / 100.0).margin(0.001));
  }
}

TEST_CASE("an ordinary second after a step counts") {
  CHECK(shape_of(levels({{100, 8}, {50, 25}})).begin == 8);
  std::vector<double> further = levels({{100, 8}, {50, 25}});
  further[8] = 0.55;
  further[20] = 0.43;
  CHECK(shape_of(further).begin == 8);
}

TEST_CASE("a slope is no staircase") {
  std::vector<double> falling = levels({{100, 60}});
  for (std::size_t i = 0; i < falling.size(); ++i) falling[i] -= 0.2 * double(i) / 59;
  const Shape shape = shape_of(falling);
  CHECK(shape.form == Form::Trending);
  CHECK(shape.line.begin == Approx(1.0).margin(0.003));
  CHECK(shape.line.end == Approx(0.8).margin(0.003));
  // Less than a twentieth over the window is no trend.
  std::vector<double> flat = levels({{100, 60}});
  for (std::size_t i = 0; i < flat.size(); ++i) flat[i] -= 0.04 * double(i) / 59;
  CHECK(shape_of(flat).form == Form::Level);
}

TEST_CASE("a stall is no step, wherever it lies") {
  for (std::size_t at = 1; at + 3 <= 60; ++at) {
    INFO(at);
    std::vector<double> series = levels({{100, 60}});
    for (std::size_t i = at; i < at + 3; ++i) series[i] = 0;
    CHECK(shape_of(series).form == Form::Level);
    CHECK(outliers_of(series).count == 3);
    CHECK(outliers_of(series).worst == 0);
  }
}

TEST_CASE("a saw-tooth is told by its period and swing") {
  std::vector<double> bins;
  for (int i = 0; i < 300; ++i) bins.push_back(i % 10 < 3 ? 300 : 10);
  const SawTooth saw_tooth = saw_tooth_of(bins);
  CHECK(saw_tooth.period == 10);
  CHECK(saw_tooth.swing == Approx(290 / 97.0));
  CHECK(saw_tooth_of(levels({{100, 300}})).period == 0);
  std::vector<double> once(300, 100);
  std::fill_n(once.begin() + 100, 30, 0.0);
  CHECK(saw_tooth_of(once).period == 0);
}

TEST_CASE("after a burst the last level is judged, and the burst is described") {
  const Job job = job_of(60);
  const Evidence evidence = saturated(job, levels({{120, 20}, {30, 40}}), 30);
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Fail);
  CHECK(verdict.cause == Cause::BurstThenBelow);
  CHECK(*verdict.percent == Approx(30).margin(0.1));
  REQUIRE(verdict.plateau);
  CHECK(verdict.plateau->begin_seconds == Approx(20));
  CHECK(verdict.plateau->end_seconds == Approx(60));
  CHECK(figure(verdict, ReasonCode::BurstEnded, "burst") == Approx(120).margin(0.1));
  CHECK(figure(verdict, ReasonCode::BurstEnded, "level") == Approx(30).margin(0.1));
  // 0.9 × 2600 beyond the later level, for 20 s and the ramp of 5 s.
  CHECK(figure(verdict, ReasonCode::BurstEnded, "bucket") == Approx(58500).epsilon(0.001));
  SECTION("a repetition that never saw the burst confirms it by the same name") {
    Evidence again = evidence;
    again.attempts.push_back(*again.judged);
    again.judged = measured(job, levels({{30, 60}}));
    CHECK(judge(job, again, {}).cause == Cause::BurstThenBelow);
  }
  SECTION("a later level that passes, passes") {
    const Verdict good = judge(job, saturated(job, levels({{150, 20}, {100, 40}}), 100), {});
    CHECK(good.outcome == Outcome::Pass);
    CHECK(*good.percent == Approx(100).margin(0.1));
    CHECK_FALSE(has_flag(good, "over"));
  }
  SECTION("from bad to worse is no burst") {
    const Verdict bad = judge(job, saturated(job, levels({{80, 20}, {30, 40}}), 30), {});
    CHECK(bad.cause == Cause::BelowQuota);
    CHECK(find(bad, ReasonCode::Step));
  }
}

TEST_CASE("a warm-up does not count") {
  const Job job = job_of(60);
  const Verdict verdict = judge(job, saturated(job, levels({{20, 12}, {100, 48}}), 100), {});
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(*verdict.percent == Approx(100).margin(0.1));
  CHECK(figure(verdict, ReasonCode::WarmUp, "at") == Approx(12));
}

TEST_CASE("an alternating disk is never judged on its last good stretch") {
  const Job job = job_of(60);
  const Verdict verdict =
      judge(job, saturated(job, levels({{100, 20}, {60, 20}, {100, 20}}), 87), {});
  CHECK(verdict.outcome == Outcome::Inconclusive);
  CHECK(verdict.cause == Cause::Unsteady);
  CHECK_FALSE(verdict.plateau);
  CHECK(figure(verdict, ReasonCode::Alternating, "low") == Approx(60).margin(0.1));
  CHECK(figure(verdict, ReasonCode::Alternating, "high") == Approx(100).margin(0.1));
  CHECK(has_flag(verdict, "unstable"));
}

TEST_CASE("a slope across the threshold decides nothing, and on one side of it, it does") {
  const auto slope_of = [&](int seconds, double begin, double end) {
    const Job job = job_of(seconds);
    std::vector<double> series = levels({{begin, seconds}});
    for (int i = 0; i < seconds; ++i) series[i] += (end - begin) / 100 * i / (seconds - 1);
    return judge(job, saturated(job, series, (begin + end) / 2), {});
  };
  const auto slope = [&](double begin, double end) { return slope_of(120, begin, end); };
  CHECK(slope(100, 84).cause == Cause::Unsteady);
  CHECK(slope(82, 97).cause == Cause::Unsteady);
  // The mean of a long one would be sure to pass.
  CHECK(slope_of(300, 112, 84).cause == Cause::Unsteady);
  CHECK(slope(84, 70).cause == Cause::BelowQuota);
  CHECK(slope(115, 100).outcome == Outcome::Pass);
  CHECK(figure(slope(115, 100), ReasonCode::Trend, "percent") == Approx(-13).margin(0.5));
}

TEST_CASE("an auto runtime waits for thirty seconds of the level that counts") {
  const Job job = job_of(0);
  const auto settled = [&](const std::vector<double>& series) {
    return is_settled(job, measured(job, series), {});
  };
  CHECK(settled(levels({{50, 30}})));
  CHECK_FALSE(settled(levels({{100, 20}, {50, 10}})));
  CHECK(settled(levels({{100, 20}, {50, 40}})));
  CHECK_FALSE(settled(levels({{100, 40}, {50, 20}})));
  CHECK(settled(levels({{100, 40}, {50, 80}})));
  SECTION("a fall in the last seconds is waited for") {
    CHECK_FALSE(settled(levels({{130, 27}, {95, 3}})));
    // The mean alone would pass.
    CHECK_FALSE(settled(levels({{130, 29}, {60, 1}})));
  }
}

TEST_CASE("the share of good seconds comes with what so many seconds prove") {
  // Published exact bounds: all good proves 0.05^(1/n).
  CHECK(proven_share(30, 30, 0.95) == Approx(0.9050).margin(0.0001));
  CHECK(proven_share(60, 60, 0.95) == Approx(0.9513).margin(0.0001));
  CHECK(proven_share(299, 299, 0.95) == Approx(0.9900).margin(0.0001));
  // Clopper and Pearson: 9 of 10, one-sided 95 %.
  CHECK(proven_share(9, 10, 0.95) == Approx(0.6058).margin(0.0001));
  CHECK(proven_share(0, 10, 0.95) == 0);
  CHECK(seconds_to_prove(0.99, 0.95) == 299);
  CHECK(seconds_to_prove(0.999, 0.95) == 2995);
  const Job job = job_of(60);
  const Verdict verdict = judge(
      job, saturated(job, levels({{100, 20}, {80, 1}, {100, 20}, {80, 2}, {100, 17}}), 99), {});
  REQUIRE(verdict.availability);
  CHECK(verdict.availability->seconds == 60);
  CHECK(verdict.availability->share_percent == Approx(95));
  CHECK(verdict.availability->longest_bad_seconds == 2);
  CHECK(verdict.availability->promised_percent == 90);
  CHECK(verdict.outcome == Outcome::Pass);
}

TEST_CASE("what lies in a void does not count") {
  const Job job = job_of(30);
  std::vector<double> series = levels({{100, 30}});
  for (std::size_t i = 10; i < 16; ++i) series[i] = 0;
  Evidence evidence = saturated(job, series, 100);
  CHECK(judge(job, evidence, {}).outcome != Outcome::Pass);
  evidence.judged->voids.push_back({9.95, 15.9, "suspended"});
  const Verdict verdict = judge(job, evidence, {});
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(*verdict.percent == Approx(100).margin(0.1));
}

TEST_CASE("a decline over minutes is stated") {
  const Job job = job_of(300);
  std::vector<double> series = levels({{100, 60}, {40, 240}});
  const Verdict verdict = judge(job, saturated(job, series, 40), {});
  CHECK(verdict.cause == Cause::BurstThenBelow);
  CHECK(figure(verdict, ReasonCode::Decline, "first") == Approx(100).margin(0.1));
  CHECK(figure(verdict, ReasonCode::Decline, "last") == Approx(40).margin(0.1));
}
