// Each format's golden file is read here by a parser of that format.

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "report/github.hpp"
#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/markdown_table.hpp"
#include "support/process.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

std::string rendered(const std::string& format, const Audit& audit, const ReportStyle& style = {}) {
  return (*find_format(format))->render(audit, style);
}

constexpr ReportStyle chinese{.language = Language::Chinese, .language_asked = true};

std::vector<std::string> split(const std::string& text, char separator) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Each outcome once, with a reason to read, and one scenario that was not reached.
Audit every_outcome() {
  Audit audit = audit_of({{"seq-write-256k", 61.3e6, Outcome::Fail, Cause::BurstThenBelow},
                          {"seq-read-256k", 230e6},
                          {"rand-write-4k", 0, Outcome::NotTested},
                          {"rand-read-4k", 2338.9, Outcome::Inconclusive, Cause::ClientLimited}},
                         {.planned = {"seq-write-256k", "seq-read-256k", "rand-write-4k",
                                      "rand-read-4k", "rand-mixed-4k"}});
  audit.notes = {"test file of 1 GiB instead of 5 GiB: a reserve of 2 GiB stays free"};
  return audit;
}

/// Strings that try to leave their place in every format.
Audit hostile_audit() {
  Audit audit = failing_audit();
  const std::string evil =
      "a\"b'c<script>&]]>|x\n::error::y\x1b[31m,=1+1\\ `${HOME}` #{z}\xE2\x80\xAE\xFF";
  audit.disk.device.name = evil;
  audit.disk.device.serial = evil;
  audit.disk.path = "/" + evil;
  audit.environment.machine_product = evil;
  audit.tool_version = evil;
  audit.notes = {evil};
  return audit;
}

/// Refused before there was a plan.
Audit refused_audit() {
  Audit audit;
  audit.id = "11111111-2222-4333-8444-555555555555";
  audit.started = audit.ended = "2026-11-30T12:00:00.000Z";
  audit.disk.path = "/dev/shm";
  audit.refused = "cannot audit /dev/shm: tmpfs is no disk";
  conclude(audit);
  return audit;
}

boost::property_tree::ptree parsed_xml(const std::string& text) {
  std::istringstream stream(text);
  boost::property_tree::ptree tree;
  read_xml(stream, tree);
  return tree;
}

}  // namespace

TEST_CASE("JUnit: below quota is a failure, no verdict an error, not tested is skipped") {
  const std::string text = rendered("junit", every_outcome());
  check_golden("junit.xml", text);
  const auto suite = parsed_xml(text).get_child("testsuites.testsuite");
  CHECK(suite.get<int>("<xmlattr>.tests") == 5);
  CHECK(suite.get<int>("<xmlattr>.failures") == 1);
  CHECK(suite.get<int>("<xmlattr>.errors") == 2);
  CHECK(suite.get<int>("<xmlattr>.skipped") == 1);
  std::map<std::string, std::string> children;
  for (const auto& [tag, node] : suite) {
    if (tag != "testcase") continue;
    CHECK(node.get<std::string>("<xmlattr>.classname") == "diskaudit.tencent-standard");
    const std::string name = node.get<std::string>("<xmlattr>.name");
    CHECK(children.count(name) == 0);
    children[name] = std::next(node.begin())->first;
  }
  CHECK(children == std::map<std::string, std::string>{{"seq-write-256k", "failure"},
                                                       {"seq-read-256k", "system-out"},
                                                       {"rand-write-4k", "skipped"},
                                                       {"rand-read-4k", "error"},
                                                       {"rand-mixed-4k", "error"}});
  CHECK(suite.get<std::string>("testcase.failure.<xmlattr>.type") == "burst_then_below");
}

TEST_CASE("JUnit keeps to the schema of the servers that read it") {
  if (std::system("command -v xmllint >/dev/null") != 0) skip("xmllint is not installed");
  for (const Audit& audit : {every_outcome(), refused_audit(), hostile_audit(),
                             audit_of({{"rand-read-4k", 9000}}, {.with_profile = false})}) {
    const Finished result = run({"xmllint", "--noout", "--nonet", "--schema",
                                 std::string(SOURCE_FOLDER) + "/tests/schemas/junit.xsd", "-"},
                                {.input = rendered("junit", audit)});
    INFO(result.err);
    CHECK(result.exit_code == 0);
  }
}

