// The fio job file of an audit, run by fio on the same disk.

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"
#include "support/scripted_disk.hpp"

using namespace diskaudit;
using nlohmann::json;

TEST_CASE("fio reaches the rates of the audit whose job file it is given", "[serial]") {
  if (std::system("command -v fio >/dev/null") != 0) skip("fio is not installed");
  Script script;
  script.size = 256 << 20;
  script.filesystem = "ext4";
  script.read_iops = script.write_iops = 2600;
  script.read_bytes = script.write_bytes = 115e6;
  const ScriptedDisk disk(script);
  const Cli cli;
  const std::string job_file = cli.folder() / "scenarios.fio";
  const Finished measured =
      cli({"measure", "--disk", disk.directory(), "--scenario", "rand-read-4k", "--scenario",
           "seq-write-256k", "--runtime", "2", "--ramp", "1", "--reserve", "1MiB", "--test-size",
           "64MiB", "--format", "json", "-o", job_file});
  INFO(measured.err);
  REQUIRE(measured.exit_code == 0);
  const Finished repeated = run({"fio", "--output-format=json", job_file});
  INFO(repeated.err);
  REQUIRE(repeated.exit_code == 0);
  const json record = json::parse(measured.out);
  const json jobs = json::parse(repeated.out)["jobs"];
  REQUIRE(jobs.size() == 2);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const json& scenario = record["scenarios"][i];
    INFO(scenario["name"]);
    REQUIRE(jobs[i]["jobname"] == scenario["name"]);
    const json& flow = jobs[i][scenario["direction"] == "read" ? "read" : "write"];
    const double rate = flow["bw_bytes"].get<double>();
    CHECK(rate == Approx(scenario["measured"]["bytes_per_second"].get<double>()).epsilon(0.05));
  }
}
