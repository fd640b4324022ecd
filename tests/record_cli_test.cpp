// The commands that take saved records, run as a user runs them.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "report/gzip.hpp"
#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

/// Its verdicts are the judge's own, as in a record that was measured.
Audit judged(Audit audit) {
  judge_again(audit);
  return audit;
}

std::string record_of(const Audit& audit) { return (*find_format("json"))->render(audit, {}); }

class Records {
 public:
  std::string add(const std::string& name, const std::string& content) const {
    const std::string path = cli.folder() / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string add(const std::string& name, const Audit& audit) const {
    return add(name, record_of(audit));
  }

  Cli cli;
};

Audit resized(double rate) {
  return judged(audit_of({{"seq-read-256k", 114.2e6}, {"rand-read-4k", rate}}));
}

}  // namespace

TEST_CASE("report shows a record, compressed or not, in several formats at once") {
  const Records records;
  const Audit audit = judged(passing_audit());
  const std::string plain = records.add("r.json", audit);
  const std::string packed = records.add("r.json.gz", gzipped(record_of(audit)));
  const std::string page = records.cli.folder() / "r.html";
  const std::string copy = records.cli.folder() / "copy.json.gz";
  const Finished shown =
      records.cli({"report", packed, "--format", "markdown", "-o", page, "-o", copy});
  INFO(shown.err);
  CHECK(shown.exit_code == 0);
  CHECK(shown.out == records.cli({"report", plain, "--format", "markdown"}).out);
  CHECK(read_file(page).starts_with("<!DOCTYPE html>"));
  CHECK(gunzipped(read_file(copy), 1 << 24) == record_of(audit));
}

TEST_CASE("judge holds a record against another profile, size or threshold") {
  const Records records;
  const std::string file = records.add("r.json", judged(passing_audit()));
  CHECK(records.cli({"judge", file}).exit_code ==
        records.cli({"judge", file, "--size", "100"}).exit_code);
  const Finished larger = records.cli({"judge", file, "--size", "500", "--format", "json"});
  INFO(larger.err);
  const auto again = nlohmann::json::parse(larger.out);
  CHECK(again["quota"]["read"]["iops"] == 1800 + 8 * 500);
  CHECK(again["scenarios"][3]["target"]["value"] == 1800 + 8 * 500);
  CHECK(again["scenarios"][3]["percent"] < 50);
  const Finished other = records.cli({"judge", file, "--profile", "no-such-disk"});
  CHECK(other.exit_code == 2);
}

TEST_CASE("a measurement without a profile is judged once a profile is named") {
  const Records records;
  const std::string file =
      records.add("m.json", audit_of({{"rand-read-4k", 2582}}, {.with_profile = false}));
  const Finished refused = records.cli({"judge", file, "--size", "100"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("name one with --profile") != std::string::npos);
  const Finished now = records.cli(
      {"judge", file, "--profile", "tencent-standard", "--size", "100", "--format", "json"});
  INFO(now.err);
  const auto record = nlohmann::json::parse(now.out);
  CHECK(record["profile"]["id"] == "tencent-standard");
  CHECK(record["scenarios"][0]["percent"].get<double>() == Approx(99.3).margin(1));
}

TEST_CASE("compare shows two records in every format, and writes several at once") {
  const Records records;
  const std::string before = records.add("before.json", resized(2582));
  const std::string after = records.add("after.json.gz", gzipped(record_of(resized(5164))));
  const std::string page = records.cli.folder() / "c.html";
  const Finished text = records.cli({"compare", before, after, "-o", page});
  INFO(text.err);
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("within the noise") != std::string::npos);
  CHECK(read_file(page).find("higher") != std::string::npos);
  const auto json =
      nlohmann::json::parse(records.cli({"compare", before, after, "--format", "json"}).out);
  CHECK(json["scenarios"][1]["change"] == "higher");
  CHECK(records.cli({"compare", before, after, "--format", "csv"}).exit_code == 2);
  CHECK(records.cli({"compare", before}).exit_code == 2);
  const Finished hidden = records.cli({"compare", before, after, "--redact", "public"});
  CHECK(hidden.out.find("disk-1a2b3c4d") == std::string::npos);
  CHECK(text.out.find("disk-1a2b3c4d") != std::string::npos);
}

