#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/read_parts.hpp"

namespace diskaudit {
namespace {

constexpr std::size_t row_limit = 512;

bool is_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  constexpr std::string_view taken[] = {"gib", "min", "max", "ceil", "floor"};
  return !text.empty() && text.front() >= 'a' && std::ranges::all_of(text, allowed) &&
         !std::ranges::count(taken, text);
}

double read_key(Reader& reader, const Document& cell, const std::string& key,
                const Profile& profile) {
  const auto input = std::ranges::find(profile.inputs, key, &Input::name);
  if (input == profile.inputs.end() || input->choices.empty()) {
    const double number = reader.number(cell);
    if (number < 0) reader.fault(cell, "a key must not be negative");
    return number;
  }
  std::vector<std::string> known;
  for (const auto& [name, number] : input->choices) {
    if (name == cell.text) return number;
    known.push_back(name);
  }
  reader.fault(cell, fmt::format("'{}' is no choice of input '{}'", cell.text, key));
  return 0;
}

/// The domain in which the last row so far is the one found: its cells need not make sense
/// elsewhere.
Domain domain_of_last_row(const Table& table, const Domain& domain) {
  const std::string& key = table.keys.back();
  Domain narrowed = domain;
  const Range range = stretch_of(table, table.rows.size() - 1, domain.ranges.at(key));
  narrowed.ranges[key] = range;
  if (key == "gib") {
    narrowed.capacity.min = std::max(domain.capacity.min, std::floor(range.low));
    narrowed.capacity.max = std::min(domain.capacity.max, range.high);
  }
  for (Input& input : narrowed.inputs) {
    if (input.name != key) continue;
    input.choices.clear();
    input.min = constant_formula(range.low);
    input.max = constant_formula(range.high);
  }
  return narrowed;
}

void read_cells(Reader& reader, const Document& document, Table& table, const Domain& domain) {
  if (reader.failed()) return;
  const Domain narrowed = domain_of_last_row(table, domain);
  for (std::size_t i = table.keys.size(); i < document.items.size(); ++i) {
    if (std::optional<Formula> formula = reader.formula(document.items[i], narrowed))
      table.rows.back().cells.push_back(std::move(*formula));
  }
}

void read_row(Reader& reader, const Document& document, Table& table, const Profile& profile,
              const Domain& domain) {
  const std::size_t width = table.keys.size() + table.columns.size();
  if (!reader.sequence(document, "row")) return;
  if (document.items.size() != width)
    return reader.fault(
        document, fmt::format("row has {} cells, not {} ({} and {})", document.items.size(), width,
                              table.keys.size(), table.columns.size()));
  TableRow row;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    row.keys.push_back(read_key(reader, document.items[i], table.keys[i], profile));
    row.key_texts.push_back(document.items[i].text);
  }
  table.rows.push_back(std::move(row));
  read_cells(reader, document, table, domain);
}

void read_keys(Reader& reader, const Document& document, Table& table, const Domain& domain) {
  const auto add = [&](const Document& key) {
    table.keys.push_back(reader.text(key));
    if (!domain.ranges.contains(table.keys.back()))
      reader.fault(key, fmt::format("key '{}' is neither gib nor an input", table.keys.back()));
  };
  if (document.kind == Document::Kind::Scalar) return add(document);
  if (!reader.sequence(document, "by")) return;
  for (const Document& key : document.items) add(key);
}

/// Rows must ascend in their last key where the keys before it are the same.
void check_order(Reader& reader, const Document& rows, const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::vector<double>& above = table.rows[j].keys;
      const std::vector<double>& below = table.rows[i].keys;
      if (!std::equal(above.begin(), above.end() - 1, below.begin())) continue;
      if (above.back() == below.back())
        return reader.fault(rows.items[i], "row has the keys of a row above");
      if (table.match != Match::Exact && above.back() > below.back())
        return reader.fault(rows.items[i], "rows must ascend in their last key");
    }
  }
}

