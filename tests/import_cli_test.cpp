#include <string>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"

using namespace diskaudit;

TEST_CASE("an imported profile passes the check and can be shown") {
  const Cli diskaudit;
  const std::string limits = diskaudit.folder() / "io.max";
  const std::string profile = diskaudit.folder() / "ours.yaml";
  write_file(limits, "8:16 rbps=2097152 wbps=max riops=max wiops=120\n");
  const Finished imported =
      diskaudit({"profiles", "import", "--from", "io.max", limits, "--id", "ours-small"});
  CHECK(imported.err == "");
  REQUIRE(imported.exit_code == 0);
  write_file(profile, imported.out);
  CHECK(diskaudit({"profiles", "check", profile}).exit_code == 0);
  const Finished shown =
      diskaudit({"profiles", "show", profile, "--size", "100", "--format", "json"});
  CHECK(shown.exit_code == 0);
  CHECK(shown.out.find("\"bytes_per_second\": 2097152") != std::string::npos);
  const Finished audit = diskaudit({"--profile", profile, "--size", "100", "--disk",
                                    diskaudit.folder().path().string(), "--dry-run", "--test-size",
                                    "64MiB", "--reserve", "1MiB"});
  CHECK(audit.err == "");
  CHECK(audit.exit_code == 0);
  CHECK(audit.out.find("target 2 MiB/s") != std::string::npos);
}

TEST_CASE("limits that cannot be imported end with one line and nothing on stdout") {
  const Cli diskaudit;
  const std::string limits = diskaudit.folder() / "iotune.xml";
  write_file(limits, "<iotune><total_iop_sec>5</total_iop_sec></iotune>");
  const Finished finished = diskaudit({"profiles", "import", "--from", "libvirt", limits});
  CHECK(finished.exit_code == 2);
  CHECK(finished.out == "");
  CHECK(finished.err.find(limits + ":1:9: unknown key 'total_iop_sec'; did you mean "
                                   "'total_iops_sec'?") != std::string::npos);
}
