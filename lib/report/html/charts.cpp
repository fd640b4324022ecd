#include <algorithm>
#include <cmath>
#include <map>

#include "report/html/figure.hpp"
#include "report/html/page.hpp"
#include "report/phrases.hpp"

namespace diskaudit::html {
namespace {

/// A day of seconds must not make a page of a megabyte: at most so many points a line, cells a row.
constexpr std::size_t most_points = 320;
constexpr std::size_t most_columns = 64;
constexpr std::size_t latency_rows = 18;

/// Rates of equal stretches of the window: mean, lowest and highest of what falls into each.
struct Rates {
  double seconds_each = 1;  ///< of the finest rates, of which each stretch has one or more
  Plot::Points mean{};
  Plot::Points low{};
  Plot::Points high{};
  double top = 0;
};

Rates rates_of(const Series& series, Metric metric, double scale) {
  const auto& column = metric == Metric::BytesPerSecond ? series.bytes : series.ios;
  const double interval = series.interval_seconds > 0 ? series.interval_seconds : 1;
  // Whole seconds, unless the window is too short for them to make a line.
  // A record of anybody may state an interval of next to nothing.
  const double most = std::max(1.0, static_cast<double>(column.size()));
  const auto in_second = static_cast<std::size_t>(std::clamp(std::round(1 / interval), 1.0, most));
  const std::size_t bins = column.size() / in_second >= 5 ? in_second : 1;
  std::vector<double> rates;
  for (std::size_t at = 0; at + bins <= column.size(); at += bins) {
    double sum = 0;
    for (std::size_t i = at; i < at + bins; ++i) sum += static_cast<double>(column[i]);
    rates.push_back(sum / (static_cast<double>(bins) * interval) / scale);
  }
  Rates shown;
  shown.seconds_each = static_cast<double>(bins) * interval;
  const std::size_t stretch =
      std::max<std::size_t>(1, (rates.size() + most_points - 1) / most_points);
  for (std::size_t at = 0; at < rates.size(); at += stretch) {
    const auto begin = rates.begin() + static_cast<long>(at);
    const auto end = rates.begin() + static_cast<long>(std::min(at + stretch, rates.size()));
    const auto count = static_cast<double>(end - begin);
    const double x = (static_cast<double>(at) + count / 2) * shown.seconds_each;
    double sum = 0;
    for (auto it = begin; it != end; ++it) sum += *it;
    shown.mean.emplace_back(x, sum / count);
    shown.low.emplace_back(x, *std::min_element(begin, end));
    shown.high.emplace_back(x, *std::max_element(begin, end));
    shown.top = std::max(shown.top, shown.high.back().second);
  }
  return shown;
}

std::vector<double> changes_of(const Verdict& verdict) {
  std::vector<double> changes;
  for (const Reason& reason : verdict.reasons) {
    for (const auto& [name, value] : reason.values) {
      if (name == "at") changes.push_back(value);
    }
  }
  return changes;
}

std::string rate_chart(const Audit& audit, const ScenarioAudit& scenario, const std::string& id) {
  const Measurement& m = *scenario.evidence.judged;
  const bool in_bytes = scenario.job.scenario.metric == Metric::BytesPerSecond;
  const double scale = in_bytes ? bytes_per_second_in(rate_unit(audit)) : 1;
  const std::string unit = in_bytes ? std::string(name_of(rate_unit(audit))) : "IOPS";
  const Rates rates = rates_of(m.all.series, scenario.job.scenario.metric, scale);
  const bool has_target =
      scenario.job.target && scenario.job.target->metric == scenario.job.scenario.metric;
  const double target = has_target ? scenario.job.target->value / scale : 0;
  const double threshold = target * audit.plan.options.tolerance.min_percent / 100;
  const double end = std::max(m.seconds, 0.1);
  const auto shown = [&](double value) { return format_number(value, 1) + " " + unit; };

  Plot plot(id, side_by_side(Message::RateOverTime, unit),
            side_by_side(Message::MeasuredColumn) + ": " + shown(measured_value(scenario) / scale),
            {0, end, false, tick_text},
            {0, std::max({rates.top, target, 1e-9}) * 1.12, false, tick_text});
  std::string legend;
  const Verdict& verdict = scenario.verdict;
  if (verdict.plateau) {
    const auto& [begin, until] = *verdict.plateau;
    plot.box(begin, until, 0, plot.y_axis().high, "judged");
    legend +=
        key("<rect class=\"judged\" width=\"18\" height=\"8\"/>",
            both_say(Message::LegendJudged, format_number(begin, 1), format_number(until, 1)));
  }
  if (verdict.interval && has_target) {
    plot.box(0, end, target * verdict.interval->low / 100, target * verdict.interval->high / 100,
             "interval");
    legend += key("<rect class=\"interval\" width=\"18\" height=\"8\"/>",
                  both_say(Message::LegendInterval, interval_text(verdict)));
  }
  plot.area(rates.low, rates.high, "spread");
  plot.line(rates.mean, "rate");
  legend = key("<path class=\"rate\" d=\"M0 4H18\"/>",
               both_say(Message::LegendMeasured, format_number(rates.seconds_each, 1))) +
           legend;
  if (has_target) {
    plot.across(target, "target");
    plot.across(threshold, "threshold");
    legend += key("<path class=\"target\" d=\"M0 4H18\"/>",
                  both_say(Message::LegendTarget, shown(target)));
    legend += key("<path class=\"threshold\" d=\"M0 4H18\"/>",
                  both_say(Message::LegendThreshold, shown(threshold)));
  }
  const std::vector<double> changes = changes_of(verdict);
  for (const double at : changes) plot.upright(at, "change");
  if (!changes.empty()) {
    legend += key("<path class=\"change\" d=\"M9 0V8\"/>", both_say(Message::LegendChange));
  }
  return figure_of(both_say(Message::RateOverTime, unit), plot, legend);
}

/// For a record without a latency map: I/Os by when they completed and how long they took, from the
/// means of the intervals; on top the longest of each stretch.
std::string latency_chart(const ScenarioAudit& scenario, const std::string& id) {
  const Measurement& m = *scenario.evidence.judged;
  const Series& series = m.all.series;
  const std::size_t bins =
      std::min({series.ios.size(), series.latency_mean_us.size(), series.latency_max_us.size()});
  double low = 1e18;
  double high = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    if (series.ios[i] == 0 || series.latency_mean_us[i] <= 0) continue;
    low = std::min(low, series.latency_mean_us[i]);
    high = std::max({high, series.latency_max_us[i], series.latency_mean_us[i]});
  }
  if (high <= 0) return "";
  low = std::max(low * 0.7, 0.1);
  high = std::max(high * 1.3, low * 4);
  const double step = std::pow(high / low, 1.0 / latency_rows);
  const double end = std::max(m.seconds, 0.1);
  const std::size_t stretch = std::max<std::size_t>(1, (bins + most_columns - 1) / most_columns);