/// A table of one key must have a row for every value of it.
void check_cover(Reader& reader, const Document& rows, const Table& table, const Profile& profile,
                 const Domain& domain) {
  if (table.keys.size() != 1) return;
  const Range range = domain.ranges.at(table.keys[0]);
  const std::string& key = table.keys[0];
  if (table.match == Match::UpTo && table.rows.back().keys[0] < range.high)
    reader.fault(
        rows, fmt::format("table ends at {} but {} goes up to {}", table.rows.back().key_texts[0],
                          key, format_number(range.high, 3)));
  if (table.match == Match::From && table.rows.front().keys[0] > range.low)
    reader.fault(rows,
                 fmt::format("table begins at {} but {} goes down to {}",
                             table.rows.front().key_texts[0], key, format_number(range.low, 3)));
  if (table.match != Match::Exact) return;
  std::vector<double> values = key == "gib" ? profile.capacity.sizes : std::vector<double>{};
  if (const auto input = std::ranges::find(profile.inputs, key, &Input::name);
      input != profile.inputs.end()) {
    for (const auto& [name, value] : input->choices) values.push_back(value);
  }
  if (values.empty())
    reader.fault(rows, fmt::format("{} is not one of a few values; use match: up_to or from", key));
  for (const double value : values) {
    const auto is_here = [&](const TableRow& row) { return row.keys[0] == value; };
    if (std::ranges::none_of(table.rows, is_here))
      reader.fault(
          rows, fmt::format("table has no row for {} = {}", key, input_text(profile, key, value)));
  }
}

Table read_table(Reader& reader, const std::string& name, const Document& document,
                 const Profile& profile, const Domain& domain) {
  Table table;
  table.name = read_name(reader, name, document);
  if (!reader.mapping(document, "table",
                      {{"by", true}, {"match"}, {"columns", true}, {"rows", true}}))
    return table;
  read_keys(reader, *document.find("by"), table, domain);
  if (const Document* match = document.find("match")) {
    const std::string how = reader.one_of(*match, {"exact", "up_to", "from"});
    table.match = how == "up_to" ? Match::UpTo : how == "from" ? Match::From : Match::Exact;
  }
  const Document& columns = *document.find("columns");
  if (reader.sequence(columns, "columns")) {
    for (const Document& column : columns.items) {
      table.columns.push_back(reader.text(column));
      if (!is_name(table.columns.back()))
        reader.fault(column, fmt::format("'{}' is no name for a column", table.columns.back()));
      if (std::ranges::count(table.columns, table.columns.back()) > 1)
        reader.fault(column, fmt::format("column '{}' is given twice", table.columns.back()));
    }
  }
  const Document& rows = *document.find("rows");
  if (!reader.sequence(rows, "rows")) return table;
  if (rows.items.size() > row_limit)
    reader.fault(rows, fmt::format("table has more than {} rows", row_limit));
  for (const Document& row : rows.items) {
    if (reader.failed()) return table;
    read_row(reader, row, table, profile, domain);
  }
  if (reader.failed()) return table;
  check_order(reader, rows, table);
  check_cover(reader, rows, table, profile, domain);
  return table;
}

/// Whether everything that the table uses is known by now; a faulty cell is, to be reported.
bool is_ready(const Document& table, const Domain& domain) {
  const auto known = [&](const std::string& name) { return domain.ranges.contains(name); };
  const Document* by = table.find("by");
  const Document* rows = table.find("rows");
  if (!by || !rows) return true;
  if (by->kind == Document::Kind::Scalar ? !known(by->text)
                                         : !std::ranges::all_of(by->items, known, &Document::text))
    return false;
  for (const Document& row : rows->items) {
    for (const Document& cell : row.items) {
      const FormulaResult<Formula> formula = Formula::parse(cell.text);
      if (formula && std::ranges::any_of(formula->names(),
                                         [&](const std::string& name) { return !known(name); }))
        return false;
    }
  }
  return true;
}

}  // namespace

std::string read_name(Reader& reader, const std::string& name, const Document& member) {
  if (!is_name(name))
    reader.fault_at_key(member, fmt::format("'{}' is no name for an input, table or column; use "
                                            "lower-case letters, digits and '_'",
                                            name));
  return name;
}

void read_tables(Reader& reader, const Document& tables, Profile& profile, Domain& domain,
                 bool all) {
  Domain plain = domain;  // cells use no tables
  plain.tables.clear();
  std::erase_if(plain.ranges, [](const auto& range) { return range.first.contains('.'); });
  for (const auto& [name, table] : tables.members) {
    if (reader.failed()) return;
    if (std::ranges::count(profile.tables, name, &Table::name) > 0) continue;
    if (!all && !is_ready(table, plain)) continue;
    profile.tables.push_back(read_table(reader, name, table, profile, plain));
  }
  domain.tables = profile.tables;
  if (!reader.failed()) add_columns(domain);
}

}  // namespace diskaudit
