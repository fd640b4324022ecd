#include "profile/profile.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "profile/profile_json.hpp"
#include "profile/show.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
namespace fs = std::filesystem;

namespace {

const fs::path shipped = fs::path(SOURCE_FOLDER) / "profiles";

Profile load(const std::string& name) {
  const Result<Profile> profile = parse_profile(read_file(shipped / name), name);
  INFO((profile ? "" : profile.error().message));
  REQUIRE(profile);
  return *profile;
}

Quota quota_of(const Profile& profile, double gib) {
  const Result<Quota> quota = evaluate(profile, {{"gib", gib}});
  REQUIRE(quota);
  return *quota;
}

/// The size and inputs of the profile's first published point, defaults included.
Inputs first_published_inputs(const Profile& profile) {
  const Document& point = profile.document.find("published")->items.front();
  std::vector<std::pair<std::string, std::string>> words;
  if (const Document* inputs = point.find("inputs")) {
    for (const auto& [name, value] : inputs->members) words.emplace_back(name, value.text);
  }
  const Result<Inputs> inputs = read_inputs(profile, std::stod(point.find("gib")->text), words);
  REQUIRE(inputs);
  return *inputs;
}

}  // namespace

TEST_CASE("the knees of tencent-standard come out to the unit") {
  const Profile profile = load("tencent/standard.yaml");
  const struct {
    double gib, iops, megabytes;
  } table[] = {
      {100, 2600, 115}, {524, 5992, 150}, {525, 6000, 150}, {526, 6000, 150}, {5000, 6000, 150}};
  for (const auto& [gib, iops, megabytes] : table) {
    const Quota quota = quota_of(profile, gib);
    for (const Limits& limits : {quota.read, quota.write, quota.total}) {
      CHECK(limits.iops->value == iops);
      CHECK(limits.throughput->value == Approx(megabytes * 1e6).epsilon(1e-12));
    }
  }
}

TEST_CASE("a quota explains every ceiling in one line") {
  const Quota quota = quota_of(load("tencent/standard.yaml"), 100);
  REQUIRE(quota.explain.size() == 2);
  CHECK(quota.explain[0] == "IOPS = min(1800 + 8 × 100, 6000) = min(2600, 6000) = 2600");
  CHECK(quota.explain[1] == "throughput = min(100 + 0.15 × 100, 150) = min(115, 150) = 115 MB/s");
}

TEST_CASE("reads, writes and their total may have ceilings of their own") {
  const Result<Profile> profile =
      parse_profile(read_file(fs::path(SOURCE_FOLDER) / "tests/profiles/good-directions.yaml"),
                    "good-directions.yaml");
  REQUIRE(profile);
  const Quota quota = quota_of(*profile, 100);
  CHECK(quota.read.iops->value == 10000);
  CHECK(quota.write.iops->value == 2000);
  CHECK(quota.total.iops->value == 11000);
  CHECK_FALSE(quota.read.throughput);
  CHECK_FALSE(quota.write.throughput);
  CHECK(quota.total.throughput->value == 40 * 1048576.0);
  CHECK(quota.explain ==
        std::vector<std::string>{"read IOPS = 100 × 100 = 10000", "write IOPS = 20 × 100 = 2000",
                                 "total IOPS = 11000", "total throughput = 0.4 × 100 = 40 MiB/s"});
}

TEST_CASE("a size outside the capacity range is a usage error that names the range") {
  const Profile profile = load("tencent/standard.yaml");
  for (const double gib : {9.0, 32001.0, -1.0, 0.0}) {
    const Result<Quota> quota = evaluate(profile, {{"gib", gib}});
    REQUIRE_FALSE(quota);
    CHECK(quota.error().code == ExitCode::Usage);
    CHECK_THAT(quota.error().message,
               Catch::Matchers::EndsWith(
                   "is outside the capacity range of tencent-standard: 10 to 32000 GiB"));
  }
  CHECK(evaluate(profile, {{"gib", 100}, {"iops", 5}}).error().message ==
        "unknown input 'iops'; tencent-standard takes none");
  CHECK(evaluate(profile, {}).error().message ==
        "cannot evaluate tencent-standard: no size given; use --size");
}

