#pragma once
/// The sentences that a record keeps in English and a report says in the reader's language.

#include <algorithm>
#include <span>

#include "report/phrase.hpp"

namespace diskaudit {

/// `inner` has a bit for each place that holds sentences of these tables itself: {0} is 1, {1} is
/// 2, …
struct SentenceRow {
  Phrase phrase;
  int inner = 0;
};

constexpr int most_places = 4;

std::span<const SentenceRow> note_rows();     ///< notes and what went wrong on the way
std::span<const SentenceRow> guard_rows();    ///< what the guard found, and what to do about it
std::span<const SentenceRow> refusal_rows();  ///< why nothing was measured
std::span<const SentenceRow> system_rows();   ///< the system's own words for its errors

constexpr bool is_complete(std::span<const SentenceRow> rows) {
  return std::ranges::all_of(rows, [](const SentenceRow& row) {
    const int all = places(row.phrase.en);
    return is_complete(row.phrase) && all == places(row.phrase.zh) && all < 1 << most_places &&
           (row.inner & ~all) == 0;
  });
}

}  // namespace diskaudit
