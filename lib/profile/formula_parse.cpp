#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "profile/formula_node.hpp"
#include "profile/nearest.hpp"

// Recursive descent over
//   sum     = product (("+" | "-") product)*
//   product = factor (("*" | "/") factor)*
//   factor  = number | name | function "(" sum ("," sum)* ")" | "(" sum ")"
// The nesting limit keeps the recursion, here and in every walk over the tree, off the stack's end.

namespace diskaudit {
namespace {

using Node = Formula::Node;
using NodePtr = std::shared_ptr<const Node>;
using Kind = Node::Kind;

constexpr int nesting_limit = 32;
constexpr std::size_t length_limit = 1024;

struct Function {
  std::string_view name;
  Kind kind;
};
constexpr std::array<Function, 4> functions = {{
    {"min", Kind::Min},
    {"max", Kind::Max},
    {"ceil", Kind::Ceil},
    {"floor", Kind::Floor},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  FormulaResult<NodePtr> parse() {
    if (text_.size() > length_limit)
      return fault(fmt::format("formula is longer than {} characters", length_limit));
    FormulaResult<NodePtr> root = sum();
    if (!root) return root;
    if (peek() != '\0') return fault(fmt::format("unexpected '{}' in formula", next_character()));
    return root;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  /// The whole UTF-8 character at this place.
  std::string_view next_character() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return text_.substr(at_, end - at_);
  }

  std::unexpected<FormulaError> fault(std::string what) const {
    return std::unexpected(FormulaError{at_ + 1, std::move(what)});
  }

  FormulaResult<NodePtr> chain(FormulaResult<NodePtr> (Parser::*operand)(), char first, Kind kind1,
                               char second, Kind kind2) {
    FormulaResult<NodePtr> left = (this->*operand)();
    if (!left) return left;
    // A chain leans to the left, so its length is depth too; the length limit of the text bounds
    // it.
    while (peek() == first || peek() == second) {
      Node node{.kind = peek() == first ? kind1 : kind2, .column = at_ + 1};
      ++at_;
      FormulaResult<NodePtr> right = (this->*operand)();
      if (!right) return right;
      node.children = {std::move(*left), std::move(*right)};
      left = std::make_shared<const Node>(std::move(node));
    }
    return left;
  }

  FormulaResult<NodePtr> sum() {
    if (++depth_ > nesting_limit)
      return fault(fmt::format("formula is nested deeper than {} levels", nesting_limit));
    FormulaResult<NodePtr> result = chain(&Parser::product, '+', Kind::Add, '-', Kind::Subtract);
    --depth_;
    return result;
  }

  FormulaResult<NodePtr> product() {
    return chain(&Parser::factor, '*', Kind::Multiply, '/', Kind::Divide);
  }

  FormulaResult<NodePtr> factor() {
    const char c = peek();
    if (c == '\0') return fault("formula ends where a number, a name or '(' is expected");
    if (c == '(') return parenthesised();
    if (is_digit(c) || c == '.') return number();
    if (is_name_start(c)) return name();
    return fault(fmt::format("unexpected '{}' in formula; expected a number, a name or '('",
                             next_character()));
  }

  FormulaResult<NodePtr> parenthesised() {
    ++at_;
    FormulaResult<NodePtr> inner = sum();
    if (!inner) return inner;
    if (peek() != ')') return fault("missing ')' in formula");
    ++at_;
    return inner;
  }

  FormulaResult<NodePtr> number() {
    Node node{.column = at_ + 1};
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), node.number);
    if (error == std::errc::invalid_argument) return fault("'.' is no number");
    if (error != std::errc() || !std::isfinite(node.number)) return fault("number is out of range");
    const std::size_t start = at_;
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && (is_name_start(text_[at_]) || text_[at_] == '.')) {
      at_ = start;
      return fault("a number must be followed by an operator; write 8*gib, not 8gib");
    }
    return std::make_shared<const Node>(std::move(node));
  }

  FormulaResult<NodePtr> name() {
    const std::size_t start = at_;
    const auto is_column = [&] {  // table.column
      return text_[at_] == '.' && at_ + 1 < text_.size() && is_name_start(text_[at_ + 1]);
    };
    while (at_ < text_.size() && (is_name_start(text_[at_]) || is_digit(text_[at_]) || is_column()))
      ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    const bool called = peek() == '(';
    for (const Function& function : functions) {
      if (function.name == word) return call(function, start);
    }
    if (called) {
      at_ = start;
      const std::string known[] = {"min", "max", "ceil", "floor"};
      return fault(
          fmt::format("unknown function '{}' in formula{}", word, did_you_mean(word, known)));
    }
    return std::make_shared<const Node>(
        Node{.kind = Kind::Name, .name = std::string(word), .column = start + 1});
  }

  FormulaResult<NodePtr> call(const Function& function, std::size_t start) {
    if (peek() != '(') return fault(fmt::format("'{}' must be followed by '('", function.name));
    Node node{.kind = function.kind, .column = start + 1};
    do {
      ++at_;
      FormulaResult<NodePtr> argument = sum();
      if (!argument) return argument;
      node.children.push_back(std::move(*argument));
    } while (peek() == ',');
    if (peek() != ')') return fault("missing ')' in formula");
    const bool takes_one = function.kind == Kind::Ceil || function.kind == Kind::Floor;
    if (takes_one != (node.children.size() == 1)) {
      at_ = start;
      return fault(fmt::format("'{}' takes {}", function.name,
                               takes_one ? "one argument" : "two or more arguments"));
    }
    ++at_;
    return std::make_shared<const Node>(std::move(node));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

FormulaResult<Formula> Formula::parse(std::string_view text) {
  FormulaResult<NodePtr> root = Parser(text).parse();
  if (!root) return std::unexpected(root.error());
  Formula formula;
  formula.text_ = text;
  formula.root_ = std::move(*root);
  return formula;
}

Formula constant_formula(double value) {
  const double held = std::clamp(value, 0.0, std::numeric_limits<double>::max());
  return *Formula::parse(fmt::format("{}", held));
}

}  // namespace diskaudit