TEST_CASE("each bad profile is an error with its exact message and place") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_FOLDER) / "tests/profiles")) {
    if (entry.path().filename().string().starts_with("bad-")) files.push_back(entry.path());
  }
  REQUIRE(files.size() > 10);
  for (const fs::path& file : files) {
    // The first line of each file is a comment that says what the error must be.
    const std::string text = read_file(file);
    const std::string name = file.filename().string();
    const std::string expected = name + ":" + text.substr(2, text.find('\n') - 2);
    const Result<Profile> profile = parse_profile(text, name);
    CHECK((profile ? name + " is accepted" : profile.error().message) == expected);
  }
}

TEST_CASE("every prefix of a good profile gives an error or a valid profile") {
  const std::string text = read_file(shipped / "tencent/standard.yaml");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Result<Profile> profile = parse_profile(text.substr(0, length), "f.yaml");
    if (profile) {
      CHECK(evaluate(*profile, {{"gib", profile->capacity.min}}).has_value());
    } else {
      CHECK(profile.error().code == ExitCode::Usage);
      CHECK(profile.error().message.starts_with("f.yaml:"));
      CHECK(profile.error().message.find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("a profile survives the way into a record and back") {
  for (const auto& entry : fs::recursive_directory_iterator(shipped)) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path().string());
    const Result<Profile> profile = parse_profile(read_file(entry.path()), "f.yaml");
    REQUIRE(profile);
    const Inputs inputs = first_published_inputs(*profile);
    const nlohmann::ordered_json json =
        nlohmann::ordered_json::parse(profile_to_json(*profile, inputs).dump());
    const Result<Profile> again = profile_from_json(json);
    REQUIRE(again);
    CHECK(*inputs_from_json(json) == inputs);
    CHECK(profile_to_json(*again, inputs).dump() == json.dump());
    CHECK(quota_to_json(*evaluate(*again, inputs)) == quota_to_json(*evaluate(*profile, inputs)));
  }
}

TEST_CASE("what is no profile in a record is an error") {
  using Json = nlohmann::ordered_json;
  CHECK(profile_from_json(Json::array()).error().message ==
        "cannot read profile: it lacks the key 'definition'");
  CHECK(profile_from_json(Json{{"definition", nullptr}}).error().message ==
        "cannot read profile: a value is null, not text, number, list or mapping");
  CHECK(profile_from_json(Json{{"definition", {{"id", "a-b"}}}}).error().message ==
        "profile in record: profile lacks the key 'vendor'");
  CHECK(inputs_from_json(Json{{"inputs", {{"gib", "x"}}}}).error().message ==
        "cannot read profile: input 'gib' is neither number nor choice");
  Json deep = 1;
  for (int i = 0; i < 1000; ++i) deep = Json::array({deep});
  CHECK(document_from_json(deep).error().message ==
        "cannot read profile: nested deeper than 8 levels");
}

TEST_CASE("the quota object has the keys of a record") {
  const nlohmann::ordered_json json = quota_to_json(quota_of(load("alibaba/efficiency.yaml"), 100));
  CHECK(json.dump() == R"({"read":{"iops":2600.0,"bytes_per_second":115000000.0},)"
                       R"("write":{"iops":2600.0,"bytes_per_second":115000000.0},)"
                       R"("total":{"iops":2600.0,"bytes_per_second":115000000.0},"unit":"MB/s",)"
                       R"("explain":["IOPS = min(1800 + 8 × 100, 5000) = min(2600, 5000) = 2600",)"
                       R"("throughput = min(100 + 0.15 × 100, 140) = min(115, 140) = 115 MB/s"]})");
}

TEST_CASE("one profile is shown with its arithmetic, disputes, former formulas and sources") {
  const std::string text = *show_text(load("tencent/standard.yaml"), {{"gib", 100}});
  INFO(text);
  CHECK(
      text.starts_with("tencent-standard: Tencent Cloud, Premium Cloud Disk\n"
                       "Size: 100 GiB (sold: 10 to 32000 GiB)\n"
                       "IOPS = min(1800 + 8 × 100, 6000) = min(2600, 6000) = 2600\n"
                       "throughput = min(100 + 0.15 × 100, 150) = min(115, 150) = 115 MB/s\n"
                       "What binds (IOPS): 1800 + 8 × gib from 10 GiB, 6000 from 525 GiB\n"
                       "What binds (throughput): 100 + 0.15 × gib from 10 GiB, 150 from 334 GiB\n"
                       "Read latency: 0.8 to 5 ms\n"
                       "Write latency: 0.8 to 5 ms\n"
                       "Latency holds for: random reads and writes\n"
                       "Condition: "));
  for (const std::string line :
       {"\nIn dispute: The type table says MB/s. ",
        "\n  throughput = min(100 + 0.15 × 100, 150) = min(115, 150) = 115 MiB/s\n",
        "\nFormer formula: until 2020-02-10\nFormer formula: until 2023-07-10\nSource: ",
        ", dated 2023-07-10, read 2026-11-30\n"
        "  https://intl.cloud.tencent.com/document/product/362/31636\n"})
    CHECK(text.find(line) != std::string::npos);
}

TEST_CASE("the list dates the source that it names, and says where that bears no date") {
  const std::vector<Profile> profiles = {load("azure/premium-ssd.yaml"), load("aws/gp3.yaml")};
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const Source& source = profiles[i].sources.front();
    const auto json = list_json(profiles)[i];
    CHECK(json["source"] == source.url);
    CHECK(json["read"] == source.read);
    CHECK(json["dated"].is_null() == source.dated.empty());
    const std::string date = source.dated.empty() ? "read " + source.read : source.dated;
    CHECK(list_text({&profiles[i], 1}).find(" " + date + "  " + source.url) != std::string::npos);
  }
}

