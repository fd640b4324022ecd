// The parts of the profile format beyond a plain formula, each through a file in tests/profiles/.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "profile/crossings.hpp"
#include "profile/profile.hpp"
#include "profile/profile_json.hpp"
#include "profile/show.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

Profile load(const std::string& name) {
  const fs::path file = fs::path(SOURCE_FOLDER) / "tests/profiles" / ("good-" + name + ".yaml");
  const Result<Profile> profile = parse_profile(read_file(file), name + ".yaml");
  INFO((profile ? "" : profile.error().message));
  REQUIRE(profile);
  return *profile;
}

Result<Quota> try_quota(const Profile& profile, double gib, const Words& words = {}) {
  const Result<Inputs> inputs = read_inputs(profile, gib, words);
  if (!inputs) return std::unexpected(inputs.error());
  return evaluate(profile, *inputs);
}

Quota quota_of(const Profile& profile, double gib, const Words& words = {}) {
  const Result<Quota> quota = try_quota(profile, gib, words);
  INFO((quota ? "" : quota.error().message));
  REQUIRE(quota);
  return *quota;
}

std::string error(const Profile& profile, double gib, const Words& words = {}) {
  const Result<Quota> quota = try_quota(profile, gib, words);
  return quota ? "no error" : quota.error().message;
}

}  // namespace

TEST_CASE("inputs have defaults, and limits that follow the size and each other") {
  const Profile profile = load("provisioned");
  CHECK(quota_of(profile, 100).total.iops->value == 3000);
  CHECK(
      quota_of(profile, 100, {{"iops", "16000"}, {"throughput", "1000"}}).total.throughput->value ==
      1000 * 1048576.0);
  CHECK(quota_of(profile, 100).explain ==
        std::vector<std::string>{"IOPS = iops = 3000", "throughput = throughput = 125 MiB/s"});
  CHECK(error(profile, 8, {{"iops", "5000"}}) ==
        "input iops = 5000 does not fit test-provisioned: it must be at most 4000 (min(80000, "
        "max(3000, 500*gib)))");
  CHECK(error(profile, 8, {{"iops", "2999"}}) ==
        "input iops = 2999 does not fit test-provisioned: it must be at least 3000");
  CHECK(error(profile, 8, {{"iops", "fast"}}) == "input iops = fast is no number");
  CHECK(error(profile, 8, {{"iops", "nan"}}) == "input iops = nan is no number");
  CHECK(
      error(profile, 8, {{"iop", "5000"}}) ==
      "unknown input 'iop' for test-provisioned; did you mean 'iops'?; it takes iops, throughput");
  CHECK(error(profile, 8, {{"gib", "5"}}) == "the size is given with --size, not as an input");
  CHECK(error(profile, 8, {{"iops", "3000"}, {"iops", "3000"}}) == "input 'iops' is given twice");
}

TEST_CASE("an input without a default must be given") {
  const Profile profile = load("piecewise");
  CHECK(error(profile, 100) ==
        "test-piecewise needs the input 'iops' (100 to 5000 IOPS); give it with --input iops=…");
  CHECK(error(profile, 100, {{"iops", "205"}}) ==
        "input iops = 205 does not fit test-piecewise: it must be a multiple of 10");
}

TEST_CASE("a formula in pieces is a table of formulas") {
  const Profile profile = load("piecewise");
  const Quota low = quota_of(profile, 1280, {{"iops", "1000"}});
  CHECK(low.total.throughput->value == 250 * 1048576.0);
  CHECK(low.explain == std::vector<std::string>{
                           "table band: row gib up to 1280", "table rate: row iops up to 32000",
                           "IOPS = iops = 1000", "throughput = rate.mib = 250 MiB/s"});
  CHECK(quota_of(profile, 1280, {{"iops", "48000"}}).total.throughput->value == 625 * 1048576.0);
}

TEST_CASE("a tier follows the size, or is set above it") {
  const Profile profile = load("tiers");
  const struct {
    double gib, iops;
  } table[] = {{4, 240}, {64, 240}, {65, 500}, {128, 500}, {129, 2300}, {512, 2300}, {513, 5000}};
  for (const auto& [gib, iops] : table) CHECK(quota_of(profile, gib).total.iops->value == iops);
  CHECK(quota_of(profile, 65, {{"tier", "P30"}}).total.iops->value == 5000);
  CHECK(quota_of(profile, 65, {{"tier", "P30"}, {"plus", "on"}}).total.iops->value == 8000);
  CHECK(error(profile, 200, {{"tier", "P10"}}) ==
        "input tier = P10 does not fit test-tiers: it must be at least 200 (gib)");
  CHECK(error(profile, 200, {{"tier", "P11"}}) ==
        "input tier = P11 does not fit test-tiers: it must be one of P6, P10, P20, P30; did you "
        "mean 'P10'?");
}

