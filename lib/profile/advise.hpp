#pragma once
/// The formulas read backwards: the smallest disk of a type that gives what is wanted.

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profile/profile.hpp"
#include "text.hpp"

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
  std::string status{};            ///< as in the profile
  std::optional<Inputs> inputs{};  ///< gib and every input
  nlohmann::ordered_json words{};  ///< the same as `profiles show` takes them
  std::string settings{};          ///< what is set besides the size, for people
  std::string assumed{};           ///< inputs that are no settings, at their defaults
  std::optional<Quota> quota{};
  RateUnit unit = RateUnit::MBps;
  std::vector<LocalText> conditions{};  ///< of the profile: what must hold for the quota
  std::string why_not{};
};

/// Whether an input is chosen for this disk, or a fact that its file marks `setting: false`.
bool is_setting(const Profile& profile, const Input& input);

/// Sizes first: the smallest size sold that suffices, with the least settings that suffice there.
/// Inputs that are no settings keep their defaults; without one there is no advice.
Advice advise(const Profile& profile, const Wish& wish);

/// One aligned line a type, smallest disk first, then those that cannot, with the cause.
/// Conditions stand below, once each, where they are few; where not, only that there are some.
std::string advice_text(std::span<const Advice> advices, Language language = Language::English);

/// An array of {id, status, gib, inputs, assumed, quota, conditions, why_not}.
nlohmann::ordered_json advice_json(std::span<const Advice> advices);

}  // namespace diskaudit