TEST_CASE("a refused audit is an error in JUnit, also where there was no plan yet") {
  const auto suite =
      parsed_xml(rendered("junit", refused_audit())).get_child("testsuites.testsuite");
  CHECK(suite.get<int>("<xmlattr>.tests") == 1);
  CHECK(suite.get<int>("<xmlattr>.errors") == 1);
  CHECK(suite.get<std::string>("testcase.error.<xmlattr>.type") == "refused");
  CHECK(suite.get<std::string>("testcase.error.<xmlattr>.message") == *refused_audit().refused);
  Audit planned = audit_of({}, {.planned = {"seq-write-256k", "rand-read-4k"}});
  planned.refused = "the disk is mounted";
  const auto both = parsed_xml(rendered("junit", planned)).get_child("testsuites.testsuite");
  CHECK(both.get<int>("<xmlattr>.errors") == 2);
  CHECK(both.get<std::string>("testcase.<xmlattr>.name") == "seq-write-256k");
}

TEST_CASE("a refused audit says so in every format, and what to do") {
  CHECK(exit_code_of(refused_audit()) == 4);
  CHECK(nagios_exit_code(refused_audit()) == 3);
  CHECK(rendered("nagios", refused_audit()) ==
        "DISKAUDIT UNKNOWN - cannot audit /dev/shm: tmpfs is no disk\n");
  CHECK(nlohmann::json::parse(rendered("terraform", refused_audit()))["verdict"] == "refused");
  CHECK(rendered("text", refused_audit()).starts_with("REFUSED  cannot audit /dev/shm"));
  CHECK(rendered("markdown", refused_audit()).starts_with("## ⛔ REFUSED: cannot audit"));
  for (const ReportFormat& format : report_formats()) {
    INFO(format.name);
    CHECK_FALSE(format.render(refused_audit(), chinese).empty());
  }
}

TEST_CASE("JUnit of a measurement without a profile has no failures and nothing skipped") {
  const auto suite =
      parsed_xml(rendered("junit", audit_of({{"rand-read-4k", 9000}}, {.with_profile = false})))
          .get_child("testsuites.testsuite");
  CHECK(suite.get<int>("<xmlattr>.failures") == 0);
  CHECK(suite.get<int>("<xmlattr>.skipped") == 0);
  CHECK(suite.count("testcase") == 1);
}

TEST_CASE("CSV has one row an interval, with reads and writes apart when mixed") {
  const std::string text = rendered("csv", audit_of({{"rand-mixed-4k", 2500}}, {.seconds = 1}));
  check_golden("series.csv", text);
  const auto rows = split(text, '\n');
  REQUIRE(rows.size() == 1 + 3 * 10);
  CHECK(split(rows[0], ',').size() == 10);
  for (const std::string& row : rows) CHECK(split(row, ',').size() == 10);
  CHECK(split(rows[10], ',')[3] == "0.9");
  std::set<std::string> directions;
  for (std::size_t i = 1; i < rows.size(); ++i) directions.insert(split(rows[i], ',')[2]);
  CHECK(directions == std::set<std::string>{"mixed", "read", "write"});
}

namespace {

/// Samples by name and labels; checks that HELP and TYPE stand before them, once a metric.
std::map<std::string, std::string> samples_of(const std::string& text) {
  std::map<std::string, std::string> samples;
  std::set<std::string> typed;
  const std::regex type("# TYPE ([a-z_]+) (gauge|summary)");
  const std::regex sample(
      R"rx(([a-z_]+?)(_sum|_count)?(\{([a-z_]+="([^"\\]|\\.)*",?)*\}) ([0-9.]+))rx");
  for (const std::string& line : split(text, '\n')) {
    std::smatch match;
    if (std::regex_match(line, match, type)) CHECK(typed.insert(match[1]).second);
    if (line.starts_with('#')) continue;
    INFO(line);
    REQUIRE(std::regex_match(line, match, sample));
    CHECK(typed.count(match[1]) == 1);
    CHECK(samples.emplace(match[1].str() + match[2].str() + match[3].str(), match[6]).second);
  }
  return samples;
}

}  // namespace

