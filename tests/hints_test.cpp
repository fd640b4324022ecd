#include "judge/hints.hpp"

#include <string>

#include "plan/alternatives.hpp"
#include "support/catch.hpp"

using namespace diskaudit;

namespace {

struct Point {
  int iops = 0;
  int throughput = 0;
};

// Of 10 and 32000 GiB.
Profile profile(const std::string& id, const std::string& vendor, const std::string& iops,
                const std::string& throughput, Point smallest, Point largest) {
  const auto point = [](int gib, Point at) {
    return "  - {gib: " + std::to_string(gib) + ", iops: " + std::to_string(at.iops) +
           ", throughput: " + std::to_string(at.throughput) + ", derived: true}\n";
  };
  const std::string points = point(10, smallest) + point(32000, largest);
  const std::string yaml = "id: " + id + "\nvendor: {en: " + vendor + "}\nname: {en: Disk}\n" +
                           "capacity: {min: 10, max: 32000}\nquota:\n  iops: " + iops +
                           "\n  throughput: {value: \"" + throughput +
                           "\", unit: MB/s}\nsources:\n" +
                           "  - {title: T, url: https://example.com/, dated: 2023-07-10, "
                           "read: 2024-01-01}\npublished:\n" +
                           points;
  const Result<Profile> parsed = parse_profile(yaml, "test.yaml");
  if (!parsed) FAIL(parsed.error().message);
  return *parsed;
}

Profile premium() {
  return profile("tencent-standard", "Tencent Cloud", "min(1800 + 8*gib, 6000)",
                 "min(100 + 0.2*gib, 150)", {1880, 102}, {6000, 150});
}

Observation random(double iops) {
  return {{.name = "rand-read-4k", .pattern = Pattern::Random, .block_size = Bytes{4096}}, iops};
}

Observation sequential(double bytes_per_second) {
  return {{.name = "seq-read-256k",
           .pattern = Pattern::Sequential,
           .block_size = Bytes{256 * KiB},
           .metric = Metric::BytesPerSecond},
          bytes_per_second};
}

Plan plan_for(double gib) {
  Plan plan;
  plan.profile = premium();
  plan.inputs = {{"gib", gib}};
  return plan;
}

double figure(const Reason& reason, std::string_view name) {
  for (const auto& [key, value] : reason.values) {
    if (key == name) return value;
  }
  FAIL("no figure " << name);
  return 0;
}

}  // namespace

TEST_CASE("mix-ups are told within half a percent") {
  for (const double ratio :
       {1.048576, 0.95367431640625, 1.073741824, 0.931322574615478515625, 2.0, 0.5}) {
    INFO("ratio " << ratio);
    CHECK(mix_up_ratio(ratio) == Approx(ratio).epsilon(1e-12));
    CHECK(mix_up_ratio(ratio * 1.0049) == Approx(ratio).epsilon(1e-12));
    CHECK(mix_up_ratio(ratio * 0.9951) == Approx(ratio).epsilon(1e-12));
    CHECK_FALSE(mix_up_ratio(ratio * 1.0051));
    CHECK_FALSE(mix_up_ratio(ratio * 0.9949));
  }
  CHECK_FALSE(mix_up_ratio(1));
}

TEST_CASE("a disk of another size is recognised by both of its figures") {
  // 200 GiB: 1800 + 8 × 200 = 3400 IOPS, 100 + 0.2 × 200 = 140 MB/s.
  const Observation observations[] = {random(3390), sequential(139.5e6)};
  const auto reasons = better_fits(plan_for(100), observations);
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0].code == ReasonCode::OtherSize);
  CHECK(figure(reasons[0], "gib") == Approx(200).margin(6));
  CHECK(figure(reasons[0], "percent") == Approx(100).margin(1));
  CHECK(better_fits(plan_for(200), observations).empty());
}

TEST_CASE("a size or type that fits but roughly is no hint") {
  // 10 % above what 200 GiB owes in IOPS, 5 % below it in throughput.
  const Observation observations[] = {random(3740), sequential(133e6)};
  CHECK(better_fits(plan_for(100), observations).empty());
}

TEST_CASE("beyond its cap the nearest size that fits is named") {
  const Observation observations[] = {random(6000), sequential(150e6)};
  const auto reasons = better_fits(plan_for(100), observations);
  REQUIRE(reasons.size() == 1);
  CHECK(figure(reasons[0], "gib") == Approx(530).margin(10));
}

TEST_CASE("rates of one kind alone, or rates of no size, hint at nothing") {
  const Observation one[] = {random(3400), random(3400)};
  CHECK(better_fits(plan_for(100), one).empty());
  const Observation other[] = {sequential(140e6), sequential(140e6)};
  CHECK(better_fits(plan_for(100), other).empty());
  const Observation slow[] = {random(600), sequential(120e6)};
  CHECK(better_fits(plan_for(100), slow).empty());
}

TEST_CASE("a few percent short of the stated size hint at no smaller one") {
  // 1800 + 8 × 80 = 2440 and 100 + 0.2 × 80 = 116: 94 and 97 % of what 100 GiB owe.
  const Observation close[] = {random(2440), sequential(116e6)};
  CHECK(better_fits(plan_for(100), close).empty());
  // 60 GiB: 2280 and 112, 88 and 93 %.
  const Observation off[] = {random(2280), sequential(112e6)};
  REQUIRE(better_fits(plan_for(100), off).size() == 1);
}

TEST_CASE("another type of the same vendor is named where it fits") {
  const Profile others[] = {
      premium(), profile("tencent-basic", "Tencent Cloud", "1000", "60", {1000, 60}, {1000, 60}),
      profile("other-basic", "Other Cloud", "1000", "60", {1000, 60}, {1000, 60}),
      profile("tencent-ssd", "Tencent Cloud", "min(1800 + 30*gib, 26000)", "260", {2100, 260},
              {26000, 260})};
  const Observation observations[] = {random(995), sequential(60.2e6)};
  Plan plan = plan_for(100);
  for (const Observation& observation : observations) {
    plan.jobs.push_back({.scenario = observation.scenario});
  }
  plan.alternatives = alternatives_of(plan, others);
  REQUIRE(plan.alternatives.size() == 2);
  CHECK(plan.alternatives[1].id == "tencent-ssd");
  CHECK(plan.alternatives[1].targets == std::vector<std::pair<std::string, double>>{
                                            {"rand-read-4k", 4800}, {"seq-read-256k", 260e6}});
  const auto reasons = better_fits(plan, observations);
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0].code == ReasonCode::OtherProfile);
  CHECK(reasons[0].subject == "tencent-basic");
  CHECK(figure(reasons[0], "percent") == Approx(99.9).margin(0.1));
}
