#include "report/compare.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

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
  check_golden("compare-day.md", rendered(hours(), comparison_as_markdown));
}

TEST_CASE("a comparison reads as text, Markdown, HTML and JSON in both languages") {
  const ReportStyle chinese{.language = Language::Chinese};
  check_golden("compare.txt", rendered(two_audits(), comparison_as_text));
  check_golden("compare.zh.txt", rendered(two_audits(), comparison_as_text, chinese));
  check_golden("compare.md", rendered(two_audits(), comparison_as_markdown));
  const auto json = nlohmann::json::parse(rendered(two_audits(), comparison_as_json));
  CHECK(json["schema"] == "diskaudit/comparison/1");
  CHECK(json["scenarios"][1]["change"] == "higher");
  CHECK(json["scenarios"][0]["rates"].size() == 2);
  CHECK(rendered(two_audits(), comparison_as_html).find("<script") == std::string::npos);
}

TEST_CASE("records without a scenario in common, or one alone, cannot be compared") {
  CHECK(compare(std::vector<Audit>{passing_audit()}).error().message ==
        "cannot compare one record alone; name two or more");
  CHECK(
      compare(std::vector<Audit>{audit_of({{"rand-read-4k", 1}}), audit_of({{"rand-write-4k", 1}})})
          .error()
          .message == "cannot compare: the records have no measured scenario in common");
}
