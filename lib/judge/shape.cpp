#include "judge/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/statistics.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t fewest = 10;
constexpr double significant = 4;
constexpr double least_trend = 0.05;
constexpr double least_variance = 2.5e-7;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// By Schwarz's criterion: the smaller, the better a model explains the series for its parameters.
double badness(double square_residuals, std::size_t n, std::size_t parameters) {
  const double size = static_cast<double>(n);
  return size * std::log(square_residuals / size + least_variance) +
         static_cast<double>(parameters) * std::log(size);
}

double around_steps(std::span<const double> batches, const std::vector<Step>& steps) {
  double sum = 0;
  std::size_t next = 0;
  double level = steps.front().before;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (next < steps.size() && steps[next].at == i) level = steps[next++].after;
    sum += (batches[i] - level) * (batches[i] - level);
  }
  return sum;
}

double at_line(const Line& line, std::size_t i, std::size_t n) {
  return line.begin + (line.end - line.begin) * static_cast<double>(i) / static_cast<double>(n - 1);
}

double around_line(std::span<const double> batches, const Line& line) {
  double sum = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const double residual = batches[i] - at_line(line, i, batches.size());
    sum += residual * residual;
  }
  return sum;
}

// A slope is also a staircase; whichever takes fewer parameters to say it better is meant.
bool is_rather_a_slope(std::span<const double> batches, const std::vector<Step>& steps,
                       const Line& line) {
  const std::size_t n = batches.size();
  return line.is_trend && badness(around_line(batches, line), n, 2) <=
                              badness(around_steps(batches, steps), n, 2 * steps.size() + 1);
}

double sorted_quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

// The middle, and a deviation that a minority of outliers cannot enlarge.
struct Spread {
  double median = 0;
  double deviation = 0;
};

Spread spread_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double median = sorted_quantile(sorted, 0.5);
  for (double& value : sorted) value = std::abs(value - median);
  std::ranges::sort(sorted);
  // 1.4826 × the median distance estimates a Gaussian's standard deviation.
  return {median, 1.4826 * sorted_quantile(sorted, 0.5)};
}

// Seconds at the very beginning that lie far below the rest: a warm-up too short to be a level.
std::size_t slow_start(std::span<const double> batches) {
  constexpr std::size_t longest = 4;
  const auto [median, deviation] = spread_of(batches);
  const double least = median - std::max(5 * deviation, 0.2 * median);
  std::size_t start = 0;
  while (start < longest && start + fewest < batches.size() && batches[start] < least) ++start;
  // Longer ones are found as steps.
  return batches[start] < least ? 0 : start;
}

Shape levels_of(std::span<const double> batches) {
  Shape shape;
  shape.end = batches.size();
  shape.line = line_of(batches);
  shape.steps = find_steps(batches);
  if (shape.steps.empty()) {
    if (shape.line.is_trend) shape.form = Form::Trending;
    return shape;
  }
  if (is_rather_a_slope(batches, shape.steps, shape.line)) {
    shape.form = Form::Trending;
    shape.steps.clear();
    return shape;
  }
  const auto down = [](const Step& step) { return step.after < step.before; };
  if (std::ranges::all_of(shape.steps, down)) {
    shape.form = Form::BurstEnded;
    shape.begin = shape.steps.back().settled;
  } else if (shape.steps.size() == 1 && 3 * shape.steps[0].at <= batches.size()) {
    shape.form = Form::WarmUp;
    shape.begin = shape.steps[0].settled;
  } else {
    shape.form = Form::Alternating;
  }
  return shape;
}

}  // namespace

Line line_of(std::span<const double> batches) {
  Line line;
  const std::size_t size = batches.size();
  if (size < fewest) return line;
  const double n = static_cast<double>(size);
  const double mean = mean_of(batches);
  const double middle = (n - 1) / 2;
  double product = 0;
  for (std::size_t i = 0; i < size; ++i) {
    product += (static_cast<double>(i) - middle) * (batches[i] - mean);
  }
  const double squares = n * (n * n - 1) / 12;
  const double slope = product / squares;
  line.begin = mean - slope * middle;
  line.end = mean + slope * middle;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < size; ++i) residuals.push_back(batches[i] - at_line(line, i, size));
  const double variance = std::max(least_variance, around_line(batches, line) / (n - 2));
  const double error = std::sqrt(variance / squares * inflation_of(residuals, 0).factor);
  line.is_trend =
      std::abs(line.end - line.begin) > least_trend * mean && std::abs(slope) > significant * error;
  return line;
}

Shape shape_of(std::span<const double> batches) {
  if (batches.size() < fewest) return {.end = batches.size()};
  const std::size_t start = slow_start(batches);
  const auto rest = batches.subspan(start);
  Shape shape = levels_of(rest);
  shape.begin += start;
  shape.end += start;
  for (Step& step : shape.steps) {
    step.at += start;
    step.settled += start;
  }
  if (start > 0 && shape.form == Form::Level) {
    shape.form = Form::WarmUp;
    shape.steps = {{start, start, mean_of(batches.first(start)), mean_of(rest)}};
  }
  return shape;
}

bool ends_steadily(std::span<const double> batches) {
  constexpr std::size_t round = 4;
  constexpr std::size_t rounds = 5;
  if (batches.size() < round * rounds) return false;
  const auto last = batches.last(round * rounds);
  double low = mean_of(last.first(round));
  double high = low;
  for (std::size_t i = 1; i < rounds; ++i) {
    const double mean = mean_of(last.subspan(i * round, round));
    low = std::min(low, mean);
    high = std::max(high, mean);
  }
  // The rounds of a noisy disk differ as its seconds do; a fall that has just begun does not show
  // in the spread about the median.
  const double allowed = std::max(0.10 * mean_of(last), 3 * spread_of(batches).deviation);
  return high - low <= allowed;
}

Outliers outliers_of(std::span<const double> batches) {
  Outliers outliers;
  if (batches.size() < fewest) return outliers;
  const auto [median, deviation] = spread_of(batches);
  const double far = std::max(5 * deviation, 0.2 * median);
  for (const double value : batches) {
    if (std::abs(value - median) <= far) continue;
    if (++outliers.count == 1 || std::abs(value - median) > std::abs(outliers.worst - median)) {
      outliers.worst = value;
    }
  }
  return outliers;
}

SawTooth saw_tooth_of(std::span<const double> bins) {
  constexpr std::size_t longest = 50;
  constexpr double regular = 0.5;
  constexpr double least_swing = 0.2;
  if (bins.size() < 4 * fewest) return {};
  const double mean = mean_of(bins);
  std::vector<double> sorted(bins.begin(), bins.end());
  std::ranges::sort(sorted);
  const double swing = sorted_quantile(sorted, 0.95) - sorted_quantile(sorted, 0.05);
  if (mean <= 0 || swing < least_swing * mean) return {};
  const auto correlation = [&](std::size_t lag) {
    double product = 0;
    double square = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      square += (bins[i] - mean) * (bins[i] - mean);
      if (i >= lag) product += (bins[i] - mean) * (bins[i - lag] - mean);
    }
    return square > 0 ? product / square : 0;
  };
  // The first lag at which the series meets itself again, after having parted.
  bool parted = false;
  double before = 1;
  for (std::size_t lag = 1; lag <= std::min(longest, bins.size() / 3); ++lag) {
    const double now = correlation(lag);
    parted |= now < 0.2;
    if (parted && now > regular && correlation(lag + 1) < now && before <= now) {
      return {lag, swing / mean};
    }
    before = now;
  }
  return {};
}

}  // namespace diskaudit