TEST_CASE("Prometheus metrics keep to the textfile collector's rules") {
  const std::string text = rendered("prometheus", every_outcome());
  check_golden("metrics.prom", text);
  auto samples = samples_of(text);
  const std::string disk = "{device=\"vdb\",profile=\"tencent-standard\"";
  CHECK(samples["diskaudit_expected_iops" + disk + ",scenario=\"rand-read-4k\"}"] == "2600");
  CHECK(samples["diskaudit_check_passed" + disk + ",scenario=\"seq-write-256k\"}"] == "0");
  CHECK(samples["diskaudit_check_passed" + disk + ",scenario=\"seq-read-256k\"}"] == "1");
  CHECK(samples.count("diskaudit_check_passed" + disk + ",scenario=\"rand-read-4k\"}") == 0);
  CHECK(samples["diskaudit_outcome_code" + disk + "}"] == "1");
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.ends_with('\n'));
}

TEST_CASE("promtool finds no fault in the metrics") {
  if (std::system("command -v promtool >/dev/null") != 0) skip("promtool is not installed");
  const Finished result =
      run({"promtool", "check", "metrics"}, {.input = rendered("prometheus", every_outcome())});
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("OpenMetrics for GitLab is rounded, free of times, and ends as it must") {
  const std::string text = rendered("openmetrics", every_outcome());
  check_golden("openmetrics.txt", text);
  samples_of(text);
  CHECK(text.ends_with("\n# EOF\n"));
  CHECK(text.find("timestamp") == std::string::npos);
  Audit again = every_outcome();
  again.started = again.ended = "2026-12-01T08:00:00.000Z";
  again.id = "another";
  CHECK(rendered("openmetrics", again) == text);
}

TEST_CASE("a monitoring plugin's line has a state, a sentence and performance data") {
  const std::string text = rendered("nagios", failing_audit());
  check_golden("nagios.txt", text);
  const std::regex shape(
      R"(DISKAUDIT (OK|CRITICAL|UNKNOWN) - [^|\n]+ \|( '[a-z0-9_]+'=[0-9]+(\.[0-9]+)?(s|B)?(;[0-9]*;[0-9]+:;0)?)+\n)");
  CHECK(std::regex_match(text, shape));
  CHECK(text.starts_with("DISKAUDIT CRITICAL"));
  CHECK(nagios_exit_code(failing_audit()) == 2);
  CHECK(nagios_exit_code(passing_audit()) == 0);
  CHECK(nagios_exit_code(
            audit_of({{"rand-read-4k", 2345, Outcome::Inconclusive, Cause::Borderline}})) == 3);
  CHECK(std::regex_match(
      rendered("nagios", audit_of({{"rand-read-4k", 9000}}, {.with_profile = false})), shape));
}

TEST_CASE("Terraform gets a flat object of strings") {
  const std::string text = rendered("terraform", every_outcome());
  check_golden("terraform.json", text);
  const auto map = nlohmann::json::parse(text);
  REQUIRE(map.is_object());
  for (const auto& [key, value] : map.items()) {
    INFO(key);
    CHECK(value.is_string());
  }
  CHECK(map["verdict"] == "fail");
  CHECK(map["rand_read_4k_ratio"] == "0.8996");
  CHECK(map["rand_write_4k_ratio"] == "");
  CHECK(std::ranges::count(text, '\n') == 1);
}

TEST_CASE("a fio job file repeats what was tested and nothing else") {
  const std::string text = rendered("fio", every_outcome());
  check_golden("scenarios.fio", text);
  std::map<std::string, std::map<std::string, std::string>> sections;
  std::string section;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty() || line.front() == ';') continue;
    if (line.front() == '[') {
      section = line.substr(1, line.size() - 2);
      continue;
    }
    const std::size_t equals = std::min(line.find('='), line.size());
    sections[section][line.substr(0, equals)] = equals < line.size() ? line.substr(equals + 1) : "";
  }
  CHECK(sections["global"]["filename"] == "/data/diskaudit-fio.tmp");
  CHECK(sections["rand-read-4k"]["rw"] == "randread");
  CHECK(sections["rand-read-4k"]["bs"] == "4096");
  CHECK(sections["rand-read-4k"]["iodepth"] == "256");
  CHECK(sections.count("rand-write-4k") == 0);
}

