#pragma once
/// What a customer sets besides the size, and the tables that a vendor publishes.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "error.hpp"
#include "profile/figures.hpp"

namespace diskaudit {

struct Profile;

/// The values of `gib` (provisioned size, GiB) and of the inputs that a profile declares.
using Inputs = std::map<std::string, double>;

/// Which sizes are sold, in GiB.
struct Capacity {
  double min = 0;
  double max = 0;
  double step = 0;              ///< sizes are multiples of it; 0: any
  std::vector<double> sizes{};  ///< where only these are sold
};

struct Input {
  std::string name{};
  LocalText label{};
  std::string unit{};
  std::optional<Formula> initial{};  ///< the default
  std::optional<Formula> min{};
  std::optional<Formula> max{};
  double step = 0;                                        ///< values are multiples of it; 0: any
  std::vector<std::pair<std::string, double>> choices{};  ///< names for numbers
  bool optional = false;  ///< may be missing; figures that use it are then not known
};

/// How the value of a table's last key finds its row.
enum class Match { Exact, UpTo, From };

struct TableRow {
  std::vector<double> keys{};
  std::vector<std::string> key_texts{};  ///< as written
  std::vector<Formula> cells{};
};

struct Table {
  std::string name{};
  std::vector<std::string> keys{};
  Match match = Match::Exact;
  std::vector<std::string> columns{};
  std::vector<TableRow> rows{};
};

/// `given` with the defaults of the inputs that it lacks. Fails on a size or an input that is
/// missing, unknown or out of its range, and on a value without a row in a table.
Result<Inputs> complete_inputs(const Profile& profile, const Inputs& given);

/// The same from the command line's words: numbers or names of choices.
Result<Inputs> read_inputs(const Profile& profile, double gib,
                           const std::vector<std::pair<std::string, std::string>>& words);

/// A value as people write it: the name of a choice, or the number.
std::string input_text(const Profile& profile, const std::string& name, double value);

}  // namespace diskaudit
