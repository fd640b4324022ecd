#pragma once
/// What is said to people in each language, with a check that nothing of it is missing.

#include <string_view>

#include "text.hpp"

namespace diskaudit {

/// A message in both languages; {0}, {1}, … stand for what differs.
struct Phrase {
  std::string_view en;
  std::string_view zh;

  constexpr std::string_view in(Language language) const {
    return language == Language::Chinese ? zh : en;
  }
};

/// The places of a phrase as bits: {0} is 1, {1} is 2, …; -1 for a brace that is no place.
constexpr int places(std::string_view text) {
  int bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}') return -1;
    if (text[i] != '{') continue;
    if (i + 2 >= text.size() || text[i + 1] < '0' || text[i + 1] > '9' || text[i + 2] != '}') {
      return -1;
    }
    bits |= 1 << (text[i + 1] - '0');
    i += 2;
  }
  return bits;
}

constexpr bool is_complete(const Phrase& phrase) {
  return !phrase.en.empty() && !phrase.zh.empty() && places(phrase.en) >= 0;
}

}  // namespace diskaudit
