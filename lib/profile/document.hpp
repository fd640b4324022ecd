#pragma once
/// A small, safe tree of what a YAML file (or the same data as JSON) says, with places for errors.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"

namespace diskaudit {

/// A scalar, a sequence or a mapping. Anchors, aliases, tags and merge keys do not get this far.
struct Document {
  enum class Kind { Scalar, Sequence, Mapping };

  Kind kind = Kind::Scalar;
  std::string text{};                                       ///< of a scalar
  bool quoted = false;                                      ///< a quoted scalar is never a number
  std::vector<Document> items{};                            ///< of a sequence
  std::vector<std::pair<std::string, Document>> members{};  ///< of a mapping, in file order
  std::size_t line = 0;                                     ///< from 1; 0 when it came from JSON
  std::size_t column = 0;                                   ///< in characters, from 1
  std::size_t key_line = 0;                                 ///< where the key of a member stands
  std::size_t key_column = 0;

  const Document* find(std::string_view key) const;
};

/// Limits: 64 KiB, 8 levels, 4 KiB a string; duplicate keys are errors. `file` stands in messages.
Result<Document> parse_yaml(std::string_view text, const std::string& file);

}  // namespace diskaudit