TEST_CASE("a fio job file for a raw device leaves the destructive scenarios commented out") {
  Audit audit = failing_audit();
  audit.disk.kind = DiskKind::BlockDevice;
  audit.disk.path = "/dev/vdb";
  for (const std::string& line : split(rendered("fio", audit), '\n')) {
    if (line.find("write") != std::string::npos) CHECK(line.starts_with(';'));
  }
}

TEST_CASE("fio itself accepts the job file") {
  const TempFolder folder;
  const std::string file = folder / "scenarios.fio";
  std::ofstream(file) << rendered("fio",
                                  audit_of({{"seq-read-256k", 1e8}, {"rand-mixed-4k", 2500}}));
  if (std::system("command -v fio >/dev/null") != 0) skip("fio is not installed");
  const Finished result = run({"fio", "--parse-only", file});
  INFO(result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("Markdown has a heading, a table whose rows have equal cells, and the findings") {
  for (const auto& [name, style] :
       {std::pair{"summary.md", ReportStyle{}}, std::pair{"summary.zh.md", chinese}}) {
    const std::string text = rendered("markdown", every_outcome(), style);
    check_golden(name, text);
    CHECK(text.starts_with("## ❌ "));
    const auto tables = markdown_tables(text);
    REQUIRE(tables.size() == 1);
    REQUIRE(tables[0].size() == 1 + 4);
    CHECK(tables[0][1].size() == 7);
    CHECK(tables[0][1][4] == "53.3 %");
    CHECK(text.find("<details>") < text.find("</details>"));
  }
}

TEST_CASE("annotations for GitHub Actions: one for the verdict, one for what did not pass") {
  const std::string text = rendered("github", every_outcome());
  check_golden("annotations.txt", text);
  const std::regex command("::(error|warning|notice) title=[^,:]+::.+");
  const auto lines = split(text, '\n');
  REQUIRE(lines.size() == 3);
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(std::regex_match(line, command));
  }
  CHECK(lines[0].starts_with("::error title=diskaudit%3A FAIL::"));
  CHECK(lines[1].starts_with("::error title=sequential write 256 KiB::FAIL"));
  CHECK(lines[2].starts_with("::warning title=random read 4 KiB::unclear"));
  CHECK(rendered("github", passing_audit()).starts_with("::notice title=diskaudit%3A PASS::"));
  CHECK(split(rendered("github", refused_audit()), '\n').size() == 1);
}

TEST_CASE("what people read gives no commands to a runner of GitHub Actions") {
  CHECK(safe_in_github_log("a::b\n  ::error::x\n::x ##[add-mask]y\nend") ==
        "a::b\n  : :error::x\n: :x # #[add-mask]y\nend");
  CHECK(safe_in_github_log("") == "");
}

TEST_CASE("hostile strings stay in their place in every format") {
  const Audit audit = hostile_audit();
  for (const ReportFormat& format : report_formats()) {
    INFO(format.name);
    const std::string text = format.render(audit, chinese);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("\xE2\x80\xAE") ==
          (format.name == "json" ? text.find("\xE2\x80\xAE") : std::string::npos));
    if (format.name != "github") CHECK(text.find("\n::error") == std::string::npos);
  }
  CHECK(split(rendered("github", audit), '\n').size() == 3);
  CHECK(parsed_xml(rendered("junit", audit)).get<int>("testsuites.<xmlattr>.failures") == 2);
  samples_of(rendered("prometheus", audit));
  CHECK(nlohmann::json::parse(rendered("terraform", audit)).is_object());
  CHECK(rendered("markdown", audit).find("<script") == std::string::npos);
}

TEST_CASE("every format renders every kind of audit, also an empty one") {
  Audit interrupted =
      audit_of({{"seq-write-256k", 1e8}}, {.planned = {"seq-write-256k", "rand-read-4k"}});
  interrupted.signal = 15;
  Audit unmeasured;
  for (const ReportFormat& format : report_formats()) {
    INFO(format.name);
    CHECK_FALSE(format.render(interrupted, {}).empty());
    CHECK_FALSE(format.render(unmeasured, {}).empty());
    CHECK_FALSE(format.sentence.empty());
  }
}