TEST_CASE("a burst lasts as long as its credits, and ends where the quota is as high") {
  const Profile credits = load("credits");
  const Quota small = quota_of(credits, 100);
  REQUIRE(small.iops_burst);
  CHECK(small.iops_burst->rate == 3000);
  CHECK(*small.iops_burst->bucket == 5400000);
  CHECK(*small.iops_burst->refill == 300);
  CHECK(*small.iops_burst->seconds == 2000);
  CHECK_FALSE(quota_of(credits, 1000).iops_burst);
  const Quota tier = quota_of(load("tiers"), 128);
  CHECK(*tier.throughput_burst->seconds == 1800);
  CHECK(tier.throughput_burst->rate == 170e6);
  CHECK_FALSE(quota_of(load("tiers"), 1024).throughput_burst);
}

TEST_CASE("what the vendor counts and promises goes into the quota") {
  const Quota quota = quota_of(load("credits"), 100);
  REQUIRE(quota.io_unit);
  CHECK(quota.io_unit->size == Bytes{256 * KiB});
  CHECK(quota.io_unit->rounds_up);
  CHECK(quota.combine == Combine::Min);
  CHECK(quota_of(load("serial"), 93).combine == Combine::Serial);
  CHECK(load("serial").promise->none);
  CHECK(load("provisioned").promise->percent == 90);
}

TEST_CASE("sizes are sold in steps or from a list") {
  CHECK(error(load("serial"), 100) ==
        "size 100 GiB is not sold as test-serial: 93 to 262074 GiB in steps of 93 GiB");
  CHECK(error(load("sizes"), 50) == "size 50 GiB is not sold as test-sizes: 20, 40, 100 GiB");
  CHECK(error(load("sizes"), 200) ==
        "size 200 GiB is outside the capacity range of test-sizes: 20, 40, 100 GiB");
  CHECK(quota_of(load("sizes"), 40).read.iops->value == 4000);
}

TEST_CASE("a table of two keys finds the row of the instance") {
  const Profile profile = load("instance");
  CHECK(quota_of(profile, 50000).read.iops->value == 100000);
  CHECK(quota_of(profile, 50000, {{"family", "n1"}, {"vcpus", "15"}}).read.iops->value == 15000);
  CHECK(quota_of(profile, 50000, {{"family", "n1"}, {"vcpus", "16"}}).read.iops->value == 20000);
  CHECK(quota_of(profile, 100, {{"total_gib", "1000"}}).read.iops->value == 9000);
  CHECK(error(profile, 100, {{"family", "c2"}, {"vcpus", "2"}}) ==
        "cannot evaluate test-instance: table 'vm' has no row for family = c2, vcpus = 2");
}

TEST_CASE("a figure that hangs on a missing optional input is not known, and no error") {
  const Profile profile = load("instance");
  const Quota quota = quota_of(profile, 100);
  CHECK_FALSE(quota.total.throughput);
  CHECK(quota.explain.back() == "total throughput = bandwidth: not known without bandwidth");
  CHECK(quota_of(profile, 100, {{"bandwidth", "300"}}).total.throughput->value == 300 * 1048576.0);
}

TEST_CASE("another document's figures stand beside the quota") {
  const Quota quota = quota_of(load("serial"), 279);
  CHECK(quota.read.iops->value == 75000);
  REQUIRE(quota.disputes.size() == 1);
  CHECK(quota.disputes[0].read.iops->value == 50000);
  CHECK_FALSE(quota.disputes[0].write.iops);
}

