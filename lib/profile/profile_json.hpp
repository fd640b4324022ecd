#pragma once
/// The `profile` and `quota` objects that a record and `profiles show --format json` share.

#include <nlohmann/json.hpp>
#include <string>

#include "error.hpp"
#include "profile/document.hpp"
#include "profile/profile.hpp"

namespace diskaudit {

/// {id, vendor, name, inputs{gib, …}, sources[], definition{the whole file as it was written}}.
nlohmann::ordered_json profile_to_json(const Profile& profile, const Inputs& inputs);

/// Reads `definition` back and checks it as if it were a file.
Result<Profile> profile_from_json(const nlohmann::ordered_json& profile);

/// The values that `inputs` of a profile object holds.
Result<Inputs> inputs_from_json(const nlohmann::ordered_json& profile);

/// {read{iops, bytes_per_second}, write{…}, total{…}, unit, explain[]}; null for what is not
/// published.
nlohmann::ordered_json quota_to_json(const Quota& quota);

nlohmann::ordered_json document_to_json(const Document& document);

/// A JSON string counts as a quoted scalar. Fails on what YAML would not give: null, booleans,
/// depth.
Result<Document> document_from_json(const nlohmann::ordered_json& json);

}  // namespace diskaudit
