// The page is XML as well as HTML, so that an XML parser can walk it here.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <regex>

#include "report/record.hpp"
#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/page.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

std::string rendered(const Audit& audit, const ReportStyle& style = {}) {
  return (*find_format("html"))->render(audit, style);
}

/// A burst that ends, a plateau that is judged, an earlier attempt and a probe.
Audit eventful_audit(double seconds) {
  Audit audit = audit_of({{"seq-write-256k", 61.3e6, Outcome::Fail, Cause::BurstThenBelow},
                          {"rand-write-4k", 1801, Outcome::Fail, Cause::BelowQuota},
                          {"rand-read-4k", 2582}},
                         {.seconds = seconds});
  Series& series = audit.scenarios[0].evidence.judged->all.series;
  for (std::size_t i = 0; i < series.bytes.size() / 3; ++i) series.bytes[i] *= 4;
  Verdict& verdict = audit.scenarios[0].verdict;
  verdict.plateau = Plateau{seconds / 3, seconds};
  verdict.reasons.push_back(
      {ReasonCode::BurstEnded,
       {{"at", seconds / 3}, {"burst", 96.0}, {"level", 53.3}, {"bucket", 3.6e9}},
       ""});
  Evidence& evidence = audit.scenarios[1].evidence;
  evidence.attempts.push_back(*evidence.judged);
  evidence.probes.push_back({Purpose::HalfDepth, *evidence.judged});
  return audit;
}

}  // namespace

TEST_CASE("the page is well-formed, self-contained and has no script") {
  const std::string page = rendered(eventful_audit(3));
  check_golden("page.html", page);
  check_page(page);
}

TEST_CASE("every text of the page stands there in both languages") {
  std::size_t pairs = 0;
  walk(parsed(rendered(eventful_audit(30))), [&](const std::string&, const Tree& element) {
    std::vector<std::string> languages;
    for (const auto& [name, child] : element) {
      const std::string language = attribute(child, "class");
      if (language == "en" || language == "zh") languages.push_back(language);
    }
    CHECK(languages.size() % 2 == 0);
    for (std::size_t i = 0; i < languages.size(); i += 2) {
      CHECK(languages[i] == "en");
      CHECK(languages[i + 1] == "zh");
      ++pairs;
    }
  });
  CHECK(pairs > 100);
}

TEST_CASE("the language asked for is the one that shows first") {
  CHECK(rendered(passing_audit()).find("id=\"to-en\" checked") != std::string::npos);
  const std::string chinese = rendered(passing_audit(), {.language = Language::Chinese});
  CHECK(chinese.find("id=\"to-zh\" checked") != std::string::npos);
  CHECK(chinese.find("<html lang=\"zh-CN\">") != std::string::npos);
}

TEST_CASE("in no chart do labels overlap or leave the frame") {
  for (const Audit& audit :
       {eventful_audit(3), eventful_audit(120), passing_audit(),
        audit_of({{"seq-read-256k", 12.1e9}, {"rand-read-4k", 1.5e6}, {"rand-write-4k", 3}},
                 {.with_profile = false, .seconds = 60})}) {
    check_charts(parsed(rendered(audit)));
  }
}

TEST_CASE("an instance's own cap is drawn where the formula is") {
  Audit audit = passing_audit();
  CHECK(rendered(audit).find("2000 IOPS") == std::string::npos);
  audit.plan.options.instance = {.iops = Iops{2000}, .throughput = BytesPerSec{100e6}};
  const std::string page = rendered(audit);
  const std::size_t curve = page.find("\"curve-iops-t ");
  REQUIRE(curve != std::string::npos);
  CHECK(page.find("class=\"threshold\"", curve) < page.find("\"curve-throughput-t "));
  CHECK(page.find("2000 IOPS", curve) < page.find("\"curve-throughput-t "));
  check_charts(parsed(page));
}

TEST_CASE("the page names the digest of the record") {
  const Audit audit = passing_audit();
  CHECK(rendered(audit).find(digest_of(audit)) != std::string::npos);
}

