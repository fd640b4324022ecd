#include "plan/plan.hpp"

#include "plan/dispute.hpp"
#include "support/catch.hpp"

using namespace diskaudit;

namespace {

// Tencent's premium disk at 100 GiB: one unqualified figure of each kind.
Quota tencent_quota() {
  const Limits both{Iops{2600}, BytesPerSec{115e6}};
  return {.read = both, .write = both, .total = both};
}

Scenario scenario_named(const std::string& name) {
  const std::vector<std::string> names{name};
  return pick_scenarios(names).value().front();
}

BlockDevice device_with_queue(unsigned nr_requests, unsigned hardware_queues = 1) {
  BlockDevice device;
  device.nr_requests = nr_requests;
  device.hardware_queues = hardware_queues;
  return device;
}

Plan plan_for(PlanOptions options, const BlockDevice& device,
              std::optional<Quota> quota = tencent_quota()) {
  return make_plan(std::nullopt, {{"gib", 100}}, std::move(quota), device, std::move(options));
}

}  // namespace

TEST_CASE("the standard suite runs its four scenarios in the published order") {
  const auto standard = suite("standard").value();
  REQUIRE(standard.size() == 4);
  CHECK(standard[0].name == "seq-write-256k");
  CHECK(standard[1].name == "seq-read-256k");
  CHECK(standard[2].name == "rand-write-4k");
  CHECK(standard[3].name == "rand-read-4k");
  CHECK(standard[0].iodepth == 64);
  CHECK(standard[3].iodepth == 256);
}

TEST_CASE("an unknown suite or scenario is an error that lists the known ones") {
  CHECK(suite("fast").error().message ==
        "unknown suite 'fast'; known are standard, huawei-16k, mixed, latency, sustained-write");
  const std::vector<std::string> names{"rand-raed-4k"};
  const Error error = pick_scenarios(names).error();
  CHECK(error.code == ExitCode::Usage);
  CHECK(error.message.starts_with("unknown scenario 'rand-raed-4k'; known are seq-write-256k, "));
}

TEST_CASE("a random scenario is held against the smallest of its ceilings") {
  const Scenario read = scenario_named("rand-read-4k");
  Quota quota = tencent_quota();
  SECTION("the IOPS formula") {
    const Target target = target_of(read, quota, {}).value();
    CHECK(target.metric == Metric::Iops);
    CHECK(target.value == 2600);
    CHECK(target.bound_by == "iops");
  }
  SECTION("throughput, where the blocks would carry more than it allows") {
    quota.read.throughput = BytesPerSec{4096 * 1000};
    const Target target = target_of(read, quota, {}).value();
    CHECK(target.value == 1000);
    CHECK(target.bound_by == "throughput");
  }
  SECTION("the instance's IOPS") {
    const Target target = target_of(read, quota, {.iops = Iops{2000}}).value();
    CHECK(target.value == 2000);
    CHECK(target.bound_by == "instance_iops");
  }
  SECTION("the instance's throughput") {
    const Target target = target_of(read, quota, {.throughput = BytesPerSec{4096 * 500}}).value();
    CHECK(target.value == 500);
    CHECK(target.bound_by == "instance_throughput");
  }
}

TEST_CASE("a sequential scenario is held against throughput, and knows the IOPS ceiling") {
  const Scenario write = scenario_named("seq-write-256k");
  const Target target = target_of(write, tencent_quota(), {}).value();
  CHECK(target.metric == Metric::BytesPerSecond);
  CHECK(target.value == 115e6);
  CHECK(target.bound_by == "throughput");

  const Plan plan = plan_for({.scenarios = {write}}, device_with_queue(256));
  CHECK(plan.jobs[0].iops_ceiling == Iops{2600});
}

