#include "report/report.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

std::string rendered(const std::string& format, const Audit& audit, const ReportStyle& style = {}) {
  return (*find_format(format))->render(audit, style);
}

constexpr ReportStyle chinese{.language = Language::Chinese};

/// One scenario of each outcome.
Audit mixed_causes_audit() {
  return audit_of({{"seq-write-256k", 61.3e6, Outcome::Fail, Cause::BurstThenBelow},
                   {"seq-read-256k", 230e6},
                   {"rand-write-4k", 0, Outcome::NotTested},
                   {"rand-read-4k", 2338.9, Outcome::Inconclusive, Cause::ClientLimited}});
}

Audit inconclusive_audit() {
  return audit_of(
      {{"rand-write-4k", 2345, Outcome::Inconclusive, Cause::Borderline}, {"rand-read-4k", 2582}});
}

Audit measured_audit() {
  return audit_of({{"seq-read-256k", 1.21e9}, {"rand-read-4k", 150000}}, {.with_profile = false});
}

Audit interrupted_audit() {
  Audit audit =
      audit_of({{"seq-write-256k", 108.7e6},
                {"seq-read-256k", 112e6, Outcome::Inconclusive, Cause::Interrupted}},
               {.planned = {"seq-write-256k", "seq-read-256k", "rand-write-4k", "rand-read-4k"}});
  audit.signal = 2;
  return audit;
}

std::vector<std::pair<std::string, Audit>> all_audits() {
  return {{"pass", passing_audit()},       {"fail", failing_audit()},
          {"mixed", mixed_causes_audit()}, {"inconclusive", inconclusive_audit()},
          {"measured", measured_audit()},  {"interrupted", interrupted_audit()}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void check_fits_a_card(const std::string& card) {
  CHECK(lines_of(card).size() <= 20);
  for (const std::string& line : lines_of(card)) {
    INFO(line);
    CHECK(display_width(line) <= 80);
  }
}

}  // namespace

TEST_CASE("a card says the verdict first and fits 20 lines of 80 columns, in both languages") {
  for (const auto& [name, audit] : all_audits()) {
    const std::string english = rendered("text", audit);
    check_fits_a_card(english);
    check_golden(name + ".txt", english);
    const std::string translated = rendered("text", audit, chinese);
    check_fits_a_card(translated);
    check_golden(name + ".zh.txt", translated);
  }
}

TEST_CASE("a card without UTF-8 is ASCII alone, whatever the language asked for") {
  for (const auto& [name, audit] : all_audits()) {
    const std::string card =
        rendered("text", audit, {.utf8 = false, .language = Language::Chinese});
    CHECK(std::ranges::all_of(card, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    check_fits_a_card(card);
  }
  CHECK(rendered("text", failing_audit(), {.utf8 = false}).starts_with("FAIL"));
}

TEST_CASE("colour is an addition: without it the card's words are the same") {
  std::string coloured = rendered("text", mixed_causes_audit(), {.colour = true});
  CHECK(coloured.find("\x1b[1;31mFAIL\x1b[0m") != std::string::npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) + 1 - at);
  }
  CHECK(coloured == rendered("text", mixed_causes_audit()));
}

TEST_CASE("a card of many scenarios counts what passed and shows what did not") {
  std::vector<Came> came;
  for (const Scenario& scenario : all_scenarios()) {
    if (scenario.metric == Metric::LatencyUs) continue;
    came.push_back({scenario.name, scenario.metric == Metric::Iops ? 2600 : 114e6});
  }
  came[3].outcome = Outcome::Fail;
  came[3].cause = Cause::BelowQuota;
  const std::string card = rendered("text", audit_of(came));
  check_fits_a_card(card);
  CHECK(card.find("✗ random read 4 KiB") != std::string::npos);
  CHECK(card.find("further scenarios, all passed") != std::string::npos);
}

TEST_CASE("a percentage is never rounded across the threshold") {
  const std::string card = rendered("text", inconclusive_audit());
  Audit audit = audit_of({{"rand-read-4k", 2339.5, Outcome::Fail, Cause::BelowQuota}});
  CHECK(rendered("text", audit).find("89.98 %") != std::string::npos);
}

TEST_CASE("formats are found by name and by a file's suffix") {
  CHECK((*find_format("json"))->suffix == ".json");
  CHECK((*format_for_file("out/report.json.gz"))->name == "json");
  CHECK((*format_for_file("card.txt"))->name == "text");
  CHECK(
      find_format("yaml").error().message.starts_with("unknown format 'yaml'; known: text, json"));
  CHECK(format_for_file("report.docx").error().code == ExitCode::Usage);
}

TEST_CASE("the card shows notes, and verdicts that hang on a disputed figure, in both languages") {
  Audit audit = failing_audit();
  audit.notes = {"size not given; the device's own 100 GiB was taken", std::string(300, 'n')};
  const std::string plain = rendered("text", audit);
  CHECK(plain.find("Note      size not given; the device's own 100 GiB was taken\n") !=
        std::string::npos);
  audit.scenarios[0].verdict.reasons.push_back(
      {ReasonCode::Disputed, {{"target", 120586240}, {"percent", 95}}, "its API's page"});
  const std::string disputed = rendered("text", audit);
  CHECK(disputed.find("Note      sequential write 256 KiB: the vendor's documents disagree") !=
        std::string::npos);
  CHECK(disputed.find("120.6 MB/s") != std::string::npos);
  for (const std::string& card : {plain, disputed}) CHECK(lines_of(card).size() <= 20);
  CHECK(rendered("text", audit, chinese).find("厂商文档说法不一") != std::string::npos);
  for (const std::string format : {"html", "ticket", "markdown", "junit"}) {
    INFO(format);
    CHECK(rendered(format, audit, {.language_asked = true}).find("documents disagree") !=
          std::string::npos);
  }
}
