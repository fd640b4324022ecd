#include "report/record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/json_text.hpp"
#include "report/report.hpp"
#include "report/sha256.hpp"
#include "report/verify.hpp"
#include "support/audit_builder.hpp"
#include "support/audit_fields.hpp"
#include "support/catch.hpp"

using namespace diskaudit;
using namespace diskaudit::test;
using Json = nlohmann::ordered_json;

namespace {

std::string written(const Audit& audit) { return (*find_format("json"))->render(audit, {}); }

Audit read(const std::string& text) {
  auto audit = read_record(text);
  INFO((audit ? "" : audit.error().message));
  REQUIRE(audit);
  return std::move(*audit);
}

/// The message for the passing audit's record after a change.
template <typename Change>
std::string fault_after(Change change) {
  Json record = Json::parse(written(passing_audit()));
  change(record);
  const auto audit = read_record(record.dump());
  REQUIRE_FALSE(audit);
  CHECK(audit.error().code == ExitCode::Usage);
  return audit.error().message;
}

/// An audit in which no member is left as it was by default.
Audit filled_audit() {
  Audit audit;
  Filler().fill(audit);
  for (ScenarioAudit& scenario : audit.scenarios) {
    scenario.job.scenario.direction = Direction::Mixed;  // else reads and writes are not told apart
  }
  audit.plan.jobs = {audit.scenarios[0].job, audit.scenarios[1].job, audit.plan.jobs[0]};
  audit.plan.options.scenarios.clear();
  for (const Job& job : audit.plan.jobs) audit.plan.options.scenarios.push_back(job.scenario);
  return audit;
}

}  // namespace

TEST_CASE("a record gives back every member of the audit, exactly") {
  const Audit audit = filled_audit();
  const Audit back = read(written(audit));
  CHECK(same(audit.disk, back.disk));
  CHECK(same(audit.environment, back.environment));
  CHECK(same(audit.plan, back.plan));
  REQUIRE(back.scenarios.size() == 2);
  CHECK(same(audit.scenarios[0].job, back.scenarios[0].job));
  CHECK(same(audit.scenarios[0].verdict, back.scenarios[0].verdict));
  CHECK(same(audit.scenarios[0].evidence, back.scenarios[0].evidence));
  CHECK(same(audit, back));
}

TEST_CASE("writing a record that was read gives the same bytes") {
  for (const Audit& audit : {passing_audit(), failing_audit(), filled_audit(), Audit{},
                             audit_of({{"rand-mixed-4k", 2500}}),
                             audit_of({{"rand-read-4k", 90000}}, {.with_profile = false})}) {
    const std::string text = written(audit);
    CHECK(written(read(text)) == text);
  }
}

TEST_CASE("a record has the keys that the contract fixes") {
  const Json record = Json::parse(written(passing_audit()));
  for (const char* key :
       {"schema", "id", "tool", "started", "ended", "outcome", "cause", "exit_code", "profile",
        "quota", "settings", "disk", "environment", "scenarios"}) {
    CHECK(record.contains(key));
  }
  CHECK(record["schema"] == "diskaudit/record/1");
  CHECK(record["outcome"] == "pass");
  CHECK(record["cause"].is_null());
  CHECK(record["settings"]["min_percent"] == 90);
  CHECK(record["settings"]["engine"] == "io_uring");
  CHECK(record["disk"]["kind"] == "file");
  REQUIRE(record["scenarios"].size() == 4);
  const Json& scenario = record["scenarios"][3];
  for (const char* key : {"name", "direction", "pattern", "block_size", "iodepth", "outcome",
                          "cause", "flags", "reasons", "target", "measured", "percent", "interval",
                          "series", "attempts", "probes", "witness", "limiter"}) {
    CHECK(scenario.contains(key));
  }
  CHECK(scenario["name"] == "rand-read-4k");
  CHECK(scenario["target"] == Json({{"metric", "iops"}, {"value", 2600}, {"bound_by", "iops"}}));
  CHECK(scenario["measured"]["iops"].get<double>() == Approx(2582).epsilon(0.01));
  CHECK(scenario["series"]["ios"].size() == 300);
  CHECK(scenario["witness"]["device_ios"] == scenario["measured"]["ios"]);
}

TEST_CASE("a mixed scenario keeps its reads and writes apart as well") {
  const Json record = Json::parse(written(audit_of({{"rand-mixed-4k", 2500}})));
  const Json& scenario = record["scenarios"][0];
  CHECK(scenario["read"]["measured"]["iops"].get<double>() == Approx(1750).epsilon(0.01));
  CHECK(scenario["write"]["series"]["bytes"].size() == 300);
}

