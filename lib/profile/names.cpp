#include "profile/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "profile/nearest.hpp"

namespace diskaudit {
namespace {

using Found = std::expected<void, std::string>;

bool is_multiple(double value, double step) {
  const double count = value / step;
  return std::abs(count - std::round(count)) < 1e-6;
}

/// The row for the values of the keys; none where there is none.
const TableRow* find_row(const Table& table, const std::vector<double>& values) {
  const TableRow* best = nullptr;
  for (const TableRow& row : table.rows) {
    const std::size_t last = values.size() - 1;
    if (!std::equal(values.begin(), values.end() - 1, row.keys.begin())) continue;
    const double key = row.keys[last];
    if (table.match == Match::Exact && key == values[last]) return &row;
    // Rows ascend in the last key: the first that reaches the value, or the last that it reaches.
    if (table.match == Match::UpTo && key >= values[last]) return &row;
    if (table.match == Match::From && key <= values[last]) best = &row;
  }
  return best;
}

bool is_known(const Table& table, const TableRow& row, const Names& names) {
  const auto has = [&](const std::string& name) { return names.contains(name); };
  return std::ranges::all_of(table.keys, has) &&
         std::ranges::all_of(row.cells, [&](const Formula& cell) {
           return std::ranges::all_of(cell.names(), has);
         });
}

std::string row_line(const Table& table, const TableRow& row) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const bool last = i + 1 == table.keys.size();
    const std::string_view how = !last || table.match == Match::Exact ? ""
                                 : table.match == Match::UpTo         ? "up to "
                                                                      : "from ";
    keys.push_back(fmt::format("{} {}{}", table.keys[i], how, row.key_texts[i]));
  }
  return fmt::format("table {}: row {}", table.name, fmt::join(keys, ", "));
}

/// A key's value as the table writes it: the name of a choice where it is one.
std::string key_text(const Table& table, std::size_t key, double value) {
  const auto row =
      std::ranges::find(table.rows, value, [&](const TableRow& each) { return each.keys[key]; });
  return row == table.rows.end() ? format_number(value, 6) : row->key_texts[key];
}

Found add_table(const Table& table, Names& names, std::vector<std::string>* rows) {
  std::vector<double> values;
  std::vector<std::string> shown;
  for (const std::string& key : table.keys) {
    const auto found = names.find(key);
    if (found == names.end()) return {};
    values.push_back(found->second);
    shown.push_back(fmt::format("{} = {}", key, key_text(table, values.size() - 1, values.back())));
  }
  const TableRow* row = find_row(table, values);
  if (!row)
    return std::unexpected(
        fmt::format("table '{}' has no row for {}", table.name, fmt::join(shown, ", ")));
  if (!is_known(table, *row, names)) return {};
  Names columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const FormulaResult<double> cell = row->cells[i].evaluate(names);
    if (!cell)
      return std::unexpected(fmt::format("column '{}' of table '{}': {} in '{}'", table.columns[i],
                                         table.name, cell.error().what, row->cells[i].text()));
    columns[table.name + "." + table.columns[i]] = *cell;
  }
  names.merge(columns);
  if (rows) rows->push_back(row_line(table, *row));
  return {};
}

std::string choice_names(const Input& input) {
  std::vector<std::string> names;
  for (const auto& [name, value] : input.choices) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What an input may be, for messages: "3000 to 80000 IOPS".
std::string range_text(const Input& input, const Names& names) {
  if (!input.choices.empty()) return choice_names(input);
  const auto end = [&](const std::optional<Formula>& formula) {
    const FormulaResult<double> value = formula->evaluate(names);
    return value ? format_number(*value, 3) : formula->text();
  };
  return fmt::format("{} to {} {}", end(input.min), end(input.max), input.unit);
}

Result<void> check_value(const Profile& profile, const Input& input, double value,
                         const Names& names) {
  const auto fail = [&](const std::string& why) {
    return usage_error(fmt::format("input {} = {} does not fit {}: {}", input.name,
                                   input_text(profile, input.name, value), profile.id, why));
  };
  if (!std::isfinite(value)) return fail("it is no number");
  if (input.step > 0 && !is_multiple(value, input.step))
    return fail(fmt::format("it must be a multiple of {}", format_number(input.step, 6)));
  const auto limit = [&](const std::optional<Formula>& formula, bool is_min) -> Result<void> {
    if (!formula) return {};
    const FormulaResult<double> bound = formula->evaluate(names);
    if (!bound) return fail(fmt::format("{} in '{}'", bound.error().what, formula->text()));
    const double slack = 1e-9 * std::abs(*bound);
    if (is_min ? value >= *bound - slack : value <= *bound + slack) return {};
    const bool is_constant = formula->names().empty();
    return fail(fmt::format("it must be at {} {}{}", is_min ? "least" : "most",
                            format_number(*bound, 3),
                            is_constant ? "" : fmt::format(" ({})", formula->text())));
  };
  if (const Result<void> least = limit(input.min, true); !least) return least;
  return limit(input.max, false);
}

Result<void> check_size(const Profile& profile, const Inputs& given) {
  const auto gib = given.find("gib");
  if (gib == given.end())
    return usage_error(fmt::format("cannot evaluate {}: no size given; use --size", profile.id));
  if (is_sold(profile.capacity, gib->second)) return {};
  const bool in_range = gib->second >= profile.capacity.min && gib->second <= profile.capacity.max;
  return usage_error(fmt::format("size {} GiB is {} {}: {}", format_number(gib->second, 3),
                                 in_range ? "not sold as" : "outside the capacity range of",
                                 profile.id, capacity_text(profile.capacity)));
}

Result<void> check_known(const Profile& profile, const Inputs& given) {
  std::vector<std::string> known;
  for (const Input& input : profile.inputs) known.push_back(input.name);
  for (const auto& [name, value] : given) {
    if (name == "gib" || std::ranges::count(known, name)) continue;
    if (known.empty())
      return usage_error(fmt::format("unknown input '{}'; {} takes none", name, profile.id));
    return usage_error(fmt::format("unknown input '{}' for {}{}; it takes {}", name, profile.id,
                                   did_you_mean(name, known), fmt::join(known, ", ")));
  }
  return {};
}

Result<std::optional<double>> value_of(const Profile& profile, const Input& input,
                                       const Inputs& given, const Names& names) {
  std::optional<double> value;
  if (const auto found = given.find(input.name); found != given.end()) {
    value = found->second;
  } else if (input.initial) {
    const FormulaResult<double> initial = input.initial->evaluate(names);
    if (initial) value = *initial;
  }
  if (!value) {
    if (input.optional) return value;
    return usage_error(fmt::format("{} needs the input '{}' ({}); give it with --input {}=…",
                                   profile.id, input.name, range_text(input, names), input.name));
  }
  if (const Result<void> fits = check_value(profile, input, *value, names); !fits)
    return std::unexpected(fits.error());
  return value;
}

Result<double> word_value(const Profile& profile, const Input* input, const std::string& name,
                          const std::string& word) {
  if (input) {
    std::vector<std::string> known;
    for (const auto& [choice, value] : input->choices) {
      if (choice == word) return value;
      known.push_back(choice);
    }
    if (!known.empty())
      return usage_error(fmt::format("input {} = {} does not fit {}: it must be one of {}{}", name,
                                     word, profile.id, fmt::join(known, ", "),
                                     did_you_mean(word, known)));
  }
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [rest, failure] = std::from_chars(word.data(), end, value);
  if (failure != std::errc() || rest != end || !std::isfinite(value))
    return usage_error(fmt::format("input {} = {} is no number", name, word));
  return value;
}

}  // namespace

