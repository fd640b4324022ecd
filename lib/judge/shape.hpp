#pragma once
/// The shape of a series before its mean: levels, steps between them, slopes, and what counts.

#include <cstddef>
#include <span>
#include <vector>

namespace diskaudit {

/// A change of level between two neighbouring batches.
struct Step {
  std::size_t at = 0;       ///< index of the first batch of the new level
  std::size_t settled = 0;  ///< index of the first that is wholly of it: `at` or the next one
  double before = 0;
  double after = 0;
};

/// The least-squares line, at the first and the last batch.
struct Line {
  double begin = 0;
  double end = 0;
  bool is_trend = false;  ///< significant, and more than 5 % of the mean
};

enum class Form {
  Level,        ///< no step: all of it counts
  WarmUp,       ///< one step up in the first third: what lies before does not count
  BurstEnded,   ///< steps down only: the last level counts
  Alternating,  ///< other steps: all of it counts
  Trending,     ///< a slope: all of it counts
};

struct Shape {
  Form form = Form::Level;
  std::size_t begin = 0;  ///< of the batches that count
  std::size_t end = 0;
  std::vector<Step> steps{};  ///< in order of time
  Line line{};
};

/// `batches` as shares of the target, a second each. Fewer than ten have no shape but Level.
Shape shape_of(std::span<const double> batches);

/// At most four steps by binary segmentation, none nearer than five batches to another or to an
/// end.
std::vector<Step> find_steps(std::span<const double> batches);

Line line_of(std::span<const double> batches);

/// Whether the last twenty batches, in rounds of four, keep within 10 % of each other, or within
/// what the noise of all of them explains.
bool ends_steadily(std::span<const double> batches);

/// Batches further from the median than anything that their own spread explains.
struct Outliers {
  std::size_t count = 0;
  double worst = 0;  ///< the value furthest off
};
Outliers outliers_of(std::span<const double> batches);

/// A regular rise and fall; `period` 0 where there is none.
struct SawTooth {
  std::size_t period = 0;  ///< bins
  double swing = 0;        ///< (p95 − p5) / mean
};
SawTooth saw_tooth_of(std::span<const double> bins);

}  // namespace diskaudit
