// Latency over time: a column a stretch of the window, a row a band of latency, and the darker the
// more of that stretch's I/Os lie in it.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "report/html/figure.hpp"
#include "report/html/page.hpp"
#include "report/phrases.hpp"

namespace diskaudit::html {
namespace {

/// A day must not make a page of a megabyte, nor its table a book.
constexpr std::size_t most_columns = 100;
constexpr std::size_t most_table_rows = 24;

/// Of a stretch's I/Os, in percent; the first shade is for what lies below the first of them. Steps
/// that widen, so that the few slow ones show as well as the many.
constexpr std::array<double, 5> shade_limits{0.1, 1, 5, 20, 50};

using Counts = std::vector<std::uint64_t>;

// Not as whole numbers: those of a record may be anything.
double total_of(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

/// Short enough for the axis, whose ticks are round.
std::string bound_text(double us) {
  if (us < 1e3) return fmt::format("{:.4g} µs", us);
  return us < 1e6 ? fmt::format("{:.4g} ms", us / 1e3) : fmt::format("{:.4g} s", us / 1e6);
}

double end_of(const LatencyMap& map, std::size_t column, double end) {
  return column + 1 < map.begin_seconds.size() ? map.begin_seconds[column + 1] : end;
}

/// 1 to 6; 0 where there are none.
std::size_t shade_of(std::uint64_t ios, double total) {
  if (ios == 0) return 0;
  const double percent = static_cast<double>(ios) / total * 100;
  const auto above = std::upper_bound(shade_limits.begin(), shade_limits.end(), percent);
  return static_cast<std::size_t>(above - shade_limits.begin()) + 1;
}

/// Neighbours of one shade in a band are one rectangle.
void draw_cells(Plot& plot, const LatencyMap& map, double end) {
  std::array<std::vector<Plot::Rectangle>, shade_limits.size() + 2> cells;
  std::vector<double> totals;
  for (const Counts& counts : map.counts) totals.push_back(total_of(counts));
  for (std::size_t band = 0; band + 1 < map.bounds_us.size(); ++band) {
    std::size_t from = 0;
    for (std::size_t i = 1; i <= map.counts.size(); ++i) {
      const std::size_t shade = shade_of(map.counts[from][band], totals[from]);
      if (i < map.counts.size() && shade_of(map.counts[i][band], totals[i]) == shade) continue;
      cells[shade].push_back({map.begin_seconds[from], end_of(map, i - 1, end), map.bounds_us[band],
                              map.bounds_us[band + 1]});
      from = i;
    }
  }
  for (std::size_t shade = 1; shade < cells.size(); ++shade) {
    plot.rectangles(cells[shade], fmt::format("heat{}", shade));
  }
}

/// The longest I/O of each column, exactly, out of the series.
Plot::Points longest_of(const LatencyMap& map, const Series& series, double end) {
  std::vector<double> most(map.counts.size());
  std::size_t column = 0;
  for (std::size_t i = 0; i < series.latency_max_us.size(); ++i) {
    const double at = (static_cast<double>(i) + 0.5) * series.interval_seconds;
    while (column + 1 < most.size() && at >= map.begin_seconds[column + 1]) ++column;
    most[column] = std::max(most[column], series.latency_max_us[i]);
  }
  Plot::Points points;
  for (std::size_t i = 0; i < most.size(); ++i) {
    if (most[i] > 0) points.emplace_back((map.begin_seconds[i] + end_of(map, i, end)) / 2, most[i]);
  }
  return points;
}

std::string legend() {
  std::string text = fmt::format("<span>{}</span>", both_say(Message::LegendHeat));
  for (std::size_t shade = 1; shade <= shade_limits.size() + 1; ++shade) {
    const bool last = shade > shade_limits.size();
    text +=
        key(fmt::format("<rect class=\"heat{}\" width=\"18\" height=\"8\"/>", shade),
            fmt::format("{} {}", last ? "≥" : "&lt;", shade_limits[last ? shade - 2 : shade - 1]));
  }
  return text + key("<path class=\"longest\" d=\"M0 4H18\"/>", both_say(Message::LongestColumn));
}

/// The end of the band in which the share `q` of the I/Os is reached.
double bound_of(const LatencyMap& map, const Counts& counts, double q) {
  const double rank = q * total_of(counts);
  double seen = 0;
  std::size_t band = 0;
  for (std::size_t i = 0; i < counts.size() && seen < rank; ++i) {
    seen += static_cast<double>(counts[i]);
    if (counts[i] != 0) band = i;
  }
  return map.bounds_us[band + 1];
}

std::string table(const LatencyMap& map, double end) {
  std::string rows;
  for (std::size_t i = 0; i < map.counts.size(); ++i) {
    const double total = total_of(map.counts[i]);
    std::vector<std::string> cells{fmt::format("{}–{}", format_number(map.begin_seconds[i], 1),
                                               format_number(end_of(map, i, end), 1)),
                                   format_number(total, 0)};
    for (const double q : {0.5, 0.9, 0.99, 0.999, 1.0}) {
      cells.push_back(total > 0 ? bound_text(bound_of(map, map.counts[i], q)) : "–");
    }
    rows += row(cells);
  }
  return fmt::format(
      "<details><summary>{}</summary>\n<table class=\"numbers runs\"><thead>{}</thead><tbody>\n{}"
      "</tbody></table></details>\n",
      both_say(Message::HeatTable),
      head_row({both_say(Message::SecondsColumn), "I/O", "50 % ≤", "90 % ≤", "99 % ≤", "99.9 % ≤",
                "100 % ≤"}),
      rows);
}

}  // namespace

std::string heat_map(const Measurement& m, const std::string& id) {
  const LatencyMap map = narrowed(m.latency_map, most_columns);
  // Some room around the bands, so that one alone does not look like all.
  const double middle = std::sqrt(map.bounds_us.front()) * std::sqrt(map.bounds_us.back());
  const double low = std::min(map.bounds_us.front() * 0.8, middle / 4);
  const double high = std::max(map.bounds_us.back() * 1.25, middle * 4);
  Plot plot(id, side_by_side(Message::LatencyOverTime, latency_text(m.all.latency.max)),
            side_by_side(Message::MeanLatency) + ": " + latency_text(m.all.latency.mean),
            {0, m.seconds, false, tick_text}, {low, high, true, bound_text});
  draw_cells(plot, map, m.seconds);
  plot.line(longest_of(map, m.all.series, m.seconds), "longest");
  return figure_of(both_say(Message::LatencyOverTime, "µs, ms"), plot, legend(),
                   table(narrowed(map, most_table_rows), m.seconds));
}

}  // namespace diskaudit::html
