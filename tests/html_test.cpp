// The page is XML as well as HTML, so that an XML parser can walk it here.

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <chrono>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "report/html/plot.hpp"
#include "report/record.hpp"
#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

using Tree = boost::property_tree::ptree;

std::string rendered(const Audit& audit, const ReportStyle& style = {}) {
  return (*find_format("html"))->render(audit, style);
}

Tree parsed(const std::string& page) {
  std::istringstream stream(page);
  Tree tree;
  read_xml(stream, tree);
  return tree;
}

/// Calls `visit` for every element below `tree`, with its name.
void walk(const Tree& tree, const std::function<void(const std::string&, const Tree&)>& visit) {
  for (const auto& [name, child] : tree) {
    if (name.starts_with('<')) continue;
    visit(name, child);
    walk(child, visit);
  }
}

std::string attribute(const Tree& element, const std::string& name) {
  return element.get<std::string>("<xmlattr>." + name, "");
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

struct Box {
  double left, right, top, bottom;
};

/// Where a tick's label is, with digits of 0.6 em at 15 px.
Box box_of(const Tree& text) {
  const double x = std::stod(attribute(text, "x"));
  const double y = std::stod(attribute(text, "y"));
  const double width = 9.0 * static_cast<double>(display_width(text.data()));
  const bool centred = attribute(text, "class") == "x";
  const double left = centred ? x - width / 2 : x - width;
  return {left, left + width, y - 12, y + 3};
}

void check_charts(const Tree& page) {
  walk(page, [](const std::string& name, const Tree& svg) {
    if (name != "svg" || attribute(svg, "role") != "img") return;
    INFO(svg.get<std::string>("title"));
    std::vector<Box> boxes;
    walk(svg, [&](const std::string& part, const Tree& element) {
      if (part == "text") boxes.push_back(box_of(element));
      if (part == "rect") {
        CHECK(std::stod(attribute(element, "width")) >= 0);
        CHECK(std::stod(attribute(element, "height")) >= 0);
      }
      const std::string path = attribute(element, "d");
      static const std::regex number("-?[0-9]+(\\.[0-9]+)?");
      for (std::sregex_iterator it(path.begin(), path.end(), number), end; it != end; ++it) {
        CHECK(std::stod(it->str()) >= 0);
        CHECK(std::stod(it->str()) <= html::Plot::width);
      }
    });
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      CHECK(boxes[i].left >= 0);
      CHECK(boxes[i].right <= html::Plot::width);
      CHECK(boxes[i].bottom <= html::Plot::height);
      for (std::size_t j = 0; j < i; ++j) {
        const bool apart = boxes[i].right <= boxes[j].left || boxes[j].right <= boxes[i].left ||
                           boxes[i].bottom <= boxes[j].top || boxes[j].bottom <= boxes[i].top;
        CHECK(apart);
      }
    }
  });
}

}  // namespace

TEST_CASE("the page is well-formed, self-contained and has no script") {
  const std::string page = rendered(eventful_audit(3));
  check_golden("page.html", page);
  std::set<std::string> ids;
  walk(parsed(page), [&](const std::string& name, const Tree& element) {
    CHECK(name != "script");
    CHECK(name != "link");
    CHECK(attribute(element, "src").empty());
    const std::string id = attribute(element, "id");
    if (!id.empty()) CHECK(ids.insert(id).second);
  });
  CHECK(page.find("url(") == std::string::npos);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  walk(parsed(page), [&](const std::string&, const Tree& element) {
    std::istringstream named(attribute(element, "aria-labelledby"));
    for (std::string id; named >> id;) CHECK(ids.count(id) == 1);
  });
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
  const std::string page = rendered(audit);
  CHECK(page.size() < 500'000);
  check_charts(parsed(page));
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
