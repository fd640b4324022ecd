#include "report/compare.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/markdown_table.hpp"
#include "support/page.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

using Render = std::string (*)(const Comparison&, const ReportStyle&);

std::string rendered(const std::vector<Audit>& audits, Render render,
                     const ReportStyle& style = {}) {
  const auto comparison = compare(audits);
  REQUIRE(comparison);
  return render(*comparison, style);
}

/// Before and after a resize: IOPS doubled, throughput as it was.
std::vector<Audit> two_audits() {
  return {audit_of({{"seq-read-256k", 114.2e6}, {"rand-read-4k", 2582}}),
          audit_of({{"seq-read-256k", 114.2e6}, {"rand-read-4k", 5164}})};
}

/// Reference results, section 1: the hours of a day between 2590 and 2310 IOPS.
std::vector<Audit> hours() {
  std::vector<Audit> audits;
  for (const double rate : {2590.0, 2450.0, 2310.0, 2570.0}) {
    audits.push_back(audit_of({{"rand-mixed-4k", rate}}));
    Measurement& judged = *audits.back().scenarios[0].evidence.judged;
    judged.started.replace(11, 2, fmt::format("{:02}", 6 * audits.size() - 5));
  }
  return audits;
}

}  // namespace

TEST_CASE("two records show for each scenario whether the difference is real") {
  const auto comparison = compare(two_audits());
  REQUIRE(comparison);
  REQUIRE(comparison->scenarios.size() == 2);
  const ComparedScenario& sequential = comparison->scenarios[0];
  CHECK(sequential.change == Change::None);
  CHECK(sequential.ratio_low < 1);
  CHECK(sequential.ratio_high > 1);
  const ComparedScenario& random = comparison->scenarios[1];
  CHECK(random.change == Change::Higher);
  CHECK(*random.ratio == Approx(2).epsilon(0.002));
  CHECK(random.ratio_low > 1.9);
}

TEST_CASE("a difference within the noise is no difference, and a short window tells nothing") {
  const auto noise = compare(
      std::vector<Audit>{audit_of({{"rand-read-4k", 2582}}), audit_of({{"rand-read-4k", 2585}})});
  CHECK(noise->scenarios[0].change == Change::None);
  const auto brief =
      compare(std::vector<Audit>{audit_of({{"rand-read-4k", 2582}}, {.seconds = 0.2}),
                                 audit_of({{"rand-read-4k", 5000}}, {.seconds = 0.2})});
  CHECK(brief->scenarios[0].change == Change::Unknown);
  const auto fall = compare(
      std::vector<Audit>{audit_of({{"rand-read-4k", 2582}}), audit_of({{"rand-read-4k", 2000}})});
  CHECK(fall->scenarios[0].change == Change::Lower);
}

TEST_CASE("several records show lowest, highest and their spread over the day") {
  const auto comparison = compare(hours());
  REQUIRE(comparison);
  const ComparedScenario& mixed = comparison->scenarios.at(0);
  CHECK(mixed.lowest == Approx(2310).epsilon(0.002));
  CHECK(mixed.highest == Approx(2590).epsilon(0.002));
  CHECK(mixed.spread_percent == Approx(10.8).margin(0.2));
  CHECK_FALSE(mixed.ratio);
  check_golden("compare-day.txt", rendered(hours(), comparison_as_text));
  const std::string markdown = rendered(hours(), comparison_as_markdown);
  check_golden("compare-day.md", markdown);
  const auto tables = markdown_tables(markdown);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].at(1).at(1) == "4");
  CHECK(tables[1].size() == 1 + 4);
  const std::string page = rendered(hours(), comparison_as_html);
  check_golden("compare-day.html", page);
  check_page(page);
  const std::string json = rendered(hours(), comparison_as_json);
  check_golden("compare-day.json", json);
  CHECK(nlohmann::json::parse(json)["scenarios"][0]["rates"].size() == 4);
}

TEST_CASE("a comparison reads as text, Markdown, HTML and JSON in both languages") {
  const ReportStyle chinese{.language = Language::Chinese};
  check_golden("compare.txt", rendered(two_audits(), comparison_as_text));
  check_golden("compare.zh.txt", rendered(two_audits(), comparison_as_text, chinese));
  for (const auto& [name, style] :
       {std::pair{"compare.md", ReportStyle{}}, std::pair{"compare.zh.md", chinese}}) {
    const std::string text = rendered(two_audits(), comparison_as_markdown, style);
    check_golden(name, text);
    const auto tables = markdown_tables(text);
    REQUIRE(tables.size() == 1);
    REQUIRE(tables[0].size() == 1 + 2);
    CHECK(tables[0][2].size() == 5);
    CHECK(tables[0][2][3].starts_with("+99.9 % ("));
  }
}

TEST_CASE("a comparison's page is like that of an audit, with the language asked for first") {
  const std::string page = rendered(two_audits(), comparison_as_html);
  check_golden("compare.html", page);
  check_page(page);
  std::size_t rows = 0;
  walk(parsed(page), [&](const std::string& name, const Tree&) { rows += name == "tr"; });
  CHECK(rows == 3 + 2);
  const std::string chinese =
      rendered(two_audits(), comparison_as_html, {.language = Language::Chinese});
  CHECK(parsed(chinese).get<std::string>("html.<xmlattr>.lang") == "zh-CN");
}

TEST_CASE("a comparison as JSON has rates, their ratio and its interval in numbers") {
  const std::string text = rendered(two_audits(), comparison_as_json);
  check_golden("compare.json", text);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["schema"] == "diskaudit/comparison/1");
  CHECK(json["same_disk"] == true);
  const auto& random = json["scenarios"].at(1);
  CHECK(random["change"] == "higher");
  CHECK(random["ratio"].get<double>() == Approx(2).epsilon(0.002));
  CHECK(random["ratio_low"] < random["ratio"]);
  CHECK(random["ratio_high"] > random["ratio"]);
  CHECK(json["scenarios"][0]["rates"].size() == 2);
}

TEST_CASE("records without a scenario in common, or one alone, cannot be compared") {
  CHECK(compare(std::vector<Audit>{passing_audit()}).error().message ==
        "cannot compare one record alone; name two or more");
  CHECK(
      compare(std::vector<Audit>{audit_of({{"rand-read-4k", 1}}), audit_of({{"rand-write-4k", 1}})})
          .error()
          .message == "cannot compare: the records have no measured scenario in common");
}
