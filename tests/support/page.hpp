#pragma once
/// HTML pages as an XML parser reads them: a page is both.

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "catch.hpp"
#include "report/html/plot.hpp"
#include "text.hpp"

namespace diskaudit::test {

using Tree = boost::property_tree::ptree;

inline Tree parsed(const std::string& page) {
  std::istringstream stream(page);
  Tree tree;
  read_xml(stream, tree);
  return tree;
}

/// Calls `visit` for every element below `tree`, with its name.
inline void walk(const Tree& tree,
                 const std::function<void(const std::string&, const Tree&)>& visit) {
  for (const auto& [name, child] : tree) {
    if (name.starts_with('<')) continue;
    visit(name, child);
    walk(child, visit);
  }
}

inline std::string attribute(const Tree& element, const std::string& name) {
  return element.get<std::string>("<xmlattr>." + name, "");
}

struct Box {
  double left, right, top, bottom;
};

/// Where a tick's label is, with digits of 0.6 em at 15 px.
inline Box box_of(const Tree& text) {
  const double x = std::stod(attribute(text, "x"));
  const double y = std::stod(attribute(text, "y"));
  const double width = 9.0 * static_cast<double>(display_width(text.data()));
  const bool centred = attribute(text, "class") == "x";
  const double left = centred ? x - width / 2 : x - width;
  return {left, left + width, y - 12, y + 3};
}

inline void check_charts(const Tree& page) {
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

/// Well-formed, with nothing fetched or run, no name twice, and every reference to one that is
/// there.
inline void check_page(const std::string& page) {
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
  check_charts(parsed(page));
}

}  // namespace diskaudit::test
