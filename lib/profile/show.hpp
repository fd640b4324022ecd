#pragma once
/// What `profiles list` and `profiles show` say, as text for people and as JSON.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "profile/profile.hpp"
#include "text.hpp"

namespace diskaudit {

struct ShowStyle {
  Language language = Language::English;
  std::string today{};  ///< YYYY-MM-DD, to tell old sources by; empty: no such warning
};

/// The profiles of a vendor (its name or the beginning of the ids) in which `text` occurs: in id,
/// aliases, or names. Letter case does not matter; empty means any.
std::vector<Profile> filtered(std::span<const Profile> profiles, std::string_view vendor,
                              std::string_view text);

/// One aligned line a profile: id, vendor and type, IOPS and throughput formula, source date.
std::string list_text(std::span<const Profile> profiles, const ShowStyle& style = {});

/// An array of {id, aliases, vendor, name, status, iops, throughput, dated, source}.
nlohmann::ordered_json list_json(std::span<const Profile> profiles);

/// One profile for one disk: the formulas step by step, which term binds from which size, burst,
/// promise, conditions, what is in dispute, and sources.
Result<std::string> show_text(const Profile& profile, const Inputs& inputs,
                              const ShowStyle& style = {});

/// {profile, quota}, the objects of a record.
Result<nlohmann::ordered_json> show_json(const Profile& profile, const Inputs& inputs);

/// One line a size; `disks` are the inputs of each.
Result<std::string> show_table(const Profile& profile, std::span<const Inputs> disks,
                               const ShowStyle& style = {});

/// A size to show when none is given: the one sold that is nearest to 100 GiB.
double usual_size(const Profile& profile);

/// Whether the first source, that of the figures, is dated more than a year before `today`.
bool is_outdated(const Profile& profile, std::string_view today);

}  // namespace diskaudit
