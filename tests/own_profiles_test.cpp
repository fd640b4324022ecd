// What a user adds to the library is one YAML file: no program is built for it.

#include <filesystem>
#include <string>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"

using namespace diskaudit;

namespace {

const std::string made_up = R"yaml(id: acme-turbo
aliases: [ACME_TURBO, 极顶涡轮盘]
vendor: {en: Acme Cloud, zh: 极顶云}
name: {en: Turbo Disk, zh: 涡轮盘}
capacity: {min: 10, max: 1000}
inputs:
  boost: {unit: IOPS, default: 0, min: 0, max: 100*gib}
quota:
  iops: min(50*gib + boost, 20000)
  throughput: {value: "min(64 + gib, 512)", unit: MiB/s}
sources:
  - {title: Turbo, url: "https://acme.example/turbo", read: 2026-11-30}
published:
  - {gib: 100, iops: 5000, throughput: 164}
  - {gib: 100, inputs: {boost: 500}, iops: 5500}
)yaml";

/// The program with a folder of profiles of the user's own.
class OwnProfiles {
 public:
  void add(const std::string& vendor, const std::string& type, const std::string& text) const {
    std::filesystem::create_directories(folder_.path() / vendor);
    write_file(folder_.path() / vendor / (type + ".yaml"), text);
  }

  Finished operator()(const std::vector<std::string>& arguments) const {
    return cli_(arguments, {.environment = {"DISKAUDIT_PROFILES=" + folder_.path().string()}});
  }

  std::string disk() const { return cli_.folder().path().string(); }

 private:
  TempFolder folder_;
  Cli cli_;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a made-up vendor is one file: found by every name, evaluated, advised and audited") {
  const OwnProfiles diskaudit;
  diskaudit.add("acme", "turbo", made_up);
  for (const std::string name : {"acme-turbo", "acme_turbo", "极顶涡轮盘", "Acme Turbo Disk"}) {
    const Finished shown = diskaudit({"profiles", "show", name, "--size", "100"});
    INFO(shown.err);
    CHECK(holds(shown.out, "= min(50 × 100 + 0, 20000) = "));
    CHECK(holds(shown.out, "= 164 MiB/s"));
  }
  CHECK(holds(diskaudit({"profiles", "list", "--vendor", "acme"}).out, "acme-turbo"));
  CHECK(holds(diskaudit({"profiles", "list", "--vendor", "极顶云", "--lang", "zh"}).out, "涡轮盘"));
  CHECK(holds(diskaudit({"profiles", "advise", "--iops", "4000", "--vendor", "acme"}).out,
              "27 GiB  4000 IOPS"));
  const Finished audit =
      diskaudit({"--profile", "acme-turbo", "--size", "100", "--input", "boost=500", "--disk",
                 diskaudit.disk(), "--dry-run", "--test-size", "64MiB", "--reserve", "1MiB"});
  INFO(audit.err);
  CHECK(audit.exit_code == 0);
  CHECK(holds(audit.out, "target 5500 IOPS"));
  CHECK(holds(audit.out, "target 164 MiB/s"));
}

TEST_CASE("a region variant is one file beside the vendor's others") {
  const OwnProfiles diskaudit;
  std::string text = read_file(std::string(SOURCE_FOLDER) + "/profiles/tencent/standard.yaml");
  const auto replace = [&](const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), with);
  };
  replace("id: tencent-standard", "id: tencent-moon-standard");
  text.erase(text.find("aliases:"), text.find("vendor:") - text.find("aliases:"));
  replace("iops: min(1800 + 8*gib, 6000)", "iops: min(900 + 8*gib, 6000)");
  text.erase(text.find("published:"));
  text += "published:\n  - {gib: 100, iops: 1700, throughput: 115}\n  - {gib: 20, iops: 1060}\n";
  diskaudit.add("tencent", "moon-standard", text);
  const Finished moon = diskaudit({"profiles", "show", "tencent-moon-standard", "--size", "100"});
  INFO(moon.err);
  CHECK(holds(moon.out, "= 1700"));
  CHECK(holds(diskaudit({"profiles", "show", "tencent-standard", "--size", "100"}).out, "= 2600"));
  CHECK(holds(diskaudit({"profiles", "list", "moon"}).out, "tencent-moon-standard"));
}

TEST_CASE(
    "an own profile takes a shipped one's place only where it says so, and then that is said") {
  const OwnProfiles diskaudit;
  const std::string text =
      "id: tencent-standard\nvendor: Mine\nname: Mine\ncapacity: {min: 1, max: 1000}\n"
      "quota: {iops: 77}\nsources: [{title: T, url: https://example.org, read: 2026-01-01}]\n"
      "published: [{gib: 10, iops: 77}, {gib: 100, iops: 77}]\n";
  diskaudit.add("tencent", "standard", text);
  const Finished refused = diskaudit({"profiles", "show", "tencent-standard", "--size", "100"});
  CHECK(refused.exit_code == 2);
  CHECK(holds(refused.err, "add 'replaces: tencent-standard' to take its place"));
  diskaudit.add("tencent", "standard", text + "replaces: tencent-standard\n");
  const Finished shown = diskaudit({"profiles", "show", "tencent-standard", "--size", "100"});
  CHECK(holds(shown.out, "IOPS = 77"));
  CHECK(holds(shown.err, "tencent-standard is a profile of your own, in place of the shipped one"));
}