TEST_CASE("verify accepts what was written and names what was changed") {
  const Records records;
  const std::string record = record_of(resized(2582));
  const std::string good = records.add("good.json.gz", gzipped(record));
  CHECK(records.cli({"verify", good}).exit_code == 0);
  std::string edited = record;
  const std::size_t at = edited.find("disk-1a2b3c4d");
  REQUIRE(at != std::string::npos);
  edited.replace(at, 4, "DISK");
  const Finished found = records.cli({"verify", good, records.add("edited.json", edited)});
  CHECK(found.exit_code == 2);
  CHECK(found.err.find("edited.json: record does not verify: its digest is") != std::string::npos);
}

TEST_CASE("a bundle is a folder or an archive, whole or not there, without paths of the house") {
  const Records records;
  Audit audit = resized(2000);
  audit.disk.path = audit.disk.mount_point = "/srv/secret-project";
  const std::string file = records.add("r.json", audit);
  const std::string folder = records.cli.folder() / "case-17";
  const Finished made = records.cli({"bundle", file, "-o", folder});
  INFO(made.err);
  CHECK(made.exit_code == 0);
  CHECK(made.err.find("bundle: " + folder) != std::string::npos);
  const std::string record = *gunzipped(read_file(folder + "/record.json.gz"), 1 << 24);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    CHECK(read_file(entry.path()).find("secret-project") == std::string::npos);
  }
  CHECK(record.find("secret-project") == std::string::npos);
  CHECK(records.cli({"verify", folder + "/record.json.gz"}).exit_code == 0);
  const Finished again = records.cli({"bundle", file, "-o", folder});
  CHECK(again.exit_code == 4);
  CHECK(again.err.find("it exists; name another with -o") != std::string::npos);

  const std::string archive = records.cli.folder() / "case.tar.gz";
  CHECK(records.cli({"bundle", file, "-o", archive, "--redact", "none"}).exit_code == 0);
  const Finished listed = run({"tar", "-tzf", archive});
  INFO(listed.err);
  CHECK(listed.out.find("case/SHA256SUMS") != std::string::npos);
  CHECK(run({"tar", "-xzOf", archive, "case/card.txt"}).out.find("secret-project") !=
        std::string::npos);
}

TEST_CASE("redaction hides the same in every format, and a ticket hides paths unasked") {
  const Records records;
  Audit audit = resized(2000);
  audit.disk.path = audit.disk.mount_point = "/srv/secret-project";
  const std::string file = records.add("r.json", audit);
  for (const ReportFormat& format : report_formats()) {
    const std::string name(format.name);
    INFO(name);
    const auto shown = [&](const char* level) {
      return records.cli({"report", file, "--format", name, "--redact", level}).out;
    };
    CHECK(shown("ticket").find("secret-project") == std::string::npos);
    CHECK(shown("public").find("disk-1a2b3c4d") == std::string::npos);
  }
  CHECK(records.cli({"report", file, "--format", "ticket"}).out.find("secret-project") ==
        std::string::npos);
  CHECK(records.cli({"report", file}).out.find("secret-project") != std::string::npos);
}

