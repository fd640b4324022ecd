#include "profile/advise.hpp"

#include "profile/library.hpp"
#include "support/catch.hpp"

using namespace diskaudit;

namespace {

Profile shipped(const std::string& id) {
  return find_profile({{std::string(SOURCE_FOLDER) + "/profiles"}}, id).value();
}

// 500 IOPS a GiB may be bought on top of a fixed base, and one of two tiers.
Profile made_profile() {
  return parse_profile(R"yaml(id: acme-elastic
vendor: Acme
name: Elastic
capacity: {min: 1, max: 1000}
inputs:
  iops: {unit: IOPS, default: 3000, min: 3000, max: "min(80000, max(3000, 500*gib))"}
  tier: {choices: {slow: 50, fast: 400}, default: 50}
quota:
  iops: iops
  throughput: {value: tier, unit: MB/s}
sources:
  - {title: Acme, url: "https://acme.example", read: 2026-11-30}
published:
  - {gib: 10, iops: 3000, throughput: 50, derived: true}
  - {gib: 10, inputs: {iops: 5000, tier: fast}, iops: 5000, throughput: 400, derived: true}
)yaml",
                       "elastic.yaml")
      .value();
}

}  // namespace

TEST_CASE("the smallest size is the first whole one at which the formulas suffice") {
  const Profile profile = shipped("tencent-standard");
  const Advice by_iops = advise(profile, {.iops = Iops{5000}, .throughput = {}});
  CHECK(by_iops.inputs->at("gib") == 400);  // 1800 + 8 × 400
  const Advice by_throughput = advise(profile, {.iops = {}, .throughput = BytesPerSec{140e6}});
  CHECK(by_throughput.inputs->at("gib") == 267);  // 100 + 0.15 × 266.7
  const Advice both = advise(profile, {.iops = Iops{5000}, .throughput = BytesPerSec{140e6}});
  CHECK(both.inputs->at("gib") == 400);
  CHECK(both.quota->read.iops == Iops{5000});
}

TEST_CASE("where no size suffices, the most that can be had is named") {
  const Profile profile = shipped("tencent-standard");
  CHECK(advise(profile, {.iops = Iops{6001}, .throughput = {}}).why_not == "at most 6000 IOPS");
  CHECK(advise(profile, {.iops = {}, .throughput = BytesPerSec{200e6}}).why_not ==
        "at most 150 MB/s");
}

TEST_CASE("settings are bought only as far as they are needed") {
  const Profile profile = made_profile();
  const Advice base = advise(profile, {.iops = Iops{2000}, .throughput = {}});
  CHECK(base.inputs->at("gib") == 1);
  CHECK(base.inputs->at("iops") == 3000);
  const Advice more = advise(profile, {.iops = Iops{20000}, .throughput = BytesPerSec{100e6}});
  CHECK(more.inputs->at("gib") == 40);  // 500 × 40
  CHECK(more.inputs->at("iops") == 20000);
  const Advice few = advise(profile, {.iops = Iops{4321}, .throughput = {}});
  CHECK(few.inputs->at("gib") == 9);  // 500 × 8.642
  CHECK(few.inputs->at("iops") == 4321);
  CHECK(more.settings.find("tier fast") != std::string::npos);
}

TEST_CASE("advice is listed smallest disk first, and what cannot comes last") {
  const std::vector<Advice> advices = {
      advise(shipped("huawei-sata"), {.iops = Iops{2500}, .throughput = {}}),
      advise(shipped("tencent-standard"), {.iops = Iops{2500}, .throughput = {}}),
      advise(shipped("huawei-ssd"), {.iops = Iops{2500}, .throughput = {}})};
  const std::string text = advice_text(advices);
  CHECK(text.find("huawei-ssd") < text.find("tencent-standard"));
  CHECK(text.find("tencent-standard") < text.find("huawei-sata"));
  CHECK(text.find("none: at most 1000 IOPS") != std::string::npos);
  const auto json = advice_json(advices);
  REQUIRE(json.size() == 3);
  CHECK(json[1]["gib"] == 88);
  CHECK(json[2]["quota"].is_null());
}
