// The command line, used as people use it. Nothing here measures: what does is in *_disk_test.cpp.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/diskaudit_cli.hpp"

using namespace diskaudit;

namespace {

struct Wrong {
  std::vector<std::string> arguments;
  int exit_code;
  std::string message;  // a part of the one line on stderr
};

// One line on stderr, nothing on stdout, no record.
void check_refused(const Cli& cli, const Wrong& wrong) {
  const Finished finished = cli(wrong.arguments);
  INFO(Catch::StringMaker<std::vector<std::string>>::convert(wrong.arguments));
  INFO(finished.err);
  CHECK(finished.exit_code == wrong.exit_code);
  CHECK(finished.out.empty());
  CHECK(finished.err.find(wrong.message) != std::string::npos);
  CHECK(finished.err.starts_with("diskaudit: "));
  CHECK(std::ranges::count(finished.err, '\n') == 1);
  CHECK(cli.records().empty());
}

std::vector<std::string> audit_in(const Cli& cli, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"--profile", "tencent-standard", "--disk",
                                        cli.folder().path().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("wrong usage is one line that says what to do, and exit code 2") {
  const Cli cli;
  const Wrong wrongs[] = {
      {{}, 2, "no profile given; try: diskaudit --profile tencent-standard --size 100"},
      {{"audit"}, 2, "no profile given; name one with --profile"},
      {{"--profile", "tencent-standrad", "--size", "100"}, 2, "tencent-standard"},
      {audit_in(cli, {"--size", "0"}), 2, "--size"},
      {audit_in(cli, {"--size", "-5"}), 2, "--size"},
      {audit_in(cli, {"--size", "100XB"}), 2, "100XB"},
      {audit_in(cli, {"--size", "5"}), 2, "10"},
      {audit_in(cli, {"--size", "1e30"}), 2, "--size"},
      {audit_in(cli, {"--size", "900000"}), 2, "32000"},
      {audit_in(cli, {"--size", "100", "--scenario", "rand-read-5k"}), 2,
       "unknown scenario 'rand-read-5k'; known are"},
      {audit_in(cli, {"--size", "100", "--suite", "quick"}), 2, "unknown suite 'quick'; known are"},
      {audit_in(cli, {"--size", "100", "--runtime", "0"}), 2, "--runtime: '0' is not a time"},
      {audit_in(cli, {"--size", "100", "--runtime", "nan"}), 2, "--runtime"},
      {audit_in(cli, {"--size", "100", "--runtime", "soon"}), 2, "--runtime"},
      {audit_in(cli, {"--size", "100", "--min-percent", "0"}), 2,
       "--min-percent: '0' is not a number from 0.1 to 1000"},
      {audit_in(cli, {"--size", "100", "--iodepth", "0"}), 2, "--iodepth"},
      {audit_in(cli, {"--size", "100", "--input", "tier"}), 2, "NAME=VALUE"},
      {audit_in(cli, {"--size", "100", "--input", "tier=1"}), 2, "tier"},
      {audit_in(cli, {"--size", "100", "--engine", "posix"}), 2, "--engine"},
      {audit_in(cli, {"--size", "100", "--format", "word"}), 2, "word"},
      {audit_in(cli, {"--size", "100", "-o", "report.doc"}), 2, "report.doc"},
      {audit_in(cli, {"--size", "100", "--instance-throughput", "fast"}), 2,
       "--instance-throughput"},
      {audit_in(cli, {"--size", "100", "--instance-iops", "nan"}), 2, "--instance-iops: 'nan'"},
      {audit_in(cli, {"--sise", "100"}), 2, "--sise"},
      {{"measure", "--disk", ""}, 2, "nothing stands after '--disk'; is a variable unset?"},
      {{"measure", "--disk="}, 2, "nothing stands after '--disk='"},
      {audit_in(cli, {"--size", "100", "-o", "json:"}), 2, "it names no file"},
      {{"profiles"}, 2, "subcommand"},
      {{"profiles", "show"}, 2, "ID"},
      {{"profiles", "show", "nowhere-disk", "--size", "100"}, 2, "nowhere-disk"},
      {{"profiles", "check", "/nonexistent/profile.yaml"}, 2, "/nonexistent/profile.yaml"},
      {{"judge", "/nonexistent/record.json"}, 2, "/nonexistent/record.json"},
      {{"report", "/nonexistent/record.json"}, 2, "/nonexistent/record.json"},
  };
  for (const Wrong& wrong : wrongs) check_refused(cli, wrong);
}

TEST_CASE("what the machine cannot do is found out before the run, with exit code 4") {
  const Cli cli;
  write_file(cli.folder() / "plain", "text");
  const std::string missing = cli.folder() / "missing";
  const Wrong wrongs[] = {
      {{"--profile", "tencent-standard", "--size", "100", "--disk", missing}, 4, missing},
      {{"--profile", "tencent-standard", "--size", "100", "--disk", cli.folder() / "plain"},
       4,
       "plain"},
      {audit_in(cli, {"--size", "100", "-o", missing + "/report.json"}), 4,
       "no folder " + missing + "; create it first"},
      {audit_in(cli, {"--size", "100", "--test-size", "900TiB"}), 4, "--test-size"},
      {audit_in(cli, {"--size", "100", "--log", missing + "/log"}), 4, missing},
  };
  for (const Wrong& wrong : wrongs) check_refused(cli, wrong);
}

TEST_CASE("a dry run says what would happen and leaves nothing") {
  const Cli cli;
  const auto before = std::filesystem::space(cli.folder().path()).available;
  const Finished finished = cli(
      audit_in(cli, {"--size", "100", "--dry-run", "--test-size", "64MiB", "--reserve", "1MiB"}));
  INFO(finished.err);
  CHECK(finished.exit_code == 0);
  CHECK(finished.out.find("min(1800 + 8 × 100, 6000)") != std::string::npos);
  CHECK(finished.out.find("target 2600 IOPS") != std::string::npos);
  CHECK(finished.out.find("target 115 MB/s") != std::string::npos);
  CHECK(finished.out.find("64 MiB") != std::string::npos);
  CHECK(cli.records().empty());
  CHECK(std::filesystem::is_empty(cli.folder().path()));
  const auto after = std::filesystem::space(cli.folder().path()).available;
  CHECK(before < after + 32 * 1024 * 1024);
}

TEST_CASE("help and version go to stdout and end with 0") {
  const Cli cli;
  const Finished version = cli({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.out.starts_with("diskaudit 0."));
  CHECK(version.err.empty());
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"audit", "--help"}, {"-h"}, {"profiles", "show", "--help"}}) {
    const Finished help = cli(arguments);
    CHECK(help.exit_code == 0);
    CHECK(help.out.find("Usage") != std::string::npos);
    CHECK(help.err.empty());
  }
}

