#pragma once
/// What `profiles list` and `profiles show` say, as text for people and as JSON.

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "error.hpp"
#include "profile/profile.hpp"

namespace diskaudit {

/// One aligned line a profile: id, vendor and type, IOPS and throughput formula, source date.
std::string list_text(std::span<const Profile> profiles);

/// An array of {id, aliases, vendor, name, status, iops, throughput, dated, source}.
nlohmann::ordered_json list_json(std::span<const Profile> profiles);

/// One profile for one disk: the formulas step by step, conditions and sources.
Result<std::string> show_text(const Profile& profile, const Inputs& inputs);

/// {profile, quota}, the objects of a record.
Result<nlohmann::ordered_json> show_json(const Profile& profile, const Inputs& inputs);

}  // namespace diskaudit
