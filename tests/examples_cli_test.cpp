// What stands in examples/ is run here, as its comments say.

#include <yaml-cpp/yaml.h>

#include <regex>

#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

std::string example(const std::string& name) {
  return std::string(SOURCE_FOLDER) + "/examples/" + name;
}

class Pipeline {
 public:
  /// The gate over this command line of diskaudit.
  Finished gate(std::vector<std::string> arguments,
                const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> line = {"sh", example("pipeline.sh")};
    for (std::string& word : cli_.command(std::move(arguments))) line.push_back(std::move(word));
    ProcessOptions options{.environment = environment};
    options.environment.push_back("REPORTS=" + (cli_.folder() / "reports"));
    options.environment.push_back("GITHUB_STEP_SUMMARY=" + (cli_.folder() / "summary.md"));
    return run(std::move(line), cli_.with_state(std::move(options)));
  }

  std::string record(Audit audit) const {
    judge_again(audit);
    const std::string file = cli_.folder() / "record.json";
    std::ofstream(file) << (*find_format("json"))->render(audit, {});
    return file;
  }

  std::string report(const std::string& suffix) const {
    return read_file(cli_.folder() / ("reports/diskaudit." + suffix));
  }
  std::string summary() const { return read_file(cli_.folder() / "summary.md"); }

 private:
  Cli cli_;
};

Audit of_rate(double rate) {
  return audit_of({{"seq-read-256k", 114.2e6}, {"rand-read-4k", rate}});
}

/// Half the depth gave as much: the disk was the limit.
Audit saturated(Audit audit) {
  for (ScenarioAudit& scenario : audit.scenarios) {
    Measurement half = *scenario.evidence.judged;
    half.iodepth /= 2;
    scenario.evidence.probes.push_back({Purpose::HalfDepth, std::move(half)});
  }
  return audit;
}

/// The options of `diskaudit` in a command line, one each.
std::vector<std::string> options_in(const std::string& line) {
  std::vector<std::string> options;
  std::istringstream words(line.substr(line.find("diskaudit ") + 10));
  for (std::string word; words >> word;) options.push_back(word);
  return options;
}

}  // namespace

TEST_CASE("a disk that delivers opens the gate") {
  const Pipeline pipeline;
  const Finished passed = pipeline.gate({"judge", pipeline.record(of_rate(2590))});
  INFO(passed.err);
  CHECK(passed.exit_code == 0);
  CHECK(passed.err.find("gate: open") != std::string::npos);
  CHECK(pipeline.report("xml").find("failures=\"0\" errors=\"0\"") != std::string::npos);
  CHECK(pipeline.summary().starts_with("## ✅ PASS"));
}

TEST_CASE("a disk below its quota closes the gate") {
  const Pipeline pipeline;
  const Finished failed = pipeline.gate({"judge", pipeline.record(saturated(failing_audit()))});
  INFO(failed.err);
  CHECK(failed.exit_code == 1);
  CHECK(failed.err.find("gate: closed, the disk is below its quota") != std::string::npos);
  CHECK(pipeline.report("xml").find("<failure type=\"below_quota\"") != std::string::npos);
  CHECK(pipeline.summary().starts_with("## ❌ FAIL"));
}

TEST_CASE("a disk that could not be judged closes the gate, unless that is allowed") {
  const Pipeline pipeline;
  const std::string record = pipeline.record(of_rate(2340));
  const Finished unclear = pipeline.gate({"judge", record});
  INFO(unclear.err);
  CHECK(unclear.exit_code == 3);
  CHECK(pipeline.report("xml").find("<error type=") != std::string::npos);
  CHECK(pipeline.summary().starts_with("## ⚠️ NO VERDICT"));
  CHECK(pipeline.gate({"judge", record}, {"ALLOW_INCONCLUSIVE=1"}).exit_code == 0);
}

