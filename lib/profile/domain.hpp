#pragma once
/// Where a profile's formulas must hold: every size sold, every value of every input.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.hpp"

namespace diskaudit {

/// What a formula at some place of a profile may name, and the range of each.
struct Domain {
  Capacity capacity{};
  std::vector<Input> inputs{};
  std::vector<Table> tables{};
  std::map<std::string, Range> ranges{};  ///< of gib, the inputs and the table columns
  /// How many points may still be tried one by one; copies share it, so that no file takes long.
  std::shared_ptr<int> budget = std::make_shared<int>(200'000);

  std::vector<std::string> names() const;
};

/// Every combination of the inputs' extreme values or choices on a disk of `gib`.
std::vector<std::map<std::string, double>> points_at(const Domain& domain, double gib);

/// The range of an input within the domain of what stands before it.
Range range_of(const Input& input, const Domain& domain);

/// The values of a table's last key for which its row number `row` may be the one found.
Range stretch_of(const Table& table, std::size_t row, Range whole);

/// Adds the columns of the tables that can be looked up with what the domain holds by now.
void add_columns(Domain& domain);

/// The first fault that `formula` has in the domain; sizes are tried at whole GiB.
std::optional<FormulaError> fault_in(const Formula& formula, const Domain& domain);

}  // namespace diskaudit
