#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "profile/read_parts.hpp"
#include "units.hpp"

// Tables are keyed by the names of choices, and the limits of an input may use tables. So the
// inputs are read in two passes, the second one mixed with the tables as they become ready.

namespace diskaudit {
namespace {

constexpr std::size_t input_limit = 12;
constexpr double slack = 1e-9;

std::vector<std::pair<std::string, double>> read_choices(Reader& reader, const Document& document) {
  std::vector<std::pair<std::string, double>> choices;
  if (document.kind == Document::Kind::Mapping) {
    for (const auto& [name, number] : document.members)
      choices.emplace_back(name, reader.number(number));
  } else if (reader.sequence(document, "choices")) {
    for (const Document& name : document.items)
      choices.emplace_back(reader.text(name), static_cast<double>(choices.size()));
  }
  if (choices.empty()) reader.fault(document, "choices must not be empty");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].second < 0)
      reader.fault(document, "the number of a choice must not be negative");
    for (std::size_t j = 0; j < i; ++j) {
      if (choices[i].first == choices[j].first)
        reader.fault(document, fmt::format("choice '{}' is given twice", choices[i].first));
    }
  }
  return choices;
}

/// Everything of an input but its formulas.
Input read_input(Reader& reader, const std::string& name, const Document& document) {
  Input input;
  input.name = read_name(reader, name, document);
  if (!reader.mapping(document, "input",
                      {{"label"},
                       {"unit"},
                       {"default"},
                       {"min"},
                       {"max"},
                       {"step"},
                       {"choices"},
                       {"optional"},
                       {"setting"}}))
    return input;
  if (const Document* label = document.find("label")) input.label = reader.local_text(*label);
  if (const Document* unit = document.find("unit")) input.unit = reader.text(*unit);
  if (const Document* step = document.find("step")) input.step = reader.positive_number(*step);
  if (const Document* optional = document.find("optional")) input.optional = reader.flag(*optional);
  if (const Document* setting = document.find("setting")) reader.flag(*setting);
  if (const Document* choices = document.find("choices")) {
    input.choices = read_choices(reader, *choices);
  } else if (!document.find("unit") || !document.find("min") || !document.find("max")) {
    reader.fault(document, fmt::format("input '{}' needs unit, min and max, or choices", name));
  }
  return input;
}

/// The default of an input: the name of a choice, or a formula.
std::optional<Formula> read_default(Reader& reader, const Document& document, const Input& input,
                                    const Domain& domain) {
  for (const auto& [name, number] : input.choices) {
    if (name == document.text) return constant_formula(number);
  }
  return reader.formula(document, domain);
}

/// A default outside the input's own limits would make every user say what the vendor chooses.
/// Tried on the smallest and on the largest disk.
void check_default(Reader& reader, const Document& at, const Input& input, const Domain& domain) {
  for (const double gib : {domain.capacity.min, domain.capacity.max}) {
    for (const auto& point : points_at(domain, gib)) {
      const auto value_of = [&](const std::optional<Formula>& formula, double otherwise) {
        return formula ? formula->evaluate(point).value_or(otherwise) : otherwise;
      };
      const double infinity = std::numeric_limits<double>::infinity();
      const double value = value_of(input.initial, 0);
      const double min = value_of(input.min, -infinity);
      const double max = value_of(input.max, infinity);
      if (value >= min * (1 - slack) && value <= max * (1 + slack)) continue;
      reader.fault(
          at,
          fmt::format("default {} of input '{}' is {} its {} {} at {} GiB", format_number(value, 3),
                      input.name, value < min ? "below" : "above", value < min ? "min" : "max",
                      format_number(value < min ? min : max, 3), format_number(gib, 3)));
      return;
    }
  }
}

void read_limits(Reader& reader, const Document& document, const Profile& profile, Input& input,
                 const Domain& domain) {
  for (const std::string_view key : {"min", "max", "default"}) {
    const Document* text = document.find(key);
    const FormulaResult<Formula> formula = Formula::parse(text ? text->text : "0");
    if (!formula) continue;
    for (const std::string& name : formula->names()) {
      const bool is_input = std::ranges::count(profile.inputs, name, &Input::name) > 0;
      if (is_input && !domain.ranges.contains(name))
        reader.fault(*text,
                     fmt::format("'{}' of input '{}' uses '{}', which does not stand above it", key,
                                 input.name, name));
    }
  }
  if (const Document* min = document.find("min")) input.min = reader.formula(*min, domain);
  if (const Document* max = document.find("max")) input.max = reader.formula(*max, domain);
  if (const Document* initial = document.find("default"))
    input.initial = read_default(reader, *initial, input, domain);
  if (input.initial && !reader.failed())
    check_default(reader, *document.find("default"), input, domain);
}

}  // namespace

void read_inputs_and_tables(Reader& reader, const Document& file, Profile& profile,
                            Domain& domain) {
  domain.capacity = profile.capacity;
  domain.ranges["gib"] = {profile.capacity.min, profile.capacity.max};
  const Document none;
  const Document* inputs = file.find("inputs");
  const Document* tables = file.find("tables");
  if (inputs && inputs->kind != Document::Kind::Mapping)
    reader.fault(*inputs, "inputs must be a mapping of names");
  if (tables && tables->kind != Document::Kind::Mapping)
    reader.fault(*tables, "tables must be a mapping of names");
  if (inputs && inputs->members.size() > input_limit)
    reader.fault(*inputs, fmt::format("more than {} inputs", input_limit));
  if (reader.failed()) return;
  const auto& members = (inputs ? *inputs : none).members;
  for (const auto& [name, input] : members)
    profile.inputs.push_back(read_input(reader, name, input));
  for (std::size_t i = 0; i <= members.size() && !reader.failed(); ++i) {
    if (tables) read_tables(reader, *tables, profile, domain, i == members.size());
    if (i == members.size() || reader.failed()) return;
    Input& input = profile.inputs[i];
    read_limits(reader, members[i].second, profile, input, domain);
    if (reader.failed()) return;
    domain.ranges[input.name] = range_of(input, domain);
    domain.inputs.push_back(input);
  }
}

}  // namespace diskaudit
