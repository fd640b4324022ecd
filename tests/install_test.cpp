// What `cmake --install` puts on a machine, and the static binary where nothing else is.

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;

namespace {

namespace fs = std::filesystem;

const std::string build = fs::path(BUILD_FOLDER).parent_path().string();

void install_into(const TempFolder& folder) {
  const Finished installed =
      run({"cmake", "--install", build, "--prefix", folder.path().string()});
  INFO(installed.err);
  REQUIRE(installed.exit_code == 0);
}

}  // namespace

TEST_CASE("an installed tree holds binary, profiles and man page, and works wherever it stands") {
  const TempFolder folder;
  install_into(folder);
  CHECK(fs::exists(folder / "share/diskaudit/profiles/tencent/standard.yaml"));
  CHECK(read_file(folder / "share/man/man1/diskaudit.1").starts_with(".TH DISKAUDIT 1"));
  const Finished shown =
      run({folder / "bin/diskaudit", "profiles", "show", "tencent-standard", "--size", "100"});
  INFO(shown.err);
  CHECK(shown.exit_code == 0);
  CHECK(shown.out.find("2600") != std::string::npos);
}

TEST_CASE("the static binary runs in an empty root") {
  const std::string binary = STATIC_BINARY;
  if (binary.empty()) skip("a sanitizer build has no static binary");
  if (geteuid() != 0) skip("chroot needs root");
  const TempFolder root;
  fs::copy(binary, root / "diskaudit");
  fs::create_directories(root / "usr/local/share/diskaudit");
  fs::copy(fs::path(SOURCE_FOLDER) / "profiles", root / "usr/local/share/diskaudit/profiles",
           fs::copy_options::recursive);
  fs::create_directories(root / "profiles");
  fs::copy(fs::path(SOURCE_FOLDER) / "profiles/huawei/sata.yaml", root / "own.yaml");

  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--version"},
           {"profiles", "show", "tencent-standard", "--size", "100"},
           {"profiles", "show", "/own.yaml", "--size", "100"}}) {
    std::vector<std::string> command = {"chroot", root.path().string(), "/diskaudit"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Finished finished = run(command);
    INFO(finished.err);
    CHECK(finished.exit_code == 0);
    CHECK_FALSE(finished.out.empty());
  }
}
