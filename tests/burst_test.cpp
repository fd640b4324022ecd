#include "plan/burst.hpp"

#include <optional>

#include "audit/credits.hpp"
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

Traffic requests(double per_second, double seconds) {
  const double bytes = per_second * seconds * 4096;
  return {.seconds = seconds, .bytes = bytes, .request_bytes = 4096, .pattern = Pattern::Random};
}

Traffic rest(double seconds) { return {.seconds = seconds}; }

Traffic filling(double bytes, double request, double seconds) {
  return {.seconds = seconds, .bytes = bytes, .request_bytes = request};
}

// What is left for small random requests, and in bytes, after the traffic.
double left(const Quota& quota, const std::vector<Traffic>& traffic,
            const std::string& name = "rand-read-4k") {
  const Plan plan = plan_for(quota, {}, {name});
  BurstAccount account(plan.quota);
  for (const Traffic& one : traffic) account.draw(one);
  const auto credit = account.credit_for(plan.jobs[0]);
  return credit ? credit->bucket : 0;
}

}  // namespace

TEST_CASE("a rested disk's bucket is full, and what is drawn beyond the refill is gone") {
  const Plan plan = plan_for(gp2(), {});
  BurstAccount account(plan.quota);
  REQUIRE(account.credit_for(plan.jobs[0]));
  CHECK(account.credit_for(plan.jobs[0])->rate == 3000);
  CHECK(account.credit_for(plan.jobs[0])->bucket == 5.4e6);
  account.draw(requests(3000, 100));
  CHECK(account.credit_for(plan.jobs[0])->bucket == Approx(5.4e6 - 270000));
  account.draw(rest(100));
  CHECK(account.credit_for(plan.jobs[0])->bucket == Approx(5.4e6 - 240000));
  account.draw(rest(1e6));
  CHECK(account.credit_for(plan.jobs[0])->bucket == 5.4e6);
  account.draw(requests(3000, 2001));
  CHECK_FALSE(account.credit_for(plan.jobs[0]));
}

TEST_CASE("filling draws the I/Os that the vendor counts for its requests") {
  Quota quota = gp2();
  // 4 GiB by 512 KiB are 8192 requests; 10 s bring 3000 back.
  CHECK(left(quota, {filling(4 * GiB, 512 * KiB, 10)}) == Approx(5.4e6 - 8192 + 3000));
  // In units of 256 KiB they are 16384 I/Os, and the same if the requests are smaller.
  quota.io_unit = IoUnit{.size = {256 * KiB}};
  CHECK(left(quota, {filling(4 * GiB, 512 * KiB, 10)}) == Approx(5.4e6 - 16384 + 3000));
  CHECK(left(quota, {filling(4 * GiB, 128 * KiB, 10)}) == Approx(5.4e6 - 16384 + 3000));
  // Slower than the refill it takes nothing: 100 s bring 30000.
  CHECK(left(quota, {filling(4 * GiB, 512 * KiB, 100)}) == 5.4e6);
  // Random requests are counted one by one, however small.
  CHECK(left(quota, {requests(3000, 10)}) == Approx(5.4e6 - 30000 + 3000));
}

TEST_CASE("filling draws the bytes that it writes, and a rest brings them back") {
  Quota quota = gp2();
  quota.iops_burst.reset();
  quota.throughput_burst = Burst{.rate = 228e6, .bucket = 90e9, .refill = 128e6};
  // 5000 MB in 25 s are 200 MB/s: 72 MB/s beyond the refill.
  const Traffic full = filling(5e9, 1 << 20, 25);
  CHECK(left(quota, {full}, "seq-read-256k") == Approx(90e9 - 1.8e9));
  CHECK(left(quota, {full, rest(10)}, "seq-read-256k") == Approx(90e9 - 1.8e9 + 1.28e9));
  CHECK(left(quota, {full, rest(15)}, "seq-read-256k") == 90e9);
  // A small random request is charged a whole unit where the vendor says so: 200 MiB/s.
  quota.io_unit = IoUnit{.size = {MiB}, .full_charge = true};
  CHECK(left(quota, {requests(200, 10)}, "seq-read-256k") == Approx(90e9 - 2000.0 * MiB + 1.28e9));
}

