// A comparison as a page like that of an audit; a series has a chart of each scenario over the day.

#include <cstdlib>

#include "report/compare_rows.hpp"
#include "report/html/page.hpp"
#include "report/html/plot.hpp"
#include "report/phrases.hpp"

namespace diskaudit {
namespace {

using html::both_say;

std::string table(const std::vector<Row>& english, const std::vector<Row>& chinese,
                  const char* style) {
  std::string text;
  for (std::size_t i = 0; i < english.size(); ++i) {
    Row cells;
    for (std::size_t j = 0; j < english[i].size(); ++j) {
      cells.push_back(html::both([&](Language language) {
        return (language == Language::Chinese ? chinese : english)[i][j];
      }));
    }
    text += i == 0 ? "<thead>" + html::head_row(cells) + "</thead>\n<tbody>\n" : html::row(cells);
  }
  return fmt::format("<div class=\"wide\"><table class=\"{}\">{}</tbody></table></div>\n", style,
                     text);
}

/// "2026-11-30T06:30:00…" → 6.5
double hour_of_day(const std::string& time) {
  if (time.size() < 16) return 0;
  return std::atof(time.substr(11, 2).c_str()) + std::atof(time.substr(14, 2).c_str()) / 60;
}

/// Dots only: between two audits nothing was measured.
std::string chart(const Comparison& comparison, const ComparedScenario& compared,
                  const std::string& id) {
  const Metric metric = compared.scenario.metric;
  const bool in_bytes = metric == Metric::BytesPerSecond;
  const double scale = in_bytes ? bytes_per_second_in(comparison.unit) : 1;
  const auto figure_in = [&](double value) { return figure(metric, value, comparison.unit); };
  const auto plain = [](double value) { return format_number(value, value < 10 ? 2 : 0); };
  html::Plot plot(id,
                  label_of(compared.scenario, Language::English) + " / " +
                      label_of(compared.scenario, Language::Chinese),
                  figure_in(compared.lowest) + " – " + figure_in(compared.highest),
                  {0, 24, false, plain}, {0, compared.highest / scale * 1.12, false, plain});
  plot.across(compared.highest / scale, "target");
  plot.across(compared.lowest / scale, "threshold");
  for (const ComparedRate& rate : compared.rates) {
    plot.dot(hour_of_day(rate.started), rate.mean / scale, "point");
  }
  const std::string unit = in_bytes ? std::string(name_of(comparison.unit))
                                    : (metric == Metric::LatencyUs ? "µs" : "IOPS");
  return fmt::format(
      "<figure><figcaption>{}, {} (→ {})</figcaption>\n{}</figure>\n",
      html::both([&](Language language) { return label_of(compared.scenario, language); }), unit,
      both_say(Message::HourOfDay), plot.svg());
}

std::string charts(const Comparison& comparison) {
  std::string text = "<div class=\"charts\">\n";
  for (std::size_t i = 0; i < comparison.scenarios.size(); ++i) {
    if (comparison.scenarios[i].highest <= 0) continue;
    text += chart(comparison, comparison.scenarios[i], fmt::format("day-{}", i + 1));
  }
  return text + "</div>\n";
}

std::string records(const Comparison& comparison) {
  const auto english = record_rows(comparison, Language::English);
  const auto chinese = record_rows(comparison, Language::Chinese);
  std::string text = "<table class=\"facts\"><tbody>\n";
  for (std::size_t i = 0; i < english.size(); ++i) {
    text += html::row(
        {html::both([&](Language language) {
           return (language == Language::Chinese ? chinese : english)[i][0];
         }),
         escaped_xml(fmt::format("{}, {}, {}", english[i][1], english[i][2], english[i][3]))});
  }
  return text + "</tbody></table>\n";
}

}  // namespace

std::string comparison_as_html(const Comparison& comparison, const ReportStyle& style) {
  const auto rows = [&](auto rows_in, const char* kind) {
    return table(rows_in(comparison, Language::English), rows_in(comparison, Language::Chinese),
                 kind);
  };
  std::string body = fmt::format("<h1>{}</h1>\n", both_say(Message::CompareTitle));
  if (!comparison.same_disk) body += fmt::format("<p>{}</p>\n", both_say(Message::OtherDisks));
  body += rows(scenario_rows, "numbers");
  body +=
      is_pair(comparison) ? records(comparison) : charts(comparison) + rows(time_rows, "numbers");
  return html::page(say(Message::CompareTitle, style.language), body, style.language);
}

}  // namespace diskaudit