TEST_CASE("a mixed scenario is held against the sum of both directions") {
  const Scenario mixed = scenario_named("rand-mixed-4k");
  Quota quota = tencent_quota();
  SECTION("a single unqualified figure caps the sum") {
    CHECK(target_of(mixed, quota, {})->value == 2600);
  }
  SECTION("without a total, each ceiling is divided by its share") {
    quota.total = {};
    quota.read.iops = Iops{7000};
    quota.write.iops = Iops{1500};
    CHECK(target_of(mixed, quota, {})->value == Approx(5000));
  }
}

TEST_CASE("a request that the vendor counts as several I/Os takes as many of the quota") {
  const Scenario random = scenario_named("rand-read-16k");
  Quota quota{.read = {Iops{8000}, std::nullopt}};
  quota.io_unit = IoUnit{.size = Bytes{4 * KiB}};
  CHECK(target_of(random, quota, {})->value == 2000);
  CHECK(target_of(scenario_named("rand-read-4k"), quota, {})->value == 8000);
  quota.io_unit = IoUnit{.size = Bytes{12 * KiB}};
  CHECK(target_of(random, quota, {})->value == 4000);  // two of 12 KiB
  quota.io_unit->rounds_up = false;
  CHECK(target_of(random, quota, {})->value == Approx(6000));
  quota.io_unit = IoUnit{.size = Bytes{256 * KiB}};
  CHECK(target_of(random, quota, {})->value == 8000);
}

TEST_CASE("a small random request may be charged a whole unit of throughput") {
  Quota quota{.read = {Iops{20000}, BytesPerSec{160e6}}};
  quota.io_unit = IoUnit{.size = Bytes{16 * KiB}, .rounds_up = true, .full_charge = true};
  const Target target = target_of(scenario_named("rand-read-4k"), quota, {}).value();
  CHECK(target.value == Approx(160e6 / 16384));
  CHECK(target.bound_by == "throughput");
}

TEST_CASE("a sequential job knows the IOPS ceiling and what one of them is") {
  Quota quota = tencent_quota();
  quota.read.iops = quota.total.iops = Iops{300};
  quota.io_unit = IoUnit{.size = Bytes{256 * KiB}};
  const Plan plan =
      plan_for({.scenarios = {scenario_named("seq-read-256k")}}, device_with_queue(256), quota);
  CHECK(plan.jobs[0].iops_ceiling == Iops{300});
  REQUIRE(plan.jobs[0].io_unit);
  CHECK(plan.jobs[0].io_unit->size == Bytes{256 * KiB});
}

TEST_CASE("another document's figures take the place of their kind, and leave the rest") {
  const Quota quota = tencent_quota();
  DisputedQuota dispute;
  dispute.read.throughput = dispute.total.throughput = BytesPerSec{115.0 * MiB};
  const Plan plan =
      plan_for({.scenarios = {scenario_named("seq-read-256k"), scenario_named("seq-write-256k"),
                              scenario_named("rand-read-4k")}},
               device_with_queue(256), quota);
  CHECK(job_under(dispute, plan.jobs[0], plan).target->value == 115.0 * MiB);
  // The sum is capped; writes alone have no figure there.
  CHECK(job_under(dispute, plan.jobs[1], plan).target->value == 115.0 * MiB);
  CHECK(job_under(dispute, plan.jobs[2], plan).target->value == 2600);
  CHECK(job_under(dispute, plan.jobs[2], plan).iops_ceiling == Iops{2600});
  dispute.read = dispute.write = dispute.total = {Iops{1000}, std::nullopt};
  CHECK(job_under(dispute, plan.jobs[2], plan).target->value == 1000);
  CHECK(job_under(dispute, plan.jobs[0], plan).target->value == 115e6);
}

TEST_CASE("where both limits are served in turn, their times add up") {
  Quota quota{.read = {Iops{1000}, BytesPerSec{100e6}}};
  quota.combine = Combine::Serial;
  const double per_request = 1.0 / 1000 + 4096 / 100e6;
  CHECK(target_of(scenario_named("rand-read-4k"), quota, {})->value == Approx(1 / per_request));
  const double per_large = 1.0 / 1000 + 262144 / 100e6;
  const Target sequential = target_of(scenario_named("seq-read-256k"), quota, {}).value();
  CHECK(sequential.value == Approx(262144 / per_large));
  CHECK(sequential.bound_by == "throughput");
}

