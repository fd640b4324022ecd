#include "profile/library.hpp"

#include <filesystem>
#include <string>

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

}  // namespace

TEST_CASE("every shipped profile holds to its own published points") {
  const Result<std::vector<Profile>> profiles = load_all(shipped);
  INFO((profiles ? "" : profiles.error().message));
  REQUIRE(profiles);
  CHECK(profiles->size() >= 8);
  for (const Profile& profile : *profiles) {
    INFO(profile.id);
    CHECK(profile.published.size() >= 2);
    for (double gib = profile.min_gib; gib <= profile.max_gib; ++gib) {
      const Result<Quota> quota = evaluate(profile, {{"gib", gib}});
      if (!quota) FAIL(quota.error().message);
    }
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

TEST_CASE("the first folder wins") {
  const TempFolder mine;
  add(mine, "tencent", "standard", "tencent-standard", "MINE");
  const Library library{{mine.path(), shipped.folders[0]}};
  CHECK(find_profile(library, "tencent-standard")->name.en == "N");
  const Result<std::vector<Profile>> all = load_all(library);
  REQUIRE(all);
  CHECK(std::ranges::count(*all, std::string("tencent-standard"), &Profile::id) == 1);
  CHECK(all->size() == load_all(shipped)->size());
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