TEST_CASE("the man page names every command, option and exit code") {
  const Cli cli;
  const std::string page = cli({"manual"}).out;
  for (const char* part :
       {".SH NAME", ".SS audit", ".SS measure", ".SS profiles show", ".SS judge", ".SS report",
        "\\-\\-profile", "\\-\\-destroy\\-data\\-on", "\\-\\-min\\-percent", "\\-\\-dry\\-run",
        ".SH EXIT STATUS", ".B 128+n"}) {
    INFO(part);
    CHECK(page.find(part) != std::string::npos);
  }
}

TEST_CASE("profiles show explains the quota, and gives the same as JSON") {
  const Cli cli;
  const Finished text = cli({"profiles", "show", "tencent-standard", "--size", "100"});
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("min(1800 + 8 × 100, 6000) = min(2600, 6000) = 2600") != std::string::npos);
  CHECK(text.out.find("115 MB/s") != std::string::npos);

  struct Knee {
    const char* gib;
    double iops;
    double throughput;
  };
  for (const Knee& knee : {Knee{"524", 5992, 150e6}, Knee{"525", 6000, 150e6},
                           Knee{"526", 6000, 150e6}, Knee{"5000", 6000, 150e6}}) {
    const Finished json =
        cli({"profiles", "show", "tencent-standard", "--size", knee.gib, "--format", "json"});
    INFO(json.err);
    REQUIRE(json.exit_code == 0);
    const auto object = nlohmann::json::parse(json.out);
    CHECK(object["quota"]["read"]["iops"] == knee.iops);
    CHECK(object["quota"]["write"]["bytes_per_second"] == knee.throughput);
    CHECK(object["profile"]["id"] == "tencent-standard");
  }
}

