#pragma once
/// What the series and the counts show beside the rate: findings that a report can put into words.

#include "judge/judge.hpp"
#include "judge/rate.hpp"

namespace diskaudit {

/// Steps, slopes, stalls, spread and what of the window counts; flag "unstable" where seconds
/// differ by more than a level explains.
void note_shape(const Job& job, const Measurement& measurement, const Rate& rate, Verdict& verdict);

/// What became of the first minute's rate by the last minute of a long window; stated once.
void note_decline(const Rate& rate, Verdict& verdict);

/// Foreign I/O, requests split, latencies that cannot be.
void note_counts(const Job& job, const Measurement& measurement, Verdict& verdict);

/// Whether it began at a level that passes and fell from it.
bool is_burst_ended(const Rate& rate);

/// The share of seconds at or above the threshold, with the bound that so many seconds prove; and
/// what it would take to show what the vendor promises of the time.
void state_availability(const Rate& rate, std::optional<double> promised_time_percent,
                        Verdict& verdict);

/// How many seconds without a bad one prove a share of good ones with `confidence`.
double seconds_to_prove(double share, double confidence);

/// The least share that `good` of `all` independent trials prove with `confidence` (Clopper and
/// Pearson, one-sided).
double proven_share(unsigned good, unsigned all, double confidence);

}  // namespace diskaudit