TEST_CASE("a record that was written before a key was added is read without it") {
  Json record = Json::parse(written(passing_audit()));
  record["disk"]["device"].erase("queue");
  record["environment"].erase("local_clock");
  for (Json& scenario : record["scenarios"]) {
    for (const char* key : {"inflight_mean", "busy_share", "lower", "log"}) {
      scenario["witness"].erase(key);
    }
    scenario["limiter"].erase("machine");
    scenario.erase("latency_map");
  }
  const Audit audit = read(record.dump());
  CHECK(audit.disk.device.counts_ios);
  CHECK_FALSE(audit.environment.local_clock);
}

TEST_CASE("numbers are the shortest that read back the same, and lists of them take one line") {
  Audit audit = passing_audit();
  audit.scenarios[0].evidence.judged->seconds = 0.1;
  audit.scenarios[0].evidence.judged->inflight_mean = 1.0 / 3;
  audit.scenarios[0].evidence.judged->all.series.latency_mean_us = {1234.5678, 2};
  const std::string text = written(audit);
  CHECK(text.find("\"seconds\": 0.1,") != std::string::npos);
  CHECK(text.find("\"inflight_mean\": 0.3333333333333333,") != std::string::npos);
  CHECK(text.find("\"latency_mean_us\": [1234.6, 2],") != std::string::npos);
  CHECK(text.ends_with("}\n"));
}

TEST_CASE("strings from outside survive a record, invalid UTF-8 as the replacement character") {
  Audit audit = passing_audit();
  audit.disk.device.model = "evil\x1b[2J\"\\\n\xFF";
  const std::string text = written(audit);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(read(text).disk.device.model == "evil\x1b[2J\"\\\n\xEF\xBF\xBD");
}

TEST_CASE("a record on a terminal or in a CI log steers neither, and means the same") {
  Audit audit = passing_audit();
  const std::string evil =
      "\x7f \xC2\x9B \xE2\x80\xAE \xE2\x80\xA8 \xEF\xBB\xBF 云 😀 ##vso[a] ##[error]b \x1b[2J";
  audit.disk.device.model = evil;
  const std::string text = written(audit);
  CHECK_THAT(text,
             ContainsSubstring("\\u007f \\u009b \\u202e \\u2028 \\ufeff 云 😀 \\u0023#vso[a]"));
  for (const char* control : {"\x7f", "\xC2\x9B", "\xE2\x80\xAE", "##", "\x1b"})
    CHECK_THAT(text, !ContainsSubstring(control));
  CHECK(read(text).disk.device.model == evil);
  CHECK(written(read(text)) == text);
}

TEST_CASE("what is not a record of a known schema is refused in one line") {
  CHECK(fault_after([](Json& r) { r = Json::array(); }) ==
        "this is not a record of diskaudit: it has no schema");
  CHECK(fault_after([](Json& r) { r.erase("schema"); }) ==
        "this is not a record of diskaudit: it has no schema");
  CHECK(fault_after([](Json& r) { r["schema"] = "diskaudit/record/2"; }) ==
        "record has schema \"diskaudit/record/2\", this version reads \"diskaudit/record/1\"; use "
        "the version that wrote it, or a newer one");
}

TEST_CASE("a value of the wrong type is named by its path") {
  CHECK(fault_after([](Json& r) { r["scenarios"][2]["measured"]["ios"] = "many"; }) ==
        "record: scenarios[2].measured.ios: must be a whole number, 0 or more");
  CHECK(fault_after([](Json& r) { r["scenarios"][0]["series"]["bytes"][7] = -1; }) ==
        "record: scenarios[0].series.bytes: must be a list of whole numbers");
  CHECK(fault_after([](Json& r) { r["scenarios"][0]["latency_map"]["counts"][7][0] = -1; }) ==
        "record: scenarios[0].latency_map.counts: must be a list of lists of whole numbers");
  CHECK(fault_after([](Json& r) {
          r["scenarios"][0]["latency_map"]["counts"] = Json(301, Json::array());
        }) == "record: scenarios[0].latency_map.counts: has more than 300 lists");
  CHECK(fault_after([](Json& r) { r["disk"]["device"].erase("serial"); }) ==
        "record: disk.device.serial: is missing, should be a string");
  CHECK(fault_after([](Json& r) { r["outcome"] = "splendid"; }) ==
        "record: outcome: must be one of pass, fail, inconclusive, not_tested");
  CHECK(fault_after([](Json& r) { r["scenarios"] = 4; }) == "record: scenarios: must be a list");
  CHECK(fault_after([](Json& r) { r["scenarios"][1] = 4; }) ==
        "record: scenarios[1]: must be an object");
  CHECK(fault_after([](Json& r) { r["environment"]["cpus"] = 5000000000; }) ==
        "record: environment.cpus: is over 4294967295");
}

