#include "profile/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "profile/formula_node.hpp"
#include "profile/nearest.hpp"
#include "units.hpp"

namespace diskaudit {
namespace {

using Node = Formula::Node;
using NodePtr = std::shared_ptr<const Node>;
using Kind = Node::Kind;
using Names = std::map<std::string, double>;

std::unexpected<FormulaError> fault(const Node& node, std::string what) {
  return std::unexpected(FormulaError{node.column, std::move(what)});
}

FormulaError unknown(const Node& node, std::span<const std::string> known) {
  return {node.column,
          fmt::format("unknown name '{}' in formula{}", node.name, did_you_mean(node.name, known))};
}

FormulaResult<double> value_of_name(const Node& node, const Names& names) {
  const auto found = names.find(node.name);
  if (found != names.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, value] : names) known.push_back(name);
  return std::unexpected(unknown(node, known));
}

std::optional<FormulaError> find_unknown(const Node& node, std::span<const std::string> known) {
  if (node.kind == Kind::Name && !std::ranges::count(known, node.name)) return unknown(node, known);
  for (const NodePtr& child : node.children) {
    if (std::optional<FormulaError> found = find_unknown(*child, known)) return found;
  }
  return {};
}

/// The node's own operation on the values of its children.
FormulaResult<double> operate(const Node& node, const std::vector<double>& values) {
  double result = values[0];
  switch (node.kind) {
    case Kind::Add:
      result += values[1];
      break;
    case Kind::Subtract:
      result -= values[1];
      break;
    case Kind::Multiply:
      result *= values[1];
      break;
    case Kind::Divide:
      if (values[1] == 0) return fault(node, "division by zero");
      result /= values[1];
      break;
    case Kind::Min:
      result = *std::ranges::min_element(values);
      break;
    case Kind::Max:
      result = *std::ranges::max_element(values);
      break;
    case Kind::Ceil:
      result = std::ceil(result);
      break;
    case Kind::Floor:
      result = std::floor(result);
      break;
    case Kind::Number:
    case Kind::Name:
      break;
  }
  if (!std::isfinite(result)) return fault(node, "the value is not finite");
  return result;
}

FormulaResult<double> evaluate_node(const Node& node, const Names& names) {
  if (node.kind == Kind::Number) return node.number;
  if (node.kind == Kind::Name) return value_of_name(node, names);
  std::vector<double> values;
  for (const NodePtr& child : node.children) {
    const FormulaResult<double> value = evaluate_node(*child, names);
    if (!value) return value;
    values.push_back(*value);
  }
  return operate(node, values);
}

Range hull(std::initializer_list<double> values) { return {std::min(values), std::max(values)}; }

Range bounds_of(const Node& node, const std::map<std::string, Range>& names) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (node.kind == Kind::Number) return {node.number, node.number};
  if (node.kind == Kind::Name) {
    const auto found = names.find(node.name);
    return found == names.end() ? Range{-infinity, infinity} : found->second;
  }
  const Range a = bounds_of(*node.children[0], names);
  if (node.kind == Kind::Ceil) return {std::ceil(a.low), std::ceil(a.high)};
  if (node.kind == Kind::Floor) return {std::floor(a.low), std::floor(a.high)};
  Range result = a;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const Range b = bounds_of(*node.children[i], names);
    switch (node.kind) {
      case Kind::Add:
        result = {result.low + b.low, result.high + b.high};
        break;
      case Kind::Subtract:
        result = {result.low - b.high, result.high - b.low};
        break;
      case Kind::Multiply:
        result = hull(
            {result.low * b.low, result.low * b.high, result.high * b.low, result.high * b.high});
        break;
      case Kind::Divide:
        if (b.low <= 0 && b.high >= 0) return {-infinity, infinity};
        result = hull(
            {result.low / b.low, result.low / b.high, result.high / b.low, result.high / b.high});
        break;
      case Kind::Min:
        result = {std::min(result.low, b.low), std::min(result.high, b.high)};
        break;
      case Kind::Max:
        result = {std::max(result.low, b.low), std::max(result.high, b.high)};
        break;
      default:
        break;
    }
  }
  return std::isnan(result.low) || std::isnan(result.high) ? Range{-infinity, infinity} : result;
}

int precedence(const Node& node) {
  if (node.kind == Kind::Add || node.kind == Kind::Subtract) return 1;
  if (node.kind == Kind::Multiply || node.kind == Kind::Divide) return 2;
  return 3;
}

std::string print_number(double value) {
  const std::string text = format_number(value, 6);
  return text == "0" && value != 0 ? fmt::format("{:.6g}", value) : text;
}