TEST_CASE("a profile is found by id, by alias in any case, and as a file") {
  const Cli cli;
  const std::string file = std::string(SOURCE_FOLDER) + "/profiles/tencent/standard.yaml";
  for (const std::string& name : {std::string("tencent-standard"), std::string("CLOUD_PREMIUM"),
                                  std::string("cloud_premium"), file}) {
    const Finished shown = cli({"profiles", "show", name, "--size", "100", "--format", "json"});
    INFO(name << ": " << shown.err);
    REQUIRE(shown.exit_code == 0);
    CHECK(nlohmann::json::parse(shown.out)["profile"]["id"] == "tencent-standard");
  }
}

TEST_CASE("profiles list names every type, as text and as JSON") {
  const Cli cli;
  const Finished text = cli({"profiles", "list"});
  CHECK(text.exit_code == 0);
  for (const char* id : {"tencent-standard", "huawei-sata", "alibaba-essd-pl3"}) {
    CHECK(text.out.find(id) != std::string::npos);
  }
  const auto list = nlohmann::json::parse(cli({"profiles", "list", "--format", "json"}).out);
  CHECK(list.dump().find("tencent-standard") != std::string::npos);
}

TEST_CASE("profiles list can be narrowed, and says so when nothing is left") {
  const Cli cli;
  const Finished vendor = cli({"profiles", "list", "--vendor", "huawei"});
  CHECK(vendor.out.find("huawei-sata") != std::string::npos);
  CHECK(vendor.out.find("tencent-standard") == std::string::npos);
  CHECK(cli({"profiles", "list", "CLOUD_PREMIUM"}).out.find("tencent-standard") !=
        std::string::npos);
  const Finished none = cli({"profiles", "list", "--vendor", "nobody"});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("no profile of vendor nobody") != std::string::npos);
}

TEST_CASE("several sizes make a table, and an old date an older formula") {
  const Cli cli;
  const Finished table = cli({"profiles", "show", "tencent-standard", "--size", "100,500"});
  CHECK(table.out.find("2600") != std::string::npos);
  CHECK(table.out.find("5800") != std::string::npos);

  const std::string file = cli.folder() / "acme-plain.yaml";
  write_file(file, R"yaml(id: acme-plain
vendor: Acme
name: Plain
capacity: {min: 10, max: 1000}
quota: {iops: 20*gib}
history:
  - {until: 2020-02-10, from: 2019-11-22, quota: {iops: 15*gib},
     source: {title: Acme, url: "https://acme.example", read: 2026-11-30}}
sources:
  - {title: Acme, url: "https://acme.example", read: 2026-11-30}
published:
  - {gib: 100, iops: 2000, derived: true}
  - {gib: 200, iops: 4000, derived: true}
)yaml");
  const auto shown_on = [&](const std::string& date) {
    const Finished shown = cli({"profiles", "show", file, "--size", "100", "--as-of", date});
    return shown.exit_code == 0 ? shown.out : shown.err;
  };
  CHECK(shown_on("2019-12-01").find("15 × 100 = 1500") != std::string::npos);
  CHECK(shown_on("2021-01-01").find("20 × 100 = 2000") != std::string::npos);
  CHECK(shown_on("1999-01-01").find("1999-01-01") != std::string::npos);
}

