#pragma once
/// The tree that a formula is parsed into; shared by the parts of the formula module only.

#include <memory>
#include <string>
#include <vector>

#include "profile/formula.hpp"

namespace diskaudit {

struct Formula::Node {
  enum class Kind { Number, Name, Add, Subtract, Multiply, Divide, Min, Max, Ceil, Floor };

  Kind kind = Kind::Number;
  double number = 0;
  std::string name{};
  std::vector<std::shared_ptr<const Node>> children{};
  std::size_t column = 1;  ///< where it stands in the text: of an operator, the sign itself
};

inline bool is_call(Formula::Node::Kind kind) { return kind >= Formula::Node::Kind::Min; }

}  // namespace diskaudit
