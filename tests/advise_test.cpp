#include "profile/advise.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "profile/library.hpp"
#include "profile/names.hpp"
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

struct Rates {
  double iops = 0;
  double throughput = 0;
};

bool meets(const Rates& rates, const Wish& wish) {
  return (!wish.iops || rates.iops >= wish.iops->value) &&
         (!wish.throughput || rates.throughput >= wish.throughput->value);
}

// What reads and writes can each reach.
Rates rates_of(const Quota& quota) {
  const auto lower = [](double read, double write, bool is_known) {
    return is_known ? std::min(read, write) : 0;
  };
  const Limits& read = quota.read;
  const Limits& write = quota.write;
  return {
      lower(read.iops.value_or(Iops{}).value, write.iops.value_or(Iops{}).value,
            read.iops && write.iops),
      lower(read.throughput.value_or(BytesPerSec{}).value,
            write.throughput.value_or(BytesPerSec{}).value, read.throughput && write.throughput)};
}

// The values at which an input may matter: choices, ends, and where a table has a row for it.
std::vector<double> values_to_try(const Profile& profile, const Input& input, const Names& names) {
  std::vector<double> values;
  for (const auto& [name, value] : input.choices) values.push_back(value);
  if (!values.empty()) return values;
  const double least = input.min->evaluate(names).value_or(0);
  const double most = input.max->evaluate(names).value_or(0);
  values = {least, std::max(least, std::floor(most))};
  for (const Table& table : profile.tables) {
    if (table.keys.back() != input.name) continue;
    for (const TableRow& row : table.rows) values.push_back(row.keys.back());
  }
  return values;
}

// Everything that a disk of this size can be made to give, by trying it all.
std::vector<Rates> all_rates(const Profile& profile, double gib) {
  std::vector<Inputs> disks = {{{"gib", gib}}};
  for (const Input& input : profile.inputs) {
    if (!is_setting(profile, input)) continue;
    std::vector<Inputs> next;
    if (input.initial) next = disks;
    for (const Inputs& disk : disks) {
      Names names = disk;
      if (!add_tables(profile.tables, names)) continue;
      for (const double value : values_to_try(profile, input, names)) {
        next.push_back(disk);
        next.back()[input.name] = value;
      }
    }
    disks = std::move(next);
  }
  std::vector<Rates> rates;
  for (const Inputs& disk : disks) {
    if (const Result<Quota> quota = evaluate(profile, disk)) rates.push_back(rates_of(*quota));
  }
  return rates;
}

// About twenty sizes of all orders of magnitude, and both ends.
std::vector<double> sizes_to_try(const Capacity& capacity) {
  if (!capacity.sizes.empty()) return capacity.sizes;
  const double step = capacity.step > 0 ? capacity.step : 1;
  std::vector<double> sizes;
  for (double size = std::ceil(capacity.min / step) * step; size < capacity.max;
       size = std::ceil(size * 1.6 / step) * step)
    sizes.push_back(size);
  sizes.push_back(capacity.max);
  return sizes;
}

// The disk as `profiles show` reads it from the words of the advice.
Result<Quota> shown(const Profile& profile, const Advice& advice) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [name, word] : advice.words.items()) {
    if (name != "gib")
      words.emplace_back(name, word.is_string() ? word.get<std::string>() : word.dump());
  }
  const Result<Inputs> inputs = read_inputs(profile, advice.words["gib"].get<double>(), words);
  if (!inputs) return std::unexpected(inputs.error());
  return evaluate(profile, *inputs);
}

}  // namespace

TEST_CASE("advice holds for every shipped type: it can be shown, and no smaller disk would do") {
  const std::vector<Wish> wishes = {{.iops = Iops{5000}},
                                    {.iops = Iops{30000}},
                                    {.throughput = BytesPerSec{500e6}},
                                    {.iops = Iops{30000}, .throughput = BytesPerSec{300e6}}};
  const auto all = load_all({{std::string(SOURCE_FOLDER) + "/profiles"}}).value();
  for (const Profile& profile : all) {
    std::vector<std::pair<double, std::vector<Rates>>> tried;
    for (const double size : sizes_to_try(profile.capacity))
      tried.emplace_back(size, all_rates(profile, size));
    for (const Wish& wish : wishes) {
      const Advice advice = advise(profile, wish);
      const double gib = advice.inputs ? advice.inputs->at("gib") : INFINITY;
      INFO(profile.id << " for " << wish.iops.value_or(Iops{}).value << " IOPS, "
                      << wish.throughput.value_or(BytesPerSec{}).value << " B/s: " << gib << " "
                      << advice.settings << advice.why_not);
      if (advice.inputs) {
        const Result<Quota> quota = shown(profile, advice);
        INFO((quota ? "" : quota.error().message));
        REQUIRE(quota);
        CHECK(meets(rates_of(*quota), wish));
        const double step = profile.capacity.step > 0 ? profile.capacity.step : 1;
        if (is_sold(profile.capacity, gib - step))
          tried.emplace_back(gib - step, all_rates(profile, gib - step));
      }
      for (const auto& [size, rates] : tried) {
        INFO("at " << size << " GiB");
        if (size < gib)
          CHECK(std::ranges::none_of(rates, [&](const Rates& one) { return meets(one, wish); }));
      }
    }
  }
}

