#include "report/compare_rows.hpp"

#include "report/phrases.hpp"

namespace diskaudit {
namespace {

Message words_for(Change change) {
  switch (change) {
    case Change::Higher:
      return Message::ChangeHigher;
    case Change::Lower:
      return Message::ChangeLower;
    case Change::None:
      return Message::ChangeNone;
    case Change::Unknown:
      break;
  }
  return Message::ChangeUnknown;
}

std::string ratio_text(const ComparedScenario& compared) {
  if (!compared.ratio) return "–";
  const std::string ratio = fmt::format("{:+.1f} %", (*compared.ratio - 1) * 100);
  if (compared.change == Change::Unknown) return ratio;
  return fmt::format("{} ({:+.1f} … {:+.1f})", ratio, (compared.ratio_low - 1) * 100,
                     (compared.ratio_high - 1) * 100);
}

Row title_row(const Comparison& comparison, Language language) {
  using enum Message;
  if (is_pair(comparison)) {
    return {say(Scenario, language), say(Before, language), say(After, language),
            say(ChangeColumn, language), say(VerdictColumn, language)};
  }
  return {say(Scenario, language), say(RecordsColumn, language), say(Lowest, language),
          say(Highest, language), say(SpreadColumn, language)};
}

Row scenario_row(const Comparison& comparison, const ComparedScenario& compared,
                 Language language) {
  const Metric metric = compared.scenario.metric;
  const auto shown = [&](double value) { return figure(metric, value, comparison.unit); };
  const std::string label = label_of(compared.scenario, language);
  if (is_pair(comparison)) {
    return {label, shown(compared.rates[0].mean), shown(compared.rates[1].mean),
            ratio_text(compared), say(words_for(compared.change), language)};
  }
  return {label, std::to_string(compared.rates.size()), shown(compared.lowest),
          shown(compared.highest), fmt::format("{:.1f} %", compared.spread_percent)};
}

}  // namespace

bool is_pair(const Comparison& comparison) { return comparison.records.size() == 2; }

std::vector<Row> record_rows(const Comparison& comparison, Language language) {
  std::vector<Row> rows;
  if (!is_pair(comparison)) return rows;
  for (const ComparedRecord& record : comparison.records) {
    const Message title = rows.empty() ? Message::Before : Message::After;
    rows.push_back({say(title, language), record.started.substr(0, 16) + "Z", record.disk,
                    "Linux " + record.kernel});
  }
  return rows;
}

std::vector<Row> scenario_rows(const Comparison& comparison, Language language) {
  std::vector<Row> rows = {title_row(comparison, language)};
  for (const ComparedScenario& compared : comparison.scenarios) {
    rows.push_back(scenario_row(comparison, compared, language));
  }
  return rows;
}

std::vector<Row> time_rows(const Comparison& comparison, Language language) {
  using enum Message;
  if (is_pair(comparison)) return {};
  std::vector<Row> rows = {
      {say(Scenario, language), say(MeasuredAt, language), say(MeasuredColumn, language)}};
  for (const ComparedScenario& compared : comparison.scenarios) {
    for (const ComparedRate& rate : compared.rates) {
      rows.push_back({label_of(compared.scenario, language), rate.started.substr(0, 19) + "Z",
                      figure(compared.scenario.metric, rate.mean, comparison.unit)});
    }
  }
  return rows;
}

}  // namespace diskaudit
