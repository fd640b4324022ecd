#pragma once
/// What a vendor publishes about one disk type, and the Quota that follows for one disk.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "profile/document.hpp"
#include "profile/formula.hpp"
#include "units.hpp"

namespace diskaudit {

/// A name in both languages; `zh` falls back to `en` where a vendor has none.
struct LocalText {
  std::string en{};
  std::string zh{};
};

/// Where a figure was read. Dates are YYYY-MM-DD, `dated` empty where the page bears none.
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

/// A vendor's own worked example, or a knee of the formula (`derived`): what must come out at
/// `gib`.
struct PublishedPoint {
  double gib = 0;
  std::optional<double> iops{};
  std::optional<double> throughput{};  ///< in the profile's own rate unit
  bool derived = false;
};

struct Profile {
  std::string id{};
  std::vector<std::string> aliases{};
  LocalText vendor{};
  LocalText name{};
  double min_gib = 0;
  double max_gib = 0;
  Ceilings iops{};
  Ceilings throughput{};
  RateUnit unit = RateUnit::MBps;
  std::optional<LatencyRange> read_latency{};
  std::optional<LatencyRange> write_latency{};
  LocalText latency_note{};
  std::optional<Promise> promise{};
  std::vector<LocalText> conditions{};  ///< what must hold for the quota, for people
  std::string status = "current";       ///< or "previous", "preview", "retired"
  std::vector<Source> sources{};
  std::vector<PublishedPoint> published{};
  Document document{};  ///< as it was written, for the record
};

/// The values of `gib` (provisioned size, GiB) and of the inputs that a profile declares.
using Inputs = std::map<std::string, double>;

/// The ceilings of one direction; absent where the vendor publishes none.
struct Limits {
  std::optional<Iops> iops{};
  std::optional<BytesPerSec> throughput{};
};

/// What the vendor owes one disk. `total` caps reads and writes together.
struct Quota {
  Limits read{};
  Limits write{};
  Limits total{};
  RateUnit unit = RateUnit::MBps;
  std::vector<std::string>
      explain{};  ///< one line a ceiling: "IOPS = min(1800 + 8 × 100, 6000) = …"
};

/// Reads a profile; every fault is an error "file:line:column: what; what to do".
Result<Profile> parse_profile(std::string_view yaml, const std::string& file);

/// The same from a tree that was read before; `file` stands in messages.
Result<Profile> read_profile(const Document& document, const std::string& file);

/// The quota for `inputs`; an error where `gib` is outside the capacity range or an input is
/// unknown.
Result<Quota> evaluate(const Profile& profile, const Inputs& inputs);

}  // namespace diskaudit