TEST_CASE("the list is narrowed by what people call a vendor and a type") {
  const std::vector<Profile> profiles = {load("open-telekom-cloud/high-io.yaml"),
                                         load("alibaba/ssd.yaml"), load("aws/gp3.yaml")};
  const auto only = [&](const std::string& vendor, const std::string& text) {
    const std::vector<Profile> found = filtered(profiles, vendor, text);
    return found.size() == 1 ? found.front().id : std::to_string(found.size());
  };
  CHECK(only("OTC", "") == "open-telekom-cloud-high-io");
  CHECK(only("Aliyun", "") == "alibaba-ssd");
  CHECK(only("Amazon", "") == "aws-gp3");
  CHECK(only("", "AWS gp3") == "aws-gp3");
  CHECK(only("nobody", "") == "0");
}

TEST_CASE("the list aligns its columns") {
  const std::vector<Profile> profiles = {load("huawei/ssd.yaml"), load("tencent/standard.yaml")};
  CHECK(list_text(profiles) ==
        "ID                TYPE                                               "
        "IOPS                     THROUGHPUT                     DATED       SOURCE\n"
        "huawei-ssd        Huawei Cloud, Ultra-high I/O (classic fixed caps)  "
        "20000                    350 MB/s                       2025-08-04  "
        "https://github.com/opentelekomcloud-docs/elastic-volume-service\n"
        "tencent-standard  Tencent Cloud, Premium Cloud Disk                  "
        "min(1800 + 8*gib, 6000)  min(100 + 0.15*gib, 150) MB/s  2023-07-10  "
        "https://intl.cloud.tencent.com/document/product/362/31636\n");
}