TEST_CASE("a day of seconds makes a page far below a megabyte") {
  Audit audit = audit_of({{"rand-write-4k", 2500}}, {.seconds = 8640});
  Measurement& measurement = *audit.scenarios[0].evidence.judged;
  measurement.seconds = 86400;
  measurement.all.series.interval_seconds = 1;
  REQUIRE(measurement.all.series.ios.size() == 86400);
  REQUIRE(measurement.latency_map.counts.size() > LatencyMap::most_columns / 2);
  for (double& begin : measurement.latency_map.begin_seconds) begin *= 10;
  const std::string page = rendered(audit);
  CHECK(page.size() < 500'000);
  check_charts(parsed(page));
}

TEST_CASE("latency over time is drawn by the share of each stretch, with its figures in a table") {
  Audit audit = audit_of({{"rand-write-4k", 2500}}, {.seconds = 4});
  Measurement& m = *audit.scenarios[0].evidence.judged;
  m.latency_map = {.begin_seconds = {0, 1, 2, 3},
                   .bounds_us = {100, 150, 200, 300},
                   .counts = {{99, 1, 0}, {0, 0, 0}, {1, 998, 1}, {0, 0, 10}}};
  const std::string page = rendered(audit);
  check_charts(parsed(page));
  for (const char* heat : {"heat2", "heat3", "heat6"}) {
    CHECK(page.find(fmt::format("<path class=\"{}\"", heat)) != std::string::npos);
  }
  CHECK(page.find("<path class=\"heat4\"") == std::string::npos);
  const auto has_row = [&page](const std::string& seconds, const std::string& ios,
                               const std::vector<std::string>& bounds) {
    std::string row = fmt::format("<tr><th>{}</th><td>{}</td>", seconds, ios);
    for (const std::string& bound : bounds) row += fmt::format("<td>{}</td>", bound);
    return page.find(row + "</tr>") != std::string::npos;
  };
  CHECK(has_row("0–1", "100", {"150 µs", "150 µs", "150 µs", "200 µs", "200 µs"}));
  CHECK(has_row("1–2", "0", {"–", "–", "–", "–", "–"}));
  CHECK(has_row("2–3", "1000", {"200 µs", "200 µs", "200 µs", "200 µs", "300 µs"}));
  CHECK(has_row("3–4", "10", {"300 µs", "300 µs", "300 µs", "300 µs", "300 µs"}));
}

TEST_CASE("a record without a latency map, or with an absurd one, still makes a page") {
  Audit audit = audit_of({{"rand-write-4k", 2500}}, {.seconds = 4});
  LatencyMap& map = audit.scenarios[0].evidence.judged->latency_map;
  const auto checked = [&audit] {
    const std::string page = rendered(audit);
    check_charts(parsed(page));
    CHECK(page.size() < 200'000);
    return page.find("class=\"heat") != std::string::npos;
  };
  map.counts[0][0] = map.counts[1][0] = ~std::uint64_t{0};
  map.bounds_us.front() = 0.1;
  map.bounds_us.back() = 1e8;
  CHECK(checked());
  map.bounds_us.front() = 1e-300;
  CHECK_FALSE(checked());
  map.begin_seconds.clear();
  CHECK_FALSE(checked());
  map = {};
  CHECK_FALSE(checked());
  CHECK(rendered(audit).find("\"latency-1-t ") != std::string::npos);
}

TEST_CASE("strings from outside cannot become markup, nor a profile's address a script") {
  Audit audit = eventful_audit(3);
  audit.disk.device.serial = "<script>alert(1)</script>\" onload=\"x";
  audit.plan.profile->sources[0].url = "javascript:alert(1)";
  audit.notes = {"</main><img src=x onerror=y>"};
  walk(parsed(rendered(audit)), [](const std::string& name, const Tree& element) {
    CHECK(name != "script");
    CHECK(name != "img");
    CHECK(attribute(element, "href").find("javascript") == std::string::npos);
    CHECK(attribute(element, "onload").empty());
  });
}
