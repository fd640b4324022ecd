#pragma once
/// The parts of the HTML report. Every text stands there in both languages; the page's style sheet
/// shows the one that its switch asks for.

#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.hpp"
#include "report/escape.hpp"
#include "report/messages.hpp"

namespace diskaudit::html {

/// The whole page around `body`; `language` is the one that shows first.
std::string page(const std::string& title, const std::string& body, Language language);

/// The style sheet: light, dark and print.
std::string_view style_sheet();

/// What `words_in` says in each language, escaped; once only where both say the same.
template <typename WordsIn>
std::string both(WordsIn words_in) {
  const std::string english = escaped_xml(words_in(Language::English));
  const std::string chinese = escaped_xml(words_in(Language::Chinese));
  if (english == chinese) return english;
  return fmt::format(
      "<span class=\"en\" lang=\"en\">{}</span><span class=\"zh\" lang=\"zh-CN\">{}</span>",
      english, chinese);
}

template <typename... Args>
std::string both_say(Message message, const Args&... args) {
  return both([&](Language language) { return say(message, language, args...); });
}

/// "English / 中文", for places that hold no markup.
template <typename... Args>
std::string side_by_side(Message message, const Args&... args) {
  return say(message, Language::English, args...) + " / " +
         say(message, Language::Chinese, args...);
}

/// A row of a table, its first cell a heading. The cells are markup.
std::string row(const std::vector<std::string>& cells);
/// A row of headings.
std::string head_row(const std::vector<std::string>& cells);

std::string summary(const Audit& audit);
std::string claim(const Audit& audit);
/// Charts, percentiles, runs and limiter of one scenario; `number` makes its ids unique.
std::string scenario_section(const Audit& audit, const ScenarioAudit& scenario, std::size_t number);
std::string scenario_charts(const Audit& audit, const ScenarioAudit& scenario, std::size_t number);
std::string surroundings(const Audit& audit, const std::string& digest);

}  // namespace diskaudit::html