TEST_CASE("every part of a record cut off at any place is an error and no crash") {
  const std::string text = written(audit_of({{"rand-read-4k", 2500}}, {.seconds = 1}));
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const auto audit = read_record(std::string_view(text).substr(0, length));
    REQUIRE_FALSE(audit);
    CHECK(std::ranges::count(audit.error().message, '\n') == 0);
  }
}

TEST_CASE("hostile JSON is refused before it costs memory or stack") {
  CHECK(read_record(std::string(1000000, '[')).error().message ==
        "record is nested more than 32 deep");
  CHECK(read_record(std::string((64 << 20) + 1, ' ')).error().message == "record is over 64 MiB");
  std::string wide = "{";
  for (int i = 0; i < 5000; ++i) wide += "\"" + std::to_string(i) + "\":0,";
  CHECK(read_record(wide).error().message == "record has an object of more than 4096 members");
  CHECK(read_record("{\"schema\": 1e999}").error().message ==
        "record holds a number that is out of range");
}

TEST_CASE("a record that says the same twice is refused, however the key is spelled") {
  std::string text = written(passing_audit());
  CHECK(read_record(text).has_value());
  text.insert(text.find('"'), "\"\\u006futcome\": \"fail\", ");
  CHECK(read_record(text).error().message == "record gives 'outcome' twice");
}

TEST_CASE("SHA-256 gives the digests of the standard's examples") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a record carries the digest of everything else in it") {
  const Audit audit = passing_audit();
  Json record = Json::parse(written(audit));
  CHECK(record["digest"] == digest_of(audit));
  Audit other = audit;
  other.scenarios[0].evidence.judged->all.series.ios[3] += 1;
  CHECK(digest_of(other) != digest_of(audit));
}

namespace {

/// A record whose verdicts are the judge's own.
std::string judged_record() {
  Audit audit = audit_of({{"seq-read-256k", 114.2e6}, {"rand-mixed-4k", 2550}});
  judge_again(audit);
  return written(audit);
}

/// What verify says of the record after a change, with a digest that fits the change.
template <typename Change>
std::string verified_after(Change change) {
  Json record = Json::parse(judged_record());
  change(record);
  record.erase("digest");
  record["digest"] = "sha256:" + sha256(to_text(record));
  const auto verified = verify_record(to_text(record));
  return verified ? "" : verified.error().message;
}

}  // namespace

TEST_CASE("a record verifies as it was written, also in another layout and with further members") {
  const auto verified = verify_record(judged_record());
  INFO((verified ? "" : verified.error().message));
  CHECK(verified);
  CHECK(verify_record(Json::parse(judged_record()).dump(4)));
  CHECK(verified_after([](Json& r) { r.erase("refused"); }).empty());
  CHECK(verified_after([](Json& r) { r["vendor_note"] = {{"seen", true}}; }).empty());
}

TEST_CASE("a record that was edited does not verify") {
  Json record = Json::parse(judged_record());
  record["outcome"] = "pass";
  record["disk"]["device"]["serial"] = "another";
  const auto verified = verify_record(record.dump());
  REQUIRE_FALSE(verified);
  CHECK(verified.error().code == ExitCode::Usage);
  CHECK(verified.error().message.starts_with("record does not verify: its digest is sha256:"));
}

TEST_CASE("a record with a new digest over edited figures is found out by its arithmetic") {
  CHECK(verified_after([](Json& r) { r["scenarios"][0]["measured"]["ios"] = 99999; })
            .starts_with("record does not verify: scenarios[0].measured.ios is 99999, but its "
                         "series adds up to "));
  CHECK(verified_after([](Json& r) { r["scenarios"][0]["measured"]["iops"] = 99999; }) ==
        "record does not verify: scenarios[0].measured.iops does not follow from the rest");
  CHECK(verified_after([](Json& r) { r["quota"]["read"]["iops"] = 1000; }) ==
        "record does not verify: quota.read.iops does not follow from the rest");
  CHECK(verified_after([](Json& r) { r["scenarios"][1]["percent"] = 140; }) ==
        "record does not verify: scenarios[1].percent comes out otherwise when this version judges "
        "the evidence again");
  CHECK(verified_after([](Json& r) { r["scenarios"][0]["series"]["errors"].push_back(0); }) ==
        "record does not verify: scenarios[0].series.errors is not as long as series.ios");
  CHECK(verified_after([](Json& r) {
          r["scenarios"][0]["latency_map"]["counts"][2][1] = 99999;
        }).starts_with("record does not verify: scenarios[0].measured.ios is "));
  CHECK(verified_after([](Json& r) { r["scenarios"][0]["latency_map"]["begin_seconds"][2] = 1; }) ==
        "record does not verify: scenarios[0].latency_map has columns or bands that do not fit the "
        "window");
}
