#include <algorithm>
#include <cmath>

#include "judge/shape.hpp"
#include "judge/statistics.hpp"

// Binary segmentation: the split with the largest two-sample t, four times at most; then the
// weakest is dropped until each of those left holds against the spread and the correlation of what
// all levels together leave over. (Testing each split as it is found would miss a disk that falls
// and rises again: the second step looks like correlated noise around the first.) Deterministic,
// linear in the series for each step. An exact optimum (PELT) would be worth its code for thousands
// of points, not for the 30 to 300 here.

namespace diskaudit {
namespace {

constexpr std::size_t shortest_level = 5;
constexpr std::size_t most_steps = 4;
constexpr double significant = 4;

// Several steps also take up what correlated noise does; they must stand out further.
constexpr double significant_together = 6;
constexpr double least_change = 0.05;  // of the larger level

// Of the seconds next to a step, so many must be nearer to their own level than to the other's:
// a stall of three seconds before the end of the window is no new level.
constexpr double own_side = 2.0 / 3;

// What counting whole requests in seconds leaves of the flattest series.
constexpr double least_variance = 2.5e-7;

struct Sums {
  std::vector<double> of_values;
  std::vector<double> of_squares;

  explicit Sums(std::span<const double> values) : of_values{0}, of_squares{0} {
    for (const double value : values) {
      of_values.push_back(of_values.back() + value);
      of_squares.push_back(of_squares.back() + value * value);
    }
  }
  double mean(std::size_t begin, std::size_t end) const {
    return (of_values[end] - of_values[begin]) / static_cast<double>(end - begin);
  }
  double square_residuals(std::size_t begin, std::size_t end) const {
    const double sum = of_values[end] - of_values[begin];
    return std::max(
        0.0, of_squares[end] - of_squares[begin] - sum * sum / static_cast<double>(end - begin));
  }
};

struct Candidate {
  std::size_t begin = 0;
  std::size_t at = 0;
  std::size_t end = 0;
  double t = 0;
};

Candidate best_split(const Sums& sums, std::size_t begin, std::size_t end) {
  Candidate best{begin, begin, end, 0};
  const double n = static_cast<double>(end - begin);
  for (std::size_t at = begin + shortest_level; at + shortest_level <= end; ++at) {
    const double left = static_cast<double>(at - begin);
    const double right = static_cast<double>(end - at);
    const double residuals = sums.square_residuals(begin, at) + sums.square_residuals(at, end);
    const double variance = std::max(least_variance, residuals / (n - 2));
    const double difference = std::abs(sums.mean(at, end) - sums.mean(begin, at));
    const double t = difference / std::sqrt(variance * (1 / left + 1 / right));
    if (t > best.t) best = {begin, at, end, t};
  }
  return best;
}

bool keep_to_their_side(std::span<const double> values, double own, double other) {
  const auto nearer = std::ranges::count_if(
      values, [&](double value) { return std::abs(value - own) < std::abs(value - other); });
  return static_cast<double>(nearer) >= own_side * static_cast<double>(values.size());
}

// Edges of the segments between candidates, strongest first, before any is tested.
std::vector<std::size_t> split_greedily(std::span<const double> batches, const Sums& sums) {
  std::vector<std::size_t> edges = {0, batches.size()};
  while (edges.size() < most_steps + 2) {
    Candidate strongest;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const Candidate candidate = best_split(sums, edges[i], edges[i + 1]);
      if (candidate.t > std::max(significant, strongest.t)) strongest = candidate;
    }
    if (strongest.t <= 0) break;
    edges.insert(std::ranges::upper_bound(edges, strongest.at), strongest.at);
  }
  return edges;
}

// What the levels leave over: its variance, and how much its correlation weakens a t.
struct Rest {
  double variance = 0;
  double inflation = 1;
};

Rest rest_of(std::span<const double> batches, const Sums& sums,
             const std::vector<std::size_t>& edges) {
  std::vector<double> residuals;
  double square = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double level = sums.mean(edges[i], edges[i + 1]);
    for (const double value : batches.subspan(edges[i], edges[i + 1] - edges[i])) {
      residuals.push_back(value - level);
      square += (value - level) * (value - level);
    }
  }
  const double degrees = static_cast<double>(batches.size() - (edges.size() - 1));
  return {std::max(least_variance, square / degrees), inflation_of(residuals, 0).factor};
}

// The t of the step at edge `i`, against what all levels together leave over.
double t_at(const Sums& sums, const std::vector<std::size_t>& edges, std::size_t i,
            const Rest& rest) {
  const double left = static_cast<double>(edges[i] - edges[i - 1]);
  const double right = static_cast<double>(edges[i + 1] - edges[i]);
  const double difference =
      std::abs(sums.mean(edges[i], edges[i + 1]) - sums.mean(edges[i - 1], edges[i]));
  return difference / std::sqrt(rest.variance * rest.inflation * (1 / left + 1 / right));
}

// Whether two neighbouring levels are apart enough to matter, and are levels at all.
bool are_levels(std::span<const double> batches, const Sums& sums, std::size_t begin,
                std::size_t at, std::size_t end) {
  const double before = sums.mean(begin, at);
  const double after = sums.mean(at, end);
  return std::abs(after - before) >= least_change * std::max(before, after) &&
         keep_to_their_side(batches.subspan(begin, at - begin), before, after) &&
         keep_to_their_side(batches.subspan(at, end - at), after, before);
}

// Drops the weakest step until all that are left hold.
void prune(std::span<const double> batches, const Sums& sums, std::vector<std::size_t>& edges) {
  while (edges.size() > 2) {
    const Rest rest = rest_of(batches, sums, edges);
    const double needed = edges.size() > 3 ? significant_together : significant;
    std::size_t weakest = 0;
    double weakest_t = needed;
    for (std::size_t i = 1; i + 1 < edges.size(); ++i) {
      const bool levels = are_levels(batches, sums, edges[i - 1], edges[i], edges[i + 1]);
      const double t = levels ? t_at(sums, edges, i, rest) : 0;
      if (t > weakest_t) continue;
      weakest = i;
      weakest_t = t;
    }
    if (weakest == 0) return;
    edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(weakest));
  }
}

// A level seldom changes on the stroke of a second. A first second that lies between the levels,
// and further from its own than any other of it, is of neither.
std::size_t settled_at(std::span<const double> batches, const Sums& sums, double before,
                       std::size_t at, std::size_t end) {
  const double level = sums.mean(at + 1, end);
  const double first = batches[at];
  if (first <= std::min(before, level) || first >= std::max(before, level)) return at;
  const auto others = batches.subspan(at + 1, end - at - 1);
  const bool furthest = std::ranges::all_of(
      others, [&](double other) { return std::abs(other - level) < std::abs(first - level); });
  return furthest ? at + 1 : at;
}

}  // namespace

std::vector<Step> find_steps(std::span<const double> batches) {
  const Sums sums(batches);
  std::vector<std::size_t> edges = split_greedily(batches, sums);
  prune(batches, sums, edges);
  std::vector<Step> steps;
  for (std::size_t i = 1; i + 1 < edges.size(); ++i) {
    const double before = sums.mean(edges[i - 1], edges[i]);
    const std::size_t settled = settled_at(batches, sums, before, edges[i], edges[i + 1]);
    steps.push_back({edges[i], settled, before, sums.mean(settled, edges[i + 1])});
  }
  return steps;
}

}  // namespace diskaudit