TEST_CASE("a date picks the formula that was in force") {
  const Profile profile = load("provisioned");
  const auto ceiling = [&](const std::string& date) {
    const Result<Profile> then = as_of(profile, date);
    REQUIRE(then);
    return quota_of(*then, 1000, {{"iops", "80000"}, {"throughput", "2000"}}).total.iops->value;
  };
  CHECK(ceiling("2026-01-01") == 80000);
  CHECK(ceiling("2025-01-01") == 80000);
  CHECK(ceiling("2024-12-31") == 16000);
  CHECK(as_of(profile, "2024-01-01")->capacity.max == 16384);
  CHECK(as_of(profile, "2024-01-01")->sources[0].title == "Older guide");
  CHECK(as_of(profile, "2020-11-30").error().message ==
        "no formula of test-provisioned is known for 2020-11-30; the next one is of 2020-12");
  CHECK(as_of(profile, "yesterday").error().message ==
        "cannot read date 'yesterday': expected YYYY-MM-DD");
}

TEST_CASE("inputs, choices and the date survive the way into a record") {
  const Profile profile = load("tiers");
  const Inputs inputs = *read_inputs(profile, 65, {{"tier", "P30"}, {"plus", "on"}});
  const nlohmann::ordered_json json = profile_to_json(profile, inputs);
  CHECK(json["inputs"].dump() == R"({"gib":65.0,"plus":"on","tier":"P30"})");
  CHECK(*inputs_from_json(json) == inputs);
  const Profile then = *as_of(load("provisioned"), "2024-01-01");
  const Result<Profile> again = profile_from_json(profile_to_json(then, {{"gib", 100}}));
  REQUIRE(again);
  CHECK(again->as_of == "2024-01-01");
  CHECK(again->capacity.max == 16384);
}

TEST_CASE("the stretches of a formula begin where the next term binds") {
  const Profile credits = load("credits");
  const std::vector<Stretch> stretches = stretches_of(*credits.quota.iops.total, credits, Inputs{});
  REQUIRE(stretches.size() == 3);
  CHECK(stretches[0].term == "100");
  CHECK(stretches[1].term == "3 × gib");
  CHECK(stretches[1].gib == 34);
  CHECK(stretches[2].term == "16000");
  CHECK(stretches[2].gib == 5334);
}

TEST_CASE("one profile with everything is shown whole") {
  CHECK(*show_text(load("credits"), {{"gib", 100}}, {.today = "2026-11-30"}) ==
        "test-credits: Test, Credits\n"
        "Size: 100 GiB (sold: 1 to 16384 GiB)\n"
        "table step: row gib up to 170\n"
        "IOPS = min(max(100, 3 × 100), 16000) = min(max(100, 300), 16000) = min(300, 16000) = 300\n"
        "throughput = step.mib = 128 MiB/s\n"
        "burst IOPS = 3000\n"
        "burst bucket of IOPS = 5400000\n"
        "What binds (IOPS): 100 from 1 GiB, 3 × gib from 34 GiB, 16000 from 5334 GiB\n"
        "Burst: 3000 IOPS for 2000 s at full load from a rested disk\n"
        "Counted I/O: 256 KiB\n"
        "Source: Guide, dated 2023-06-15, read 2026-11-30\n"
        "  https://example.org/\n"
        "Warning: the source of the figures is older than a year\n");
  CHECK(
      show_text(load("instance"), {{"gib", 100}}, {.language = Language::Chinese})
          ->starts_with("test-instance：Test，Instance\n容量：100 GiB（可购：10 至 65536 GiB）\n"));
}

TEST_CASE("several sizes make a table") {
  const Profile profile = load("serial");
  const std::vector<Inputs> disks = {{{"gib", 93}}, {{"gib", 930}}};
  CHECK(*show_table(profile, disks) ==
        "   SIZE  READ IOPS  WRITE IOPS  READ THROUGHPUT  WRITE THROUGHPUT\n"
        " 93 GiB      28000        5600         110 MB/s           82 MB/s\n"
        "930 GiB      75000       56000        1024 MB/s          820 MB/s\n");
}

TEST_CASE("a profile is shown for a usual size that is sold") {
  CHECK(usual_size(load("credits")) == 100);
  CHECK(usual_size(load("serial")) == 93);
  CHECK(usual_size(load("sizes")) == 100);
}

TEST_CASE("the list is filtered by vendor and text") {
  const std::vector<Profile> profiles = {load("serial"), load("provisioned")};
  CHECK(filtered(profiles, "test", "").size() == 2);
  CHECK(filtered(profiles, "other", "").empty());
  CHECK(filtered(profiles, "", "GP3").size() == 1);
  CHECK(filtered(profiles, "Test", "provi").at(0).id == "test-provisioned");
}
