#pragma once
/// Whole outputs under tests/golden, to be read and approved as a diff.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "catch.hpp"

namespace diskaudit::test {

inline std::string golden_path(const std::string& name) {
  return std::string(SOURCE_FOLDER) + "/tests/golden/" + name;
}

inline std::string golden(const std::string& name) {
  std::ifstream file(golden_path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// With DISKAUDIT_WRITE_GOLDEN set, writes the file instead of comparing with it.
inline void check_golden(const std::string& name, const std::string& text) {
  if (std::getenv("DISKAUDIT_WRITE_GOLDEN")) {
    std::ofstream(golden_path(name), std::ios::binary) << text;
  }
  INFO("golden file " << name);
  CHECK(text == golden(name));
}

}  // namespace diskaudit::test