  Plot plot(id, side_by_side(Message::LatencyOverTime, latency_text(high)),
            side_by_side(Message::MeanLatency) + ": " + latency_text(m.all.latency.mean),
            {0, end, false, tick_text}, {low, high, true, latency_text});
  Plot::Points longest;
  for (std::size_t at = 0; at < bins; at += stretch) {
    const std::size_t until = std::min(at + stretch, bins);
    std::map<std::size_t, double> rows;
    double total = 0;
    double most = 0;
    for (std::size_t i = at; i < until; ++i) {
      const auto ios = static_cast<double>(series.ios[i]);
      if (ios <= 0 || series.latency_mean_us[i] <= 0) continue;
      const double row = std::log(series.latency_mean_us[i] / low) / std::log(step);
      rows[static_cast<std::size_t>(std::clamp(row, 0.0, double(latency_rows - 1)))] += ios;
      total += ios;
      most = std::max(most, series.latency_max_us[i]);
    }
    const double x0 = static_cast<double>(at) * series.interval_seconds;
    const double x1 = static_cast<double>(until) * series.interval_seconds;
    for (const auto& [row, ios] : rows) {
      plot.box(x0, x1, low * std::pow(step, double(row)), low * std::pow(step, double(row + 1)),
               "cell", 0.15 + 0.8 * ios / total);
    }
    if (most > 0) longest.emplace_back((x0 + x1) / 2, most);
  }
  plot.line(longest, "longest");
  return figure_of(
      both_say(Message::LatencyOverTime, "µs, ms"), plot,
      key("<rect class=\"cell\" width=\"8\" height=\"8\"/><path class=\"longest\" d=\"M9 4H18\"/>",
          both_say(Message::LegendLatency, format_number(series.interval_seconds, 2))));
}

}  // namespace

std::string scenario_charts(const Audit& audit, const ScenarioAudit& scenario, std::size_t number) {
  if (!scenario.evidence.judged || scenario.evidence.judged->all.series.ios.empty()) return "";
  const Measurement& m = *scenario.evidence.judged;
  const std::string id = fmt::format("latency-{}", number);
  const bool has_map = is_well_formed(m.latency_map, m.seconds);
  return "<div class=\"charts\">\n" + rate_chart(audit, scenario, fmt::format("rate-{}", number)) +
         (has_map ? heat_map(m, id) : latency_chart(scenario, id)) + "</div>\n";
}

}  // namespace diskaudit::html
