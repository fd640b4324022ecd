// A comparison as text, Markdown and JSON.

#include <cmath>

#include "report/compare_rows.hpp"
#include "report/escape.hpp"
#include "report/json_text.hpp"
#include "report/messages.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

void add_rows(std::string& text, const std::vector<Row>& rows, std::string_view alignment,
              bool utf8) {
  if (rows.empty()) return;
  if (!text.empty()) text += "\n";
  for (const std::string& line : aligned(rows, alignment)) {
    text += (utf8 ? line : to_ascii(line)) + "\n";
  }
}

/// The first row is the titles; `rule` is what Markdown wants below them.
void add_table(std::string& text, const std::vector<Row>& rows, std::string_view rule) {
  if (rows.empty()) return;
  text += "\n";
  for (const Row& row : rows) {
    text += "|";
    for (const std::string& cell : row) text += fmt::format(" {} |", escaped_markdown(cell));
    text += "\n";
    if (&row == &rows.front()) text += fmt::format("{}\n", rule);
  }
}

Json records_of(const Comparison& comparison) {
  Json records = Json::array();
  for (const ComparedRecord& record : comparison.records) {
    records.push_back({{"id", record.id},
                       {"started", record.started},
                       {"disk", record.disk},
                       {"kernel", record.kernel}});
  }
  return records;
}

Json scenario_of(const ComparedScenario& compared) {
  Json one = {{"name", compared.scenario.name}, {"metric", name_of(compared.scenario.metric)}};
  for (const ComparedRate& rate : compared.rates) {
    Json entry = {{"started", rate.started}, {"mean", number(rate.mean)}};
    entry["half_width"] = std::isfinite(rate.half_width) ? number(rate.half_width) : Json(nullptr);
    one["rates"].push_back(entry);
  }
  if (compared.ratio) {
    const bool known = compared.change != Change::Unknown;
    one["ratio"] = number(*compared.ratio);
    one["ratio_low"] = known ? number(compared.ratio_low) : Json(nullptr);
    one["ratio_high"] = known ? number(compared.ratio_high) : Json(nullptr);
    one["change"] = name_of(compared.change);
  }
  one["lowest"] = number(compared.lowest);
  one["highest"] = number(compared.highest);
  one["spread_percent"] = number(compared.spread_percent);
  return one;
}

}  // namespace

std::string comparison_as_text(const Comparison& comparison, const ReportStyle& style) {
  const Language language = style.utf8 ? style.language : Language::English;
  std::string text;
  if (!comparison.same_disk) text += say(Message::OtherDisks, language) + "\n";
  add_rows(text, record_rows(comparison, language), "llll", style.utf8);
  add_rows(text, scenario_rows(comparison, language), is_pair(comparison) ? "lrrrl" : "lrrrr",
           style.utf8);
  add_rows(text, time_rows(comparison, language), "llr", style.utf8);
  return text;
}

std::string comparison_as_markdown(const Comparison& comparison, const ReportStyle& style) {
  const Language language = style.language;
  std::string text = fmt::format("## {}\n", say(Message::CompareTitle, language));
  if (!comparison.same_disk) text += "\n" + say(Message::OtherDisks, language) + "\n";
  add_table(text, scenario_rows(comparison, language),
            is_pair(comparison) ? "|---|--:|--:|--:|---|" : "|---|--:|--:|--:|--:|");
  add_table(text, time_rows(comparison, language), "|---|---|--:|");
  const std::vector<Row> records = record_rows(comparison, language);
  if (!records.empty()) text += "\n";
  for (const Row& row : records) {
    text += fmt::format("- **{}**: {}, {}, {}\n", row[0], row[1], escaped_markdown(row[2]),
                        escaped_markdown(row[3]));
  }
  return text;
}

std::string comparison_as_json(const Comparison& comparison, const ReportStyle&) {
  Json tree = {{"schema", "diskaudit/comparison/1"},
               {"records", records_of(comparison)},
               {"same_disk", comparison.same_disk},
               {"scenarios", Json::array()}};
  for (const ComparedScenario& compared : comparison.scenarios) {
    tree["scenarios"].push_back(scenario_of(compared));
  }
  return to_text(tree);
}

}  // namespace diskaudit