std::string print(const Node& node) {
  static constexpr std::string_view signs[] = {" + ", " - ", " × ", " / "};
  static constexpr std::string_view calls[] = {"min", "max", "ceil", "floor"};
  if (node.kind == Kind::Number) return print_number(node.number);
  if (node.kind == Kind::Name) return node.name;
  if (is_call(node.kind)) {
    std::vector<std::string> arguments;
    for (const NodePtr& child : node.children) arguments.push_back(print(*child));
    return fmt::format("{}({})", calls[static_cast<int>(node.kind) - static_cast<int>(Kind::Min)],
                       fmt::join(arguments, ", "));
  }
  const auto operand = [&](const Node& child, bool is_right) {
    const bool needs = precedence(child) < precedence(node) + (is_right ? 1 : 0);
    return needs ? "(" + print(child) + ")" : print(child);
  };
  return fmt::format("{}{}{}", operand(*node.children[0], false),
                     signs[static_cast<int>(node.kind) - static_cast<int>(Kind::Add)],
                     operand(*node.children[1], true));
}

NodePtr number_node(const Node& in_place_of, double value) {
  return std::make_shared<const Node>(
      Node{.kind = Kind::Number, .number = value, .column = in_place_of.column});
}

FormulaResult<NodePtr> substitute(const NodePtr& node, const Names& names) {
  if (node->kind == Kind::Number) return node;
  if (node->kind == Kind::Name) {
    const FormulaResult<double> value = value_of_name(*node, names);
    if (!value) return std::unexpected(value.error());
    return number_node(*node, *value);
  }
  Node copy = *node;
  for (NodePtr& child : copy.children) {
    FormulaResult<NodePtr> replaced = substitute(child, names);
    if (!replaced) return replaced;
    child = std::move(*replaced);
  }
  return std::make_shared<const Node>(std::move(copy));
}

bool holds_call(const Node& node) {
  return is_call(node.kind) || std::ranges::any_of(node.children, [](const NodePtr& child) {
           return holds_call(*child);
         });
}

/// One step for a reader: whole sums become numbers, and so do functions of plain numbers.
FormulaResult<NodePtr> reduce(const NodePtr& node) {
  if (node->kind == Kind::Number) return node;
  const bool of_numbers = std::ranges::all_of(
      node->children, [](const NodePtr& child) { return child->kind == Kind::Number; });
  if (of_numbers || !holds_call(*node)) {
    const FormulaResult<double> value = evaluate_node(*node, {});
    if (!value) return std::unexpected(value.error());
    return number_node(*node, *value);
  }
  Node copy = *node;
  for (NodePtr& child : copy.children) {
    FormulaResult<NodePtr> reduced = reduce(child);
    if (!reduced) return reduced;
    child = std::move(*reduced);
  }
  return std::make_shared<const Node>(std::move(copy));
}

void collect_names(const Node& node, std::set<std::string>& names) {
  if (node.kind == Kind::Name) names.insert(node.name);
  for (const NodePtr& child : node.children) collect_names(*child, names);
}

}  // namespace

std::optional<FormulaError> Formula::unknown_name(std::span<const std::string> known) const {
  return find_unknown(*root_, known);
}

FormulaResult<double> Formula::evaluate(const Names& names) const {
  FormulaResult<double> value = evaluate_node(*root_, names);
  if (value && *value < 0)
    return fault(*root_, fmt::format("the value is negative: {}", print_number(*value)));
  return value;
}

Range Formula::bounds(const std::map<std::string, Range>& names) const {
  return bounds_of(*root_, names);
}

FormulaResult<std::string> Formula::explain(const Names& names) const {
  if (const FormulaResult<double> value = evaluate(names); !value)
    return std::unexpected(value.error());
  std::string text;
  // What the size is, a reader knows; what an input or a table gives, the first step shows.
  const std::set<std::string> used = this->names();
  if (std::ranges::any_of(used, [](const std::string& name) { return name != "gib"; }))
    text = print(*root_);
  FormulaResult<NodePtr> step = substitute(root_, names);
  while (step) {
    text += (text.empty() ? "" : " = ") + print(**step);
    if ((*step)->kind == Kind::Number) return text;
    step = reduce(*step);
  }
  return std::unexpected(step.error());
}

std::string Formula::binding_term(const Names& names) const {
  const Node* node = root_.get();
  while (node->kind == Kind::Min || node->kind == Kind::Max) {
    const FormulaResult<double> value = evaluate_node(*node, names);
    if (!value) return "";
    const Node* binding = nullptr;
    for (const NodePtr& child : node->children) {
      const FormulaResult<double> own = evaluate_node(*child, names);
      if (own && *own == *value) binding = child.get();
    }
    node = binding;
  }
  return print(*node);
}

std::set<std::string> Formula::names() const {
  std::set<std::string> names;
  collect_names(*root_, names);
  return names;
}

}  // namespace diskaudit
