#include "profile/library.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "profile/called.hpp"
#include "profile/names.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
namespace fs = std::filesystem;

namespace {

const Library shipped{{fs::path(SOURCE_FOLDER) / "profiles"}};

std::string error(const Library& library, const std::string& name) {
  const Result<Profile> profile = find_profile(library, name);
  return profile ? "found " + profile->id : profile.error().message;
}

/// A copy of a shipped profile under another id, in a library of its own.
void add(const TempFolder& folder, const std::string& vendor, const std::string& type,
         const std::string& id, const std::string& alias) {
  fs::create_directories(folder.path() / vendor);
  write_file(folder.path() / vendor / (type + ".yaml"),
             "id: " + id + "\naliases: [" + alias +
                 "]\n"
                 "vendor: V\n"
                 "name: N\n"
                 "capacity: {min: 1, max: 100}\n"
                 "quota: {iops: 100*gib}\n"
                 "sources: [{title: T, url: https://example.org, read: 2026-01-01}]\n"
                 "published: [{gib: 10, iops: 1000}]\n");
}

/// The inputs that a disk of this size gets when the user gives none, or as little as allowed.
Inputs least_inputs(const Profile& profile, double gib) {
  Inputs given = {{"gib", gib}};
  Names names = given;
  for (const Input& input : profile.inputs) {
    (void)add_tables(profile.tables, names);  // the limits of an input may be columns
    if (input.optional) continue;
    if (input.initial) {
      if (const auto value = input.initial->evaluate(names)) names[input.name] = *value;
      continue;
    }
    if (!input.choices.empty()) given[input.name] = input.choices.front().second;
    if (input.min) given[input.name] = input.min->evaluate(names).value_or(0);
    names[input.name] = given[input.name];
  }
  return given;
}

/// The ceilings that are known; without the lines that explain them, which take most of the time.
std::vector<double> figures_of(const Profile& profile, const Names& names) {
  std::vector<double> figures;
  for (const Ceilings* ceilings : {&profile.quota.iops, &profile.quota.throughput}) {
    for (const auto* formula : {&ceilings->read, &ceilings->write, &ceilings->total}) {
      const auto known = [&](const std::string& name) { return names.contains(name); };
      const bool is_known = *formula && std::ranges::all_of((*formula)->names(), known);
      figures.push_back(is_known ? (*formula)->evaluate(names).value_or(NAN) : 0);
    }
  }
  return figures;
}

/// At every GiB sold: finite, positive, and not below the next smaller size.
void check_properties(const Profile& profile) {
  std::vector<double> before(6, 0);
  for (double gib = std::ceil(profile.capacity.min); gib <= profile.capacity.max; ++gib) {
    if (!is_sold(profile.capacity, gib)) continue;
    const Result<Names> names = resolve_names(profile, least_inputs(profile, gib));
    if (!names) FAIL(names.error().message);
    const std::vector<double> figures = figures_of(profile, *names);
    const bool all_zero = std::ranges::all_of(figures, [](double figure) { return figure == 0; });
    if (all_zero) FAIL(profile.id << " states no figure at " << gib << " GiB");
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (!std::isfinite(figures[i])) FAIL(profile.id << " is not finite at " << gib << " GiB");
      if (profile.is_monotone && figures[i] < before[i] * (1 - 1e-12))
        FAIL(profile.id << " falls at " << gib << " GiB; state 'monotone: false' if it must");
    }
    before = figures;
  }
}

}  // namespace

TEST_CASE("every shipped profile can be evaluated at every GiB and never falls with the size") {
  const Result<std::vector<Profile>> profiles = load_all(shipped);
  INFO((profiles ? "" : profiles.error().message));
  REQUIRE(profiles);
  CHECK(profiles->size() >= 8);
  for (const Profile& profile : *profiles) {
    INFO(profile.id);
    CHECK(profile.document.find("published")->items.size() >= 2);
    check_properties(profile);
  }
}

TEST_CASE("a profile is found by id, alias in any letter case, and file") {
  for (const std::string name : {"tencent-standard", "TENCENT-standard", "tencent-premium",
                                 "cloud_premium", "高性能云硬盘", "premium cloud disk"})
    CHECK(find_profile(shipped, name)->id == "tencent-standard");
  CHECK(find_profile(shipped, std::string(SOURCE_FOLDER) + "/profiles/huawei/sas.yaml")->id ==
        "huawei-sas");
  CHECK(find_profile(shipped, "alibaba-essd-pl0")->id == "alibaba-essd-pl0");
}

TEST_CASE("a profile is found by its name, and by vendor and name") {
  for (const std::string name : {"Tencent CLOUD_PREMIUM", "tencent cloud cloud_premium",
                                 "腾讯云高性能云硬盘", "腾讯云 CLOUD_PREMIUM"})
    CHECK(find_profile(shipped, name)->id == "tencent-standard");
  CHECK(find_profile(shipped, "Tencent CLOUD_SSD")->id == "tencent-ssd");
  CHECK(find_profile(shipped, "aws gp3")->id == "aws-gp3");
  CHECK(error(shipped, "Tencent CLOUD_PREMIUN")
            .starts_with("unknown profile 'Tencent CLOUD_PREMIUN'; did you mean Tencent "
                         "CLOUD_PREMIUM, "));
}

TEST_CASE("vendors go by their names in either language, in part and for short") {
  for (const auto& [name, id] :
       std::map<std::string, std::string>{{"腾讯云 CLOUD_HSSD", "tencent-hssd"},
                                          {"华为云 SAS", "huawei-high-io"},
                                          {"Google Cloud pd-ssd", "gcp-pd-ssd"},
                                          {"Amazon gp3", "aws-gp3"},
                                          {"OTC SAS", "open-telekom-cloud-high-io"},
                                          {"vpusPerGB = 50", "oracle-ultra-high-performance"}})
    CHECK(find_profile(shipped, name)->id == id);
}

