#include "measure/latency_map.hpp"

#include <algorithm>
#include <cmath>

#include "measure/histogram.hpp"

namespace diskaudit {
namespace {

using Counts = std::vector<std::uint64_t>;

constexpr double shortest_us = 0.1;
constexpr double longest_us = 1e8;

/// About half an octave each, at round values: from 1 µs to what a histogram can hold.
const std::vector<double>& all_bounds() {
  static const std::vector<double> bounds = [] {
    std::vector<double> made;
    for (double decade = 1; decade <= 1e7; decade *= 10) {
      for (const double digit : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
        if (decade * digit <= 2e7) made.push_back(decade * digit);
      }
    }
    return made;
  }();
  return bounds;
}

/// What lies beyond the ends counts in the first and in the last band.
Counts by_band(const Histogram& histogram) {
  const std::vector<double>& bounds = all_bounds();
  Counts counts(bounds.size() - 1);
  std::size_t band = 0;
  for (std::size_t i = 0; i < Histogram::size; ++i) {
    if (histogram.count_at(i) == 0) continue;
    const double us = Histogram::value_of(i) / 1e3;
    while (band + 1 < counts.size() && us >= bounds[band + 1]) ++band;
    counts[band] += histogram.count_at(i);
  }
  return counts;
}

void add(Counts& sum, const Counts& more) {
  std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus{});
}

void join_columns(LatencyMap& map, std::size_t factor) {
  std::size_t joined = 0;
  for (std::size_t i = 0; i < map.counts.size(); ++i) {
    if (i % factor != 0) {
      add(map.counts[joined - 1], map.counts[i]);
      continue;
    }
    map.begin_seconds[joined] = map.begin_seconds[i];
    if (joined != i) map.counts[joined] = std::move(map.counts[i]);
    ++joined;
  }
  map.begin_seconds.resize(joined);
  map.counts.resize(joined);
}

bool ascends(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal{}) == values.end();
}

/// What a record keeps; down, so that it never lies beyond the window's last whole tenth.
double whole_tenths(double seconds) { return std::floor(seconds * 10 + 1e-6) / 10; }

}  // namespace

bool is_well_formed(const LatencyMap& map, double seconds) {
  const std::size_t columns = map.counts.size();
  if (columns == 0 || columns > LatencyMap::most_columns) return false;
  if (map.bounds_us.size() < 2 || map.bounds_us.size() > LatencyMap::most_bands + 1) return false;
  if (map.begin_seconds.size() != columns) return false;
  return std::ranges::all_of(
             map.counts,
             [&map](const Counts& column) { return column.size() + 1 == map.bounds_us.size(); }) &&
         ascends(map.begin_seconds) && map.begin_seconds.front() >= 0 &&
         map.begin_seconds.back() < seconds && ascends(map.bounds_us) &&
         map.bounds_us.front() >= shortest_us && map.bounds_us.back() <= longest_us;
}

LatencyMap narrowed(const LatencyMap& map, std::size_t most) {
  LatencyMap narrow = map;
  if (map.counts.size() > most) join_columns(narrow, (map.counts.size() + most - 1) / most);
  return narrow;
}

void LatencyLog::look(double at_seconds, const Histogram& so_far) {
  Counts counts = by_band(so_far);
  const double at = whole_tenths(at_seconds);
  const bool is_full = map_.counts.empty() || looked_ - map_.begin_seconds.back() >= width_ - 0.05;
  if (is_full && at > looked_) open_column();
  if (map_.counts.empty()) return;
  Counts& column = map_.counts.back();
  add(column, counts);
  for (std::size_t i = 0; i < seen_.size(); ++i) column[i] -= seen_[i];
  seen_ = std::move(counts);
  looked_ = std::max(at, looked_);
}

void LatencyLog::open_column() {
  if (map_.counts.size() == LatencyMap::most_columns) {
    join_columns(map_, 2);
    width_ *= 2;
  }
  map_.begin_seconds.push_back(looked_);
  map_.counts.emplace_back(all_bounds().size() - 1);
}

LatencyMap LatencyLog::map() const {
  const auto is_used = [](std::uint64_t count) { return count != 0; };
  const auto first = std::find_if(seen_.begin(), seen_.end(), is_used);
  if (first == seen_.end()) return {};
  const auto last = std::find_if(seen_.rbegin(), seen_.rend(), is_used).base();
  const auto from = first - seen_.begin();
  const auto to = last - seen_.begin();
  LatencyMap map{.begin_seconds = map_.begin_seconds};
  map.bounds_us = {all_bounds().begin() + from, all_bounds().begin() + to + 1};
  for (const Counts& column : map_.counts) {
    map.counts.emplace_back(column.begin() + from, column.begin() + to);
  }
  return map;
}

}  // namespace diskaudit
