// `diskaudit judge`: old evidence judged again, as it was or by another yardstick.

#include <nlohmann/json.hpp>

#include "report/formats.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"

using namespace diskaudit;
using nlohmann::json;

namespace {

// As an audit would have left it: judged, and written whole.
std::string write_record(const Cli& cli, Audit audit) {
  judge_again(audit);
  const std::string file = cli.folder() / "record.json";
  write_file(file, render_json(audit, {}));
  return file;
}

json judged(const Cli& cli, const std::string& file, std::vector<std::string> options) {
  std::vector<std::string> arguments = {"judge", file, "--format", "json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Finished finished = cli(arguments);
  INFO(finished.err);
  REQUIRE(finished.out.starts_with("{"));
  json record = json::parse(finished.out);
  CHECK(record["exit_code"] == finished.exit_code);
  return record;
}

// 1000 IOPS whatever the size, 500 before 2020, and no word on throughput.
std::string write_profile(const Cli& cli) {
  const std::string file = cli.folder() / "own.yaml";
  write_file(file, R"(id: own-disk
vendor: {en: Own}
name: {en: Disk}
capacity: {min: 10, max: 1000}
inputs:
  extra: {label: {en: more IOPS}, unit: IOPS, default: 0, min: 0, max: 5000}
quota: {iops: 1000 + extra}
promise: {percent: 95, note: {en: stated}}
sources: [{title: T, url: https://example.com, dated: 2020-01-01, read: 2026-11-30}]
history:
  - until: 2020-01-01
    quota: {iops: 500}
    source: {title: T, url: https://example.com, dated: 2019-01-01, read: 2026-11-30}
published: [{gib: 10, iops: 1000, derived: true}, {gib: 100, iops: 1000, derived: true}]
)");
  return file;
}

}  // namespace

TEST_CASE("a record judged again without options gives the same bytes") {
  const Cli cli;
  for (const Audit& audit : {test::passing_audit(), test::failing_audit()}) {
    const std::string file = write_record(cli, audit);
    CHECK(cli({"judge", file, "--format", "json"}).out == read_file(file));
    CHECK(cli({"judge", file}).out == cli({"report", file}).out);
  }
}

TEST_CASE("another threshold judges old evidence by itself, and says whose it is") {
  const Cli cli;
  const std::string file = write_record(cli, test::passing_audit());
  CHECK(judged(cli, file, {})["outcome"] == "pass");
  const json stricter = judged(cli, file, {"--min-percent", "97"});
  CHECK(stricter["settings"]["min_percent"] == 97);
  CHECK(stricter["settings"]["min_percent_source"] == "user");
  // 94.5 % of the sequential write, without a probe that shows saturation: not the disk's fault.
  CHECK(stricter["scenarios"][0]["outcome"] == "inconclusive");
  CHECK(stricter["scenarios"][0]["cause"] == "depth_limited");
  CHECK(stricter["scenarios"][3]["outcome"] == "pass");
}

TEST_CASE("another profile and size hold the same measurements against other targets") {
  const Cli cli;
  const std::string file = write_record(cli, test::passing_audit());
  const json larger = judged(cli, file, {"--size", "200"});
  CHECK(larger["profile"]["inputs"]["gib"] == 200);
  CHECK(larger["scenarios"][3]["target"]["value"] == 3400);
  CHECK(larger["scenarios"][3]["percent"].get<double>() == Approx(2582.0 / 34).margin(0.2));
  CHECK(larger["outcome"] == "inconclusive");

  const json other = judged(cli, file, {"--profile", write_profile(cli), "--input", "extra=1600"});
  CHECK(other["profile"]["id"] == "own-disk");
  CHECK(other["profile"]["inputs"] == json{{"gib", 100}, {"extra", 1600}});
  CHECK(other["settings"]["min_percent"] == 95);
  CHECK(other["settings"]["min_percent_source"] == "profile");
  CHECK(other["scenarios"][0]["outcome"] == "not_tested");
  CHECK(other["scenarios"][0]["not_tested"] == "not_published");
  CHECK(other["scenarios"][3]["target"]["value"] == 2600);
  CHECK(other["scenarios"][3]["outcome"] == "pass");
  CHECK(other["notes"].back() == "judged again as own-disk of 100 GiB");
}

TEST_CASE("an earlier day holds a record against the formula of that day, and a later one back") {
  const Cli cli;
  const std::string file = write_record(cli, test::passing_audit());
  const std::string now = cli.folder() / "now.json";
  const Finished changed =
      cli({"judge", file, "--profile", write_profile(cli), "-o", "json:" + now});
  REQUIRE(changed.exit_code == 0);
  const json then = judged(cli, now, {"--as-of", "2019-06-01", "-o", cli.folder() / "then.json"});
  CHECK(then["profile"]["as_of"] == "2019-06-01");
  CHECK(then["scenarios"][3]["target"]["value"] == 500);
  const json again = judged(cli, cli.folder() / "then.json", {"--as-of", "2026-11-30"});
  CHECK(again["scenarios"][3]["target"]["value"] == 1000);
}

TEST_CASE("what was measured without a profile can be judged by one") {
  const Cli cli;
  const std::string file =
      write_record(cli, test::audit_of({{"rand-read-4k", 2582}}, {.with_profile = false}));
  const json measured = judged(cli, file, {});
  CHECK(measured["outcome"] == "not_tested");
  const json audited = judged(cli, file, {"--profile", "tencent-standard", "--size", "100"});
  CHECK(audited["outcome"] == "pass");
  CHECK(audited["scenarios"][0]["percent"].get<double>() == Approx(99.3).margin(0.2));

  const Finished refused = cli({"judge", file, "--size", "100"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err ==
        "diskaudit: the record was measured without a profile; name one with --profile\n");
}

TEST_CASE("rates that another size or type explains are said in every report") {
  const Cli cli;
  // 200 GiB of the premium type: 1800 + 8 × 200 IOPS, 100 + 0.15 × 200 MB/s.
  const std::string file =
      write_record(cli, test::audit_of({{"seq-read-256k", 130e6}, {"rand-read-4k", 3400}}));
  const json record = json::parse(read_file(file));
  REQUIRE(record["hints"].size() == 1);
  CHECK(record["hints"][0]["code"] == "other_size");
  CHECK(record["hints"][0]["values"]["gib"].get<double>() == Approx(200).margin(4));
  for (const std::string format : {"text", "markdown", "html", "ticket"}) {
    INFO(format);
    const std::string shown = cli({"report", file, "--format", format, "--lang", "en"}).out;
    CHECK(shown.find("the rates fit a disk of 20") != std::string::npos);
  }
  // Against the library, the record learns what the vendor's other types owe; then it needs none.
  const std::string balanced = cli.folder() / "balanced.json";
  const json hinted = judged(
      cli, write_record(cli, test::audit_of({{"seq-read-256k", 120e6}, {"rand-read-4k", 3300}})),
      {"--profile", "tencent-standard", "--size", "100", "-o", balanced});
  CHECK(hinted["alternatives"].size() >= 2);
  CHECK(hinted["hints"].dump().find("tencent-bssd") != std::string::npos);
  CHECK(cli({"judge", balanced, "--format", "json"},
            {.environment = {"DISKAUDIT_PROFILES=/nonexistent"}})
            .out == read_file(balanced));
}
