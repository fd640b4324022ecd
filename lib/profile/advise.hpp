#pragma once
/// The formulas read backwards: the smallest disk of a type that gives what is wanted.

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profile/profile.hpp"

namespace diskaudit {

/// What reads and writes must each be able to reach.
struct Wish {
  std::optional<Iops> iops{};
  std::optional<BytesPerSec> throughput{};
};

/// The smallest size of one type and what must be bought besides it; or why there is none.
struct Advice {
  std::string id{};
  LocalText name{};
  std::optional<Inputs> inputs{};  ///< gib and every input
  std::string settings{};          ///< the inputs besides the size, for people
  std::optional<Quota> quota{};
  RateUnit unit = RateUnit::MBps;
  std::string why_not{};
};

/// Sizes first: the smallest size sold that suffices, with the least settings that suffice there.
Advice advise(const Profile& profile, const Wish& wish);

/// One aligned line a type, smallest disk first, then those that cannot, with the cause.
std::string advice_text(std::span<const Advice> advices);

/// An array of {id, gib, inputs, quota, why_not}.
nlohmann::ordered_json advice_json(std::span<const Advice> advices);

}  // namespace diskaudit
