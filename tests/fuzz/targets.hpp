#pragma once
/// What anybody may hand to the program, as a fuzzer's targets. Each takes such input and aborts
/// where a promise about it does not hold; fuzz_test.cpp replays the corpus in every build.

#include <string_view>

namespace diskaudit::fuzz {

void formula(std::string_view input);

/// A profile's YAML.
void profile(std::string_view input);

/// Limits of a private cloud, in each format that can be imported.
void importer(std::string_view input);

/// A record, or changes to a good one: an object of JSON pointers and values.
void record(std::string_view input);

/// Aborts, saying which promise is broken.
void require(bool holds, std::string_view promise);

/// That a terminal and a CI server take the text for text: no control characters, no commands.
void require_harmless(std::string_view text);

}  // namespace diskaudit::fuzz