TEST_CASE("credits are counted in what the target counts") {
  Quota quota = gp2();
  // A request of 16 KiB counts as four, so 750 of them a second are the 3000.
  quota.io_unit = IoUnit{.size = {4 * KiB}};
  const Plan plan = plan_for(quota, {}, {"rand-read-16k"});
  REQUIRE(plan.jobs[0].target);
  CHECK(plan.jobs[0].target->value == Approx(75));
  const auto credit = BurstAccount(plan.quota).credit_for(plan.jobs[0]);
  REQUIRE(credit);
  CHECK(credit->rate == Approx(750));
  CHECK(credit->bucket == Approx(5.4e6 / 4));
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
  SECTION("a burst below the target is none") {
    quota.iops_burst->rate = 200;
    const Plan plan = plan_for(quota, {}, names);
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

namespace {

// A run of 4 KiB requests whose window begins that many seconds after the machine's start.
Measurement ran(double rate, double begin, double seconds, unsigned iodepth = 256) {
  Measurement measurement{.iodepth = iodepth, .seconds = seconds};
  measurement.all.ios = static_cast<std::uint64_t>(rate * seconds);
  measurement.all.bytes = measurement.all.ios * 4096;
  measurement.window_begin_ns = static_cast<std::uint64_t>(begin * 1e9);
  measurement.window_end_ns = static_cast<std::uint64_t>((begin + seconds) * 1e9);
  return measurement;
}

}  // namespace

TEST_CASE("every draw of an audit counts with its own ramp, and every rest between them") {
  Audit audit;
  audit.plan = plan_for(gp2(), {});
  // 1 GiB by 256 KiB in 4 s: 4096 I/Os, 1200 come back. It ends at 10 s.
  audit.filling = Filling{{GiB}, {256 * KiB}, 4, 10'000'000'000};
  const double filled = 5.4e6 - 4096 + 1200;
  // The probe ramps for 0.2 s after 1 s of rest: 2.2 s at 500, 200 beyond the refill.
  ScenarioAudit first{.job = audit.plan.jobs[0]};
  first.evidence.probes = {{Purpose::Latency, ran(500, 11.2, 2, 1)}};
  const double probed = filled + 300 - 440;
  // After 2 s of rest 5 s of ramp and 30 s at 3000, 2700 beyond the refill.
  const Measurement attempt = ran(3000, 20.2, 30);
  CreditHistory credits(audit);
  std::optional<BurstCredit> credit;
  double after = probed + 600 - 2700 * 35;
  SECTION("one attempt") {
    first.evidence.judged = attempt;
    credit = credits.spend(first);
    CHECK(credit->bucket == Approx(probed + 600).epsilon(1e-12));
  }
  SECTION("a probe and an attempt before the judged one, which ends at 102.2 s") {
    // No rest; the probe at half the depth ramps for 2 s, and takes 2700 beyond for 12 s. Then the
    // second attempt like the first.
    first.evidence.attempts = {attempt};
    first.evidence.probes.push_back({Purpose::HalfDepth, ran(3000, 52.2, 10, 128)});
    first.evidence.judged = ran(3000, 67.2, 35);
    credit = credits.spend(first);
    after -= 2700 * 12;
    CHECK(credit->bucket == Approx(after).epsilon(1e-12));
    after -= 2700 * 40;
  }
  SECTION("a second pass after the judged one, which has no ramp") {
    first.evidence.judged = attempt;
    first.evidence.probes.push_back({Purpose::SecondPass, ran(3000, 50.2, 5)});
    credit = credits.spend(first);
    CHECK(credit->bucket == Approx(probed + 600).epsilon(1e-12));
    after -= 2700 * 5;
  }
  // Ten seconds later the next scenario's ramp begins.
  std::uint64_t end = first.evidence.judged->window_end_ns;
  if (first.evidence.probes.back().purpose == Purpose::SecondPass) end += 5'000'000'000;
  ScenarioAudit second{.job = audit.plan.jobs[1]};
  second.evidence.judged = ran(3000, static_cast<double>(end) / 1e9 + 15, 30);
  credit = credits.spend(second);
  CHECK(credit->bucket == Approx(after + 3000).epsilon(1e-12));
}

TEST_CASE("a record without times or a filling draws what it states, one after the other") {
  Audit audit;
  audit.plan = plan_for(gp2(), {});
  CreditHistory credits(audit);
  ScenarioAudit scenario{.job = audit.plan.jobs[0]};
  Measurement run = ran(3000, 0, 30);
  run.window_begin_ns = run.window_end_ns = 0;
  scenario.evidence = {.judged = run, .attempts = {run}, .probes = {{Purpose::HalfDepth, run}}};
  // Half of the depth ramps for 2 s, the attempts for 5 s.
  CHECK(credits.spend(scenario)->bucket == Approx(5.4e6 - 2700 * (32 + 35)).epsilon(1e-12));
  CHECK(credits.spend(ScenarioAudit{.job = audit.plan.jobs[1]}) == std::nullopt);
}
