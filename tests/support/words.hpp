#pragma once
/// A command line in the making.

#include <string>
#include <vector>

namespace diskaudit {

using Words = std::vector<std::string>;

inline Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace diskaudit