TEST_CASE("profiles advise names the smallest disk that gives what is wanted") {
  const Cli cli;
  const Finished advice =
      cli({"profiles", "advise", "--iops", "5000", "--vendor", "tencent", "--format", "json"});
  INFO(advice.err);
  REQUIRE(advice.exit_code == 0);
  bool found = false;
  for (const auto& entry : nlohmann::json::parse(advice.out)) {
    if (entry["id"] == "tencent-standard") found = entry["gib"] == 400;
  }
  CHECK(found);
  CHECK(cli({"profiles", "advise"}).exit_code == 2);
}

TEST_CASE("profiles check accepts every shipped file and names the fault of a broken one") {
  const Cli cli;
  std::vector<std::string> arguments = {"profiles", "check"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(SOURCE_FOLDER) / "profiles")) {
    if (entry.path().extension() == ".yaml") arguments.push_back(entry.path().string());
  }
  const Finished good = cli(arguments);
  INFO(good.err);
  CHECK(good.exit_code == 0);

  std::string broken =
      read_file(std::filesystem::path(SOURCE_FOLDER) / "profiles/tencent/standard.yaml");
  const std::size_t place = broken.find("8*gib");
  REQUIRE(place != std::string::npos);
  broken.replace(place, 5, "8*gb");
  write_file(cli.folder() / "broken.yaml", broken);
  const Finished bad = cli({"profiles", "check", cli.folder() / "broken.yaml"});
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find("unknown name 'gb'") != std::string::npos);
  CHECK(bad.err.find("did you mean 'gib'") != std::string::npos);
}

TEST_CASE("own profiles are found through DISKAUDIT_PROFILES") {
  const Cli cli;
  std::filesystem::create_directories(cli.folder() / "own/acme");
  std::string profile =
      read_file(std::filesystem::path(SOURCE_FOLDER) / "profiles/huawei/sata.yaml");
  profile.replace(profile.find("id: huawei-sata"), 15, "id: acme-spinning");
  const std::size_t aliases = profile.find("aliases:");
  if (aliases != std::string::npos)
    profile.erase(aliases, profile.find('\n', aliases) - aliases + 1);
  write_file(cli.folder() / "own/acme/spinning.yaml", profile);
  const Finished shown = cli({"profiles", "show", "acme-spinning", "--size", "100"},
                             {.environment = {"DISKAUDIT_PROFILES=" + (cli.folder() / "own")}});
  INFO(shown.err);
  CHECK(shown.exit_code == 0);
  CHECK(shown.out.find("1000") != std::string::npos);
}

TEST_CASE("names from outside steer neither a terminal nor a CI server") {
  const Cli cli;
  const std::string evil = "a\n::error::b\x1b[2J##[error]c\xC2\x9B \xE2\x80\xAE ::add-mask::d";
  const std::string folder = cli.folder() / evil;
  std::filesystem::create_directory(folder);
  const std::string profile = folder + "/evil.yaml";
  std::string text = read_file(SOURCE_FOLDER "/profiles/tencent/standard.yaml");
  text.replace(text.find("Premium Cloud Disk"), 18, "\"a ##[error]b \\u202e ::error::c\"");
  write_file(profile, text);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--profile", profile, "--size", "100", "--disk", folder,
                                 "--dry-run", "--test-size", "64MiB", "--reserve", "1MiB"},
        {"--profile", evil, "--size", "100"},
        {"measure", "--disk", folder + "/none"},
        {"measure", "--disk", folder, "-o", folder + "/none/a.json"},
        {"profiles", "show", profile, "--size", "100"},
        {"profiles", "show", profile, "--size", "100", "--format", "json"},
        {"profiles", "check", profile},
        {"judge", folder + "/none"}}) {
    const Finished finished = cli(words);
    INFO(finished.out << finished.err);
    CHECK((finished.out + finished.err).size() > 20);
    for (const char* command : {"\n::", "\n ::", "##[", "\x1b", "\xC2\x9B", "\xE2\x80\xAE"}) {
      CHECK(finished.out.find(command) == std::string::npos);
      CHECK(finished.err.find(command) == std::string::npos);
    }
  }
}