bool is_sold(const Capacity& capacity, double gib) {
  if (!capacity.sizes.empty()) return std::ranges::count(capacity.sizes, gib) > 0;
  if (!(gib >= capacity.min && gib <= capacity.max)) return false;
  return capacity.step == 0 || is_multiple(gib, capacity.step);
}

std::string capacity_text(const Capacity& capacity, Language language) {
  const bool zh = language == Language::Chinese;
  std::vector<std::string> sizes;
  for (const double size : capacity.sizes) sizes.push_back(format_number(size, 3));
  if (!sizes.empty()) return fmt::format("{} GiB", fmt::join(sizes, ", "));
  std::string text = fmt::format("{} {} {} GiB", format_number(capacity.min, 3), zh ? "至" : "to",
                                 format_number(capacity.max, 3));
  if (capacity.step > 0)
    text +=
        fmt::format("{} {} GiB", zh ? "，步长" : " in steps of", format_number(capacity.step, 3));
  return text;
}

Found add_tables(const std::vector<Table>& tables, Names& names, std::vector<std::string>* rows) {
  for (const Table& table : tables) {
    if (names.contains(table.name + "." + table.columns.front())) continue;
    if (const Found added = add_table(table, names, rows); !added) return added;
  }
  return {};
}

Result<Names> resolve_names(const Profile& profile, const Inputs& given,
                            std::vector<std::string>* rows) {
  if (const Result<void> known = check_known(profile, given); !known)
    return std::unexpected(known.error());
  if (const Result<void> size = check_size(profile, given); !size)
    return std::unexpected(size.error());
  Names names = {{"gib", given.at("gib")}};
  for (std::size_t i = 0; i <= profile.inputs.size(); ++i) {
    if (const Found added = add_tables(profile.tables, names, rows); !added)
      return usage_error(fmt::format("cannot evaluate {}: {}", profile.id, added.error()));
    if (i == profile.inputs.size()) break;
    const Input& input = profile.inputs[i];
    const Result<std::optional<double>> value = value_of(profile, input, given, names);
    if (!value) return std::unexpected(value.error());
    if (*value) names[input.name] = **value;
  }
  return names;
}

Result<Inputs> complete_inputs(const Profile& profile, const Inputs& given) {
  const Result<Names> names = resolve_names(profile, given);
  if (!names) return std::unexpected(names.error());
  Inputs inputs = {{"gib", names->at("gib")}};
  for (const Input& input : profile.inputs) {
    if (const auto found = names->find(input.name); found != names->end()) inputs.insert(*found);
  }
  return inputs;
}

Result<Inputs> read_inputs(const Profile& profile, double gib,
                           const std::vector<std::pair<std::string, std::string>>& words) {
  Inputs given = {{"gib", gib}};
  for (const auto& [name, word] : words) {
    if (given.contains(name))
      return usage_error(name == "gib" ? "the size is given with --size, not as an input"
                                       : fmt::format("input '{}' is given twice", name));
    const auto input = std::ranges::find(profile.inputs, name, &Input::name);
    const Result<double> value =
        word_value(profile, input == profile.inputs.end() ? nullptr : &*input, name, word);
    if (!value) return std::unexpected(value.error());
    given[name] = *value;
  }
  return complete_inputs(profile, given);
}

std::string input_text(const Profile& profile, const std::string& name, double value) {
  const auto input = std::ranges::find(profile.inputs, name, &Input::name);
  if (input != profile.inputs.end()) {
    for (const auto& [choice, number] : input->choices) {
      if (number == value) return choice;
    }
  }
  return format_number(value, 6);
}

}  // namespace diskaudit