TEST_CASE("a refused audit closes the gate with reports that say why") {
  const Pipeline pipeline;
  const Finished refused =
      pipeline.gate({"--profile", "tencent-standard", "--size", "100", "--disk", "/proc"});
  INFO(refused.err);
  CHECK(refused.exit_code == 4);
  CHECK(refused.err.find("gate: closed, the audit did not run") != std::string::npos);
  CHECK(pipeline.report("xml").find("<error type=\"refused\"") != std::string::npos);
  CHECK(pipeline.report("html").find("REFUSED") != std::string::npos);
  CHECK(pipeline.summary().starts_with("## ⛔ REFUSED"));
}

TEST_CASE("wrong usage closes the gate too") {
  const Pipeline pipeline;
  CHECK(pipeline.gate({"--profile", "no-such-disk", "--size", "100"}).exit_code == 2);
  CHECK(run({"sh", example("pipeline.sh")}).exit_code == 2);
}

TEST_CASE("the command lines of timer and pipelines are ones that diskaudit takes") {
  const Cli cli;
  const auto dry_run = [&](const std::string& line) {
    std::vector<std::string> options = options_in(line);
    for (std::string& option : options) {
      if (option == "/data") option = cli.folder().path().string();
      if (option.starts_with("openmetrics:")) option = "openmetrics:" + (cli.folder() / "m.txt");
    }
    options.insert(options.end(), {"--dry-run", "--reserve", "1MiB"});
    const Finished ended = cli(options);
    INFO(line << "\n" << ended.err);
    CHECK((ended.exit_code == 0 || ended.exit_code == 4));
    CHECK(ended.err.find("--help") == std::string::npos);
  };
  const std::string unit = read_file(example("diskaudit.service"));
  std::smatch match;
  REQUIRE(std::regex_search(unit, match, std::regex("\nExecStart=(.*)\n")));
  dry_run(match[1]);
  const auto github = YAML::LoadFile(example("github-actions.yml"));
  dry_run(github["jobs"]["audit"]["steps"][1]["run"].as<std::string>());
  const auto gitlab = YAML::LoadFile(example("gitlab-ci.yml"));
  dry_run(gitlab["disk audit"]["script"][0].as<std::string>());
  CHECK(gitlab["disk audit"]["artifacts"]["reports"]["junit"].as<std::string>() ==
        "reports/diskaudit.xml");
}

TEST_CASE("systemd finds no fault in the units") {
  if (std::system("command -v systemd-analyze >/dev/null") != 0) skip("systemd is not installed");
  const TempFolder folder;
  std::string service = read_file(example("diskaudit.service"));
  const std::string installed = "/usr/local/bin/diskaudit";
  service.replace(service.find(installed), installed.size(), DISKAUDIT_BINARY);
  std::ofstream(folder / "diskaudit.service") << service;
  std::filesystem::copy(example("diskaudit.timer"), folder / "diskaudit.timer");
  const Finished checked = run({"systemd-analyze", "verify", "--man=no",
                                folder / "diskaudit.service", folder / "diskaudit.timer"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit_code == 0);
  CHECK(checked.err.find("diskaudit.") == std::string::npos);
}

TEST_CASE("a signed report is confirmed, and no other, nor by anybody else") {
  if (std::system("command -v ssh-keygen >/dev/null") != 0) skip("ssh-keygen is not installed");
  const TempFolder folder;
  const std::string key = folder / "key";
  const std::string report = folder / "SHA256SUMS";
  const std::string signers = folder / "signers";
  REQUIRE(run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key}).exit_code == 0);
  std::ofstream(report) << "0123  record.json.gz\n";
  const std::string sign = example("sign.sh");
  const Finished done = run({"sh", sign, key, report});
  INFO(done.err);
  REQUIRE(done.exit_code == 0);
  std::ofstream(signers) << "ops@example.com " << read_file(key + ".pub");
  const auto check = [&](const char* who) {
    return run({"sh", sign, "--check", signers, who, report}).exit_code;
  };
  CHECK(check("ops@example.com") == 0);
  CHECK(check("somebody@example.com") != 0);
  std::ofstream(report, std::ios::app) << "4567  card.txt\n";
  CHECK(check("ops@example.com") != 0);
}
