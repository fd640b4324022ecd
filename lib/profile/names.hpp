#pragma once
/// The values of everything that a profile's formulas may name, for one disk.

#include <expected>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "error.hpp"
#include "profile/profile.hpp"
#include "text.hpp"

namespace diskaudit {

using Names = std::map<std::string, double>;

/// Adds the columns of every table whose keys and cells are known by now and which `names` lacks.
/// Fails with a message where a value has no row; `rows` gets a line for each row found.
std::expected<void, std::string> add_tables(const std::vector<Table>& tables, Names& names,
                                            std::vector<std::string>* rows = nullptr);

/// gib, inputs with defaults, and table columns. What hangs on an optional input that is missing is
/// missing too.
Result<Names> resolve_names(const Profile& profile, const Inputs& given,
                            std::vector<std::string>* rows = nullptr);

/// Whether a size is sold: within the range, and a multiple or one of the sizes where so stated.
bool is_sold(const Capacity& capacity, double gib);

/// "10 to 32000 GiB", "20, 40, 100 GiB".
std::string capacity_text(const Capacity& capacity, Language language = Language::English);

}  // namespace diskaudit