TEST_CASE("limits that stand in a table are bought up to") {
  const Wish fast{.iops = Iops{30000}, .throughput = {}};
  const Advice custom = advise(shipped("ibm-custom"), fast);
  CHECK(custom.inputs->at("gib") == 2000);
  CHECK(custom.inputs->at("iops") == 30000);
  const Advice sdp = advise(shipped("ibm-sdp"), {.iops = Iops{64000}, .throughput = {}});
  CHECK(sdp.inputs->at("gib") == 151);
  const Advice extra =
      advise(shipped("tencent-hssd"), {.iops = {}, .throughput = BytesPerSec{500e6}});
  CHECK(extra.inputs->at("gib") == 461);
  CHECK(extra.inputs->at("extra") == 150);
}

TEST_CASE("a small disk with a choice of its own is found where the default needs a larger one") {
  const Advice tier = advise(shipped("azure-premium-ssd"), {.iops = Iops{5000}, .throughput = {}});
  CHECK(tier.inputs->at("gib") == 4);
  CHECK(tier.words["tier"] == "P30");
}

TEST_CASE("what is not chosen with the disk keeps its default, or there is no advice") {
  const Wish wish{.iops = Iops{4000}, .throughput = {}};
  const Advice disks = advise(shipped("gcp-pd-ssd"), wish);
  CHECK(disks.inputs->at("total_gib") == disks.inputs->at("gib"));
  CHECK(disks.assumed.starts_with("total_gib "));
  const Advice stated = advise(shipped("volcengine-essd-pl0"), wish);
  CHECK(stated.why_not == "depends on iops (IOPS that the vendor states for this disk)");
  CHECK(advise(shipped("cloud-avenue-datastore"), wish)
            .why_not.starts_with("depends on datastore_tb"));
  CHECK(advise(shipped("volcengine-tssd-tl0"), wish).inputs->at("extra") == 0);
  CHECK(
      advise(shipped("gcp-regional-pd-ssd"), wish).why_not.starts_with("depends on vm_write_iops"));
}

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
  CHECK(json[1]["status"] == "current");
  CHECK(json[2]["quota"].is_null());
}

TEST_CASE("advice carries the conditions of what it advises, once each") {
  const Wish wish{.iops = Iops{20000}, .throughput = {}};
  const std::vector<Advice> advices = {advise(shipped("gcp-hyperdisk-extreme"), wish),
                                       advise(shipped("gcp-hyperdisk-balanced"), wish)};
  const std::string text = advice_text(advices);
  const std::string caveat = "that the provisioned value is a target, not a guaranteed level.";
  const std::size_t first = text.find(caveat);
  REQUIRE(first != std::string::npos);
  CHECK(text.find(caveat, first + 1) == std::string::npos);
  CHECK(text.find("(iops 20000, throughput 1) [1][2]") < text.find("[1] The performance page"));
  CHECK(text.find("(iops 20000) [1][2][6]") != std::string::npos);
  CHECK(advice_json(advices)[0]["conditions"].size() == 5);
  std::vector<Advice> many;
  const auto all = load_all({{std::string(SOURCE_FOLDER) + "/profiles"}}).value();
  for (const Profile& profile : all) many.push_back(advise(profile, wish));
  CHECK(advice_text(many).find("\n[1] ") == std::string::npos);
  CHECK(advice_text(many).find(" *\n") != std::string::npos);
  CHECK(advice_text(many).ends_with("or ask for one --vendor\n"));
  CHECK(advice_text(many, Language::Chinese).find("附带条件") != std::string::npos);
  const Advice none = advise(shipped("huawei-sata"), {.iops = Iops{1e9}, .throughput = {}});
  CHECK(none.conditions.empty());
}