TEST_CASE("a file that is no sound record ends each command with one line and 2") {
  const Records records;
  const std::string record = record_of(resized(2582));
  std::string newer = record;
  newer.replace(newer.find("record/1"), 8, "record/9");
  const std::string bomb = gzipped(std::string(std::size_t{200} << 20, ' '));
  std::string deep = R"({"schema": "diskaudit/record/1", "x": )" + std::string(100'000, '[');
  const std::pair<const char*, std::string> all[] = {
      {"empty.json", ""},
      {"cut.json", record.substr(0, record.size() / 2)},
      {"cut.json.gz", gzipped(record).substr(0, 2000)},
      {"newer.json", newer},
      {"bomb.json.gz", bomb},
      {"deep.json", deep},
      {"huge.json", std::string((std::size_t{64} << 20) + 1, ' ')},
      {"noise.json", "\x1f\x8b\x08nothing that gzip would write"},
      {"page.json", "<html>\x1b[31m</html>"}};
  for (const auto& [name, content] : all) {
    const std::string file = records.add(name, content);
    for (const char* command : {"report", "verify", "judge", "bundle"}) {
      INFO(command << " " << name);
      const Finished ended = records.cli({command, file});
      CHECK(ended.exit_code == 2);
      CHECK(ended.out.empty());
      CHECK(std::count(ended.err.begin(), ended.err.end(), '\n') == 1);
      CHECK(ended.err.find('\x1b') == std::string::npos);
    }
  }
  CHECK(records.cli({"compare", records.add("a.json", record), records.cli.folder() / "cut.json"})
            .exit_code == 2);
}

TEST_CASE("an output that cannot be written is found before a record is read") {
  const Records records;
  for (const char* command : {"report", "judge"}) {
    const Finished ended = records.cli({command, "no-such-record.json", "-o", "/no/folder/r.html"});
    CHECK(ended.exit_code == 4);
    CHECK(ended.err.find("/no/folder") != std::string::npos);
    // Root's report would take the place of the machine's /dev/stdout.
    const std::string link = records.cli.folder() / "link.json";
    std::filesystem::remove(link);
    std::filesystem::create_symlink("/dev/stdout", link);
    const Finished through = records.cli({command, "no-such-record.json", "-o", link});
    CHECK(through.exit_code == 4);
    CHECK(through.err.find("it is a symbolic link") != std::string::npos);
  }
}

TEST_CASE("a signal ends a command that only reads at once") {
  const Records records;
  const std::string pipe = records.cli.folder() / "record.json";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Process judge(records.cli.command({"judge", pipe}), records.cli.with_state({}));
  const int writer = open(pipe.c_str(), O_WRONLY);  // returns once it has opened the other end
  judge.send(SIGTERM);
  const Finished ended = judge.wait(std::chrono::seconds(10));
  close(writer);
  CHECK(ended.signal == SIGTERM);
}

TEST_CASE("as a monitoring plugin it ends with that convention's codes and always says one line") {
  const Records records;
  const auto plugin = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "nagios"});
    const Finished ended = records.cli(std::move(arguments));
    INFO(ended.out << ended.err);
    CHECK(std::count(ended.out.begin(), ended.out.end(), '\n') == 1);
    CHECK(ended.out.starts_with("DISKAUDIT "));
    return ended.exit_code;
  };
  CHECK(plugin({"report", records.add("pass.json", passing_audit())}) == 0);
  CHECK(plugin({"report", records.add("fail.json", failing_audit())}) == 2);
  CHECK(plugin({"report", records.cli.folder() / "none.json"}) == 3);
  CHECK(plugin({"report", "--no-such-option"}) == 3);
  CHECK(plugin({"--profile", "tencent-standard", "--size", "100", "--disk", "/proc"}) == 3);
}

TEST_CASE("a refused audit is reported where a measured one would be") {
  const Records records;
  const std::string junit = records.cli.folder() / "r.xml";
  const std::string json = records.cli.folder() / "r.json";
  const Finished refused = records.cli({"--profile", "tencent-standard", "--size", "100", "--disk",
                                        "/proc", "-o", junit, "-o", json});
  CHECK(refused.exit_code == 4);
  CHECK(refused.out.empty());
  CHECK(read_file(junit).find("<error type=\"refused\"") != std::string::npos);
  const auto record = nlohmann::json::parse(read_file(json));
  CHECK(record["exit_code"] == 4);
  CHECK(refused.err.find(record["refused"].get<std::string>()) != std::string::npos);
  CHECK(records.cli({"verify", json}).exit_code == 0);
  CHECK(records.cli.records().empty());
}

TEST_CASE("in a step of GitHub Actions annotations follow what people read, and nothing else") {
  const Records records;
  const std::string file = records.add("fail.json", failing_audit());
  const ProcessOptions step{.environment = {"GITHUB_ACTIONS=true"}};
  CHECK(records.cli({"report", file}, step).out.find("\n::error title=") != std::string::npos);
  CHECK(records.cli({"report", file}).out.find("::error") == std::string::npos);
  const Finished json = records.cli({"report", file, "--format", "json"}, step);
  CHECK(json.out == record_of(failing_audit()));
}
