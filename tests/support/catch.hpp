#pragma once
/// Catch2 in either of the versions that distributions ship.

#include <cstdio>
#include <cstdlib>
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
/// As version 3 calls it.
inline auto ContainsSubstring(const std::string& part) { return Catch::Matchers::Contains(part); }
#endif

/// Ends this test's process as skipped. Each test runs in a process of its own.
[[noreturn]] inline void skip(const std::string& reason) {
  std::printf("skipped: %s\n", reason.c_str());
  std::fflush(stdout);
  std::_Exit(77);
}