TEST_CASE("every name of a shipped profile behind its vendor's means that profile and no other") {
  const std::vector<Profile> all = load_all(shipped).value();
  const auto bearers = [&](const std::string& name) {
    std::vector<std::string> ids;
    for (const Profile& profile : all) {
      if (how_called(profile, "", name) == Call::Name) ids.push_back(profile.id);
    }
    return ids;
  };
  for (const Profile& profile : all) {
    for (const std::string& name : profile.aliases) {
      const std::vector<std::string> here = {profile.id};
      CHECK(bearers(profile.vendor.en + " " + name) == here);
      if (profile.vendor.zh != profile.vendor.en) CHECK(bearers(profile.vendor.zh + name) == here);
    }
  }
}

TEST_CASE("a name that several vendors' types share is refused with all of them") {
  CHECK(error(shipped, "ESSD PL0") ==
        "profile name 'ESSD PL0' is ambiguous; give one of the ids alibaba-essd-pl0, "
        "volcengine-essd-pl0");
  CHECK(error(shipped, "standard") ==
        "profile name 'standard' is ambiguous; give one of the ids sakura-standard, "
        "tencent-standard, upcloud-standard");
  for (const std::string name : {"SAS", "Standard SSD", "GPSSD", "hdd", "cloud_ssd", "Huawei SAS"})
    CHECK(error(shipped, name).starts_with("profile name '" + name + "' is ambiguous; "));
}

TEST_CASE("an unknown profile is a usage error with near matches") {
  CHECK(error(shipped, "tencent-standart") ==
        "unknown profile 'tencent-standart'; did you mean tencent-standard?");
  CHECK(error(shipped, "huawei-sass") ==
        "unknown profile 'huawei-sass'; did you mean huawei-sas, huawei-sata, huawei-ssd?");
  CHECK(error(shipped, "qqqqqqqqqqqqqqqqqqqqqq") ==
        "unknown profile 'qqqqqqqqqqqqqqqqqqqqqq'; 'diskaudit profiles list' shows all");
  CHECK(error(shipped, "../../etc/passwd").starts_with("unknown profile"));
  CHECK(error(shipped, "").starts_with("unknown profile"));
  CHECK(error({{"/nonexistent"}}, "a-b") ==
        "unknown profile 'a-b': there are no profiles in /nonexistent; set DISKAUDIT_PROFILES");
  CHECK(error(shipped, "/nonexistent/x.yaml") ==
        "cannot read profile /nonexistent/x.yaml: No such file or directory");
}

TEST_CASE("a vendor and a type may both hold a dash") {
  const TempFolder folder;
  add(folder, "open-telekom", "ultra-high-io", "open-telekom-ultra-high-io", "X");
  const Library library{{folder.path()}};
  CHECK(find_profile(library, "open-telekom-ultra-high-io")->id == "open-telekom-ultra-high-io");
  CHECK(find_profile(library, "x")->id == "open-telekom-ultra-high-io");
}

TEST_CASE("a profile takes the place of a shipped one only where it says so") {
  const TempFolder mine;
  add(mine, "tencent", "standard", "tencent-standard", "MINE");
  const Library library{{mine.path(), shipped.folders[0]}};
  const std::string file = mine / "tencent/standard.yaml";
  const std::string shipped_file = (shipped.folders[0] / "tencent/standard.yaml").string();
  const std::string refusal = file + ":1:5: id 'tencent-standard' is also " + shipped_file +
                              "; add 'replaces: tencent-standard' to take its place, or choose "
                              "another id";
  CHECK(error(library, "tencent-standard") == refusal);
  CHECK(load_all(library).error().message == refusal);
  write_file(file, read_file(file) + "replaces: tencent-standard\n");
  CHECK(find_profile(library, "tencent-standard")->name.en == "N");
  CHECK(find_profile(library, "tencent-standard")->replaces);
  const Result<std::vector<Profile>> all = load_all(library);
  REQUIRE(all);
  CHECK(std::ranges::count(*all, std::string("tencent-standard"), &Profile::id) == 1);
  CHECK(all->size() == load_all(shipped)->size());
}

TEST_CASE("an alias of two profiles is an error that names both") {
  const TempFolder folder;
  add(folder, "a", "one", "a-one", "SSD");
  add(folder, "b", "two", "b-two", "ssd");
  CHECK(error({{folder.path()}}, "SSD") ==
        "profile name 'SSD' is ambiguous; give one of the ids a-one, b-two");
}

TEST_CASE("a file whose id is not its name is an error") {
  const TempFolder folder;
  add(folder, "v", "t", "v-other", "X");
  const Library library{{folder.path()}};
  CHECK(error(library, "v-t") ==
        folder / "v/t.yaml" + ":1:5: id 'v-other' must be 'v-t', as folder and file are named");
  CHECK(load_all(library).error().message == error(library, "v-t"));
}

TEST_CASE("finding one profile by its id reads no other file") {
  const TempFolder folder;
  add(folder, "v", "good", "v-good", "X");
  write_file(folder.path() / "v" / "broken.yaml", "{");
  CHECK(find_profile({{folder.path()}}, "v-good").has_value());
}

TEST_CASE("a pipe in a folder of profiles holds nobody up") {
  const TempFolder folder;
  add(folder, "v", "good", "v-good", "X");
  REQUIRE(mkfifo((folder.path() / "v" / "pipe.yaml").c_str(), 0600) == 0);
  CHECK_THAT(error({{folder.path()}}, "X"), Catch::Matchers::EndsWith("it is no regular file"));
}
