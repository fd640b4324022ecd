#pragma once
/// One limit of a scripted disk: token buckets in a time that the caller supplies.

#include <cstdint>

namespace diskaudit {

using Nanoseconds = std::int64_t;

/// A request may take its tokens once they are there, or once the bucket is full when it asks for
/// more than the bucket holds; the level then falls below zero, so that the rate stays exact.
class TokenBucket {
 public:
  TokenBucket() = default;  ///< no limit
  /// Starts with `level`; with a `period`, tokens come in portions at its multiples from `now` on.
  TokenBucket(double rate, double capacity, double level, Nanoseconds period, Nanoseconds now);

  /// The first moment, not before `now`, at which `tokens` can be taken.
  Nanoseconds earliest(double tokens, Nanoseconds now) const;
  void take(double tokens, Nanoseconds now);
  /// A new rate from `now` on; what has gathered so far stays, as far as it fits.
  void change(double rate, double capacity, Nanoseconds now);

 private:
  bool is_unlimited() const { return rate_ <= 0; }
  void refill(Nanoseconds now);

  double rate_ = 0;
  double capacity_ = 0;
  double level_ = 0;
  Nanoseconds period_ = 0;
  Nanoseconds time_ = 0;  ///< up to when the level counts what came
};

/// A sustained rate and, while credit for more lasts, a peak rate.
struct RateLimit {
  TokenBucket sustained, peak;

  Nanoseconds earliest(double tokens, Nanoseconds now) const {
    return peak.earliest(tokens, sustained.earliest(tokens, now));
  }
  void take(double tokens, Nanoseconds now) {
    sustained.take(tokens, now);
    peak.take(tokens, now);
  }
};

}  // namespace diskaudit
