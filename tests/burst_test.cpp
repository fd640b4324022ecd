#include "plan/burst.hpp"

#include "support/catch.hpp"

using namespace diskaudit;

namespace {

// AWS gp2 of 100 GiB: 300 IOPS, 3000 while 5.4 million credits last, 2000 s.
Quota gp2() {
  const Limits limits{Iops{300}, BytesPerSec{128e6}};
  return {.read = limits,
          .write = limits,
          .total = limits,
          .iops_burst = Burst{.rate = 3000, .bucket = 5.4e6, .refill = 300, .seconds = 2000}};
}

Plan plan_for(const Quota& quota, PlanOptions options,
              const std::vector<std::string>& names = {"rand-write-4k", "rand-read-4k"}) {
  options.scenarios = pick_scenarios(names).value();
  return make_plan(Profile{}, {{"gib", 100}}, quota, BlockDevice{}, std::move(options));
}

}  // namespace

TEST_CASE("a rested disk's bucket is full, and what is drawn beyond the refill is gone") {
  const Plan plan = plan_for(gp2(), {});
  BurstAccount account(plan.quota);
  REQUIRE(account.credit_for(plan.jobs[0]));
  CHECK(account.credit_for(plan.jobs[0])->rate == 3000);
  CHECK(account.credit_for(plan.jobs[0])->bucket == 5.4e6);
  account.draw(3000, 3000 * 4096, 100);
  CHECK(account.credit_for(plan.jobs[0])->bucket == Approx(5.4e6 - 270000));
  account.draw(0, 0, 100);
  CHECK(account.credit_for(plan.jobs[0])->bucket == Approx(5.4e6 - 240000));
  account.draw(0, 0, 1e6);
  CHECK(account.credit_for(plan.jobs[0])->bucket == 5.4e6);
  account.draw(3000, 3000 * 4096, 2001);
  CHECK_FALSE(account.credit_for(plan.jobs[0]));
}

TEST_CASE("a burst counts for what it is a burst of") {
  Quota quota = gp2();
  const std::vector<std::string> names = {"seq-read-256k", "rand-read-4k", "latency-read-4k"};
  SECTION("of requests: no help to a rate in bytes") {
    const Plan plan = plan_for(quota, {}, names);
    CHECK_FALSE(BurstAccount(plan.quota).credit_for(plan.jobs[0]));
    CHECK(BurstAccount(plan.quota).credit_for(plan.jobs[1]));
    CHECK_FALSE(BurstAccount(plan.quota).credit_for(plan.jobs[2]));
  }
  SECTION("of bytes, stated by its duration") {
    quota.iops_burst.reset();
    quota.throughput_burst = Burst{.rate = 228e6, .seconds = 1800};
    const Plan plan = plan_for(quota, {}, names);
    REQUIRE(BurstAccount(plan.quota).credit_for(plan.jobs[0]));
    CHECK(BurstAccount(plan.quota).credit_for(plan.jobs[0])->bucket == Approx(1800 * 100e6));
    CHECK_FALSE(BurstAccount(plan.quota).credit_for(plan.jobs[1]));
  }
  SECTION("of bytes, which bind small requests too") {
    quota.throughput_burst = Burst{.rate = 2e6, .bucket = 4096e3, .refill = 1e6};
    for (Limits* limits : {&quota.read, &quota.write, &quota.total}) {
      limits->throughput = BytesPerSec{1e6};
    }
    const Plan plan = plan_for(quota, {}, names);
    const auto credit = BurstAccount(plan.quota).credit_for(plan.jobs[1]);
    REQUIRE(credit);
    CHECK(credit->bucket == Approx(1000));
    CHECK(credit->rate == Approx(2e6 / 4096));
  }
  SECTION("an instance cap below the disk's figure has no burst") {
    const Plan plan = plan_for(quota, {.instance = {.iops = Iops{200}}}, names);
    CHECK_FALSE(BurstAccount(plan.quota).credit_for(plan.jobs[1]));
  }
  SECTION("without a declared end there is nothing to wait for") {
    quota.iops_burst = Burst{.rate = 3000};
    const Plan plan = plan_for(quota, {}, names);
    CHECK_FALSE(BurstAccount(plan.quota).credit_for(plan.jobs[1]));
  }
}

TEST_CASE("the forecast lets each scenario spend what those before it have left") {
  // 35 s at 2700 beyond the refill leave the second 94500 credits less, 35 s of burst.
  const auto forecast = burst_forecast(plan_for(gp2(), {}));
  REQUIRE(forecast.size() == 2);
  CHECK(forecast[0] == Approx(2000));
  CHECK(forecast[1] == Approx(1965));
  CHECK(burst_forecast(plan_for({.total = {Iops{300}}}, {})) == std::vector<double>{0, 0});
}

TEST_CASE(
    "until the baseline, the first scenario runs as long as the burst and the others do not") {
  const Plan plan = plan_for(gp2(), {.until_baseline = true});
  // 2000 s and a twentieth, of which the ramp takes 5, then 30 s of the level after it.
  CHECK(plan.jobs[0].runtime_seconds == Approx(2125));
  CHECK(plan.jobs[1].runtime_seconds == 0);
  const auto forecast = burst_forecast(plan);
  CHECK(forecast[0] == Approx(2000));
  CHECK(forecast[1] == 0);
  CHECK(plan_for(gp2(), {.until_baseline = true, .runtime_seconds = 8}).jobs[0].runtime_seconds ==
        Approx(2103));
  CHECK(plan_for(gp2(), {.until_baseline = false}).jobs[0].runtime_seconds == 0);
}