TEST_CASE("a latency scenario is held against the top of the published range of its direction") {
  Profile profile;
  profile.read_latency = LatencyRange{500, 3000};
  const Plan plan = make_plan(profile, {{"gib", 100}}, tencent_quota(), device_with_queue(256),
                              {.scenarios = suite("latency").value()});
  REQUIRE(plan.jobs[0].target);
  CHECK(plan.jobs[0].target->metric == Metric::LatencyUs);
  CHECK(plan.jobs[0].target->value == 3000);
  CHECK(plan.jobs[1].not_tested == "not_published");
}

TEST_CASE("where nothing is published, nothing is judged, whatever the instance's caps") {
  const InstanceCaps instance{.iops = Iops{1000}, .throughput = BytesPerSec{1e8}};
  CHECK_FALSE(target_of(scenario_named("rand-read-4k"), Quota{}, instance));
  CHECK_FALSE(target_of(scenario_named("seq-read-256k"), Quota{}, instance));
  const Plan plan =
      plan_for({.scenarios = {scenario_named("rand-read-4k")}}, device_with_queue(0), Quota{});
  CHECK(plan.jobs[0].not_tested == "not_published");
}

TEST_CASE("a read-only audit leaves every scenario that writes untested") {
  const Plan plan =
      plan_for({.scenarios = suite("standard").value(), .read_only = true}, device_with_queue(256));
  CHECK(plan.jobs[0].not_tested == "read_only");
  CHECK(plan.jobs[1].not_tested.empty());
  CHECK(plan.jobs[2].not_tested == "read_only");
  CHECK(plan.jobs[3].not_tested.empty());
  CHECK(plan_for({.scenarios = suite("mixed").value(), .read_only = true}, device_with_queue(256))
            .jobs[0]
            .not_tested == "read_only");
}

TEST_CASE("iodepth is the total outstanding, capped by the device's queue") {
  const std::vector<Scenario> read{scenario_named("rand-read-4k")};
  SECTION("a queue that holds it") {
    const Job job = plan_for({.scenarios = read}, device_with_queue(256, 2)).jobs[0];
    CHECK(job.iodepth == 256);
    CHECK(job.max_iodepth == 512);
  }
  SECTION("a smaller queue") {
    const Job job = plan_for({.scenarios = read}, device_with_queue(128)).jobs[0];
    CHECK(job.iodepth == 128);
    CHECK(job.max_iodepth == 128);
  }
  SECTION("a device without a queue of its own") {
    CHECK(plan_for({.scenarios = read}, device_with_queue(0, 0)).jobs[0].max_iodepth == 1024);
  }
  SECTION("the user's word is the last, within the queue") {
    CHECK(plan_for({.scenarios = read, .iodepth = 32}, device_with_queue(128)).jobs[0].iodepth ==
          32);
    CHECK(
        plan_for({.scenarios = read, .iodepth = 32}, device_with_queue(128)).jobs[0].max_iodepth ==
        32);
    CHECK(plan_for({.scenarios = read, .iodepth = 500}, device_with_queue(128)).jobs[0].iodepth ==
          128);
  }
}

TEST_CASE("threads are added only where the target needs them") {
  const std::vector<Scenario> read{scenario_named("rand-read-4k")};
  Quota fast = tencent_quota();
  fast.read = fast.total = {Iops{400'000}, std::nullopt};
  CHECK(plan_for({.scenarios = read, .cpus = 8}, device_with_queue(256)).jobs[0].threads == 1);
  CHECK(plan_for({.scenarios = read, .cpus = 8}, device_with_queue(256), fast).jobs[0].threads ==
        3);
  CHECK(plan_for({.scenarios = read, .cpus = 2}, device_with_queue(256), fast).jobs[0].threads ==
        1);
}
