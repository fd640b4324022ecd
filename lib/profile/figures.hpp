#pragma once
/// The parts that a profile is made of, as the vendor states them. profiles/README.md explains
/// each.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profile/formula.hpp"
#include "units.hpp"

namespace diskaudit {

/// A name in both languages; `zh` falls back to `en` where a vendor has none.
struct LocalText {
  std::string en{};
  std::string zh{};
};

/// Where a figure was read. Dates are YYYY-MM-DD; `dated` may lack day and month, or be empty.
struct Source {
  std::string title{};
  std::string url{};
  std::string dated{};
  std::string read{};
};

/// Ceilings of one kind: `read` and `write` apart, or only `total` for their sum. One unqualified
/// figure of a vendor stands in all three.
struct Ceilings {
  std::optional<Formula> read{};
  std::optional<Formula> write{};
  std::optional<Formula> total{};
  bool is_single = false;  ///< the vendor gives one figure, here in all three
};

/// How IOPS and throughput limit requests of one size: the smaller of the two, or both in turn.
enum class Combine { Min, Serial };

/// What a `quota` states.
struct Figures {
  Ceilings iops{};
  Ceilings throughput{};
  RateUnit unit = RateUnit::MBps;
  Combine combine = Combine::Min;
};

/// A rate above the quota, and what limits its duration: a bucket of credits, seconds, or nothing.
struct BurstRule {
  Formula value{};
  std::optional<Formula> bucket{};
  std::optional<Formula> refill{};   ///< per second; none: the quota's own figure
  std::optional<Formula> initial{};  ///< none: full
  std::optional<Formula> seconds{};
};

/// Published completion latency at one outstanding I/O, microseconds.
struct LatencyRange {
  double min_us = 0;
  double max_us = 0;
};

/// What the vendor owes of the quota; `none`: the figures are ceilings, no floor is promised.
struct Promise {
  bool none = false;
  std::optional<double> percent{};       ///< share of the quota, 90 for "at least 90 %"
  std::optional<double> time_percent{};  ///< share of the time in which it holds
  LocalText note{};
};

/// What the vendor counts as one I/O.
struct IoUnit {
  Bytes size{};
  bool rounds_up = true;     ///< a larger request counts as size / unit, rounded up or exactly
  bool full_charge = false;  ///< a smaller random request is charged a whole unit of throughput
};

}  // namespace diskaudit
