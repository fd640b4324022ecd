#pragma once
/// What a vendor publishes about one disk type, and the Quota that follows for one disk.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "profile/document.hpp"
#include "profile/figures.hpp"
#include "profile/inputs.hpp"
#include "profile/quota.hpp"

namespace diskaudit {

struct BurstRules {
  std::optional<BurstRule> iops{};
  std::optional<BurstRule> throughput{};
  RateUnit unit = RateUnit::MBps;  ///< of the throughput
  LocalText note{};
};

/// An older formula, in force before `until` and, where known, from `from` on.
struct Former {
  std::string until{};
  std::string from{};
  Figures quota{};
  std::optional<Capacity> capacity{};
  Source source{};
  LocalText note{};
};

struct Dispute {
  LocalText note{};
  Figures quota{};
  std::optional<Source> source{};
};

struct Profile {
  std::string id{};
  std::vector<std::string> aliases{};
  LocalText vendor{};
  LocalText name{};
  Capacity capacity{};
  std::vector<Input> inputs{};  ///< a formula there uses only those before it
  std::vector<Table> tables{};
  Figures quota{};
  std::optional<BurstRules> burst{};
  std::optional<LatencyRange> read_latency{};
  std::optional<LatencyRange> write_latency{};
  LocalText latency_note{};
  std::optional<Promise> promise{};
  std::optional<IoUnit> io_unit{};
  std::vector<LocalText> conditions{};  ///< what must hold for the quota, for people
  std::string status = "current";       ///< or "previous", "preview", "retired"
  bool is_monotone = true;              ///< a larger disk is never slower
  bool replaces = false;                ///< takes the place of a shipped profile of the same id
  std::vector<Source> sources{};
  std::vector<Former> history{};
  std::vector<Dispute> disputes{};
  std::string as_of{};  ///< the date for which as_of() chose an older formula
  Document document{};  ///< as it was written, for the record
};

/// Reads a profile; every fault is an error "file:line:column: what; what to do".
Result<Profile> parse_profile(std::string_view yaml, const std::string& file);

/// The same from a tree that was read before; `file` stands in messages.
Result<Profile> read_profile(const Document& document, const std::string& file);

/// The profile with the formula in force on `date` (YYYY-MM-DD); an error where none is known.
Result<Profile> as_of(const Profile& profile, const std::string& date);

}  // namespace diskaudit
