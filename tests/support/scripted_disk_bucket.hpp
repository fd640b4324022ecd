#pragma once
/// One limit of a scripted disk: a token bucket in a time that the caller supplies.

#include <algorithm>
#include <cstdint>

namespace diskaudit {

using Nanoseconds = std::int64_t;

/// A request may take its tokens once they are there, or once the bucket is full when it asks for
/// more than the bucket holds; the level then falls below zero, so that the rate stays exact.
class TokenBucket {
 public:
  TokenBucket() = default;
  TokenBucket(double rate, double capacity, Nanoseconds now)
      : rate_(rate), capacity_(capacity), level_(capacity), time_(now) {}

  bool is_unlimited() const { return rate_ <= 0; }

  /// The first moment, not before `now`, at which `tokens` can be taken.
  Nanoseconds earliest(double tokens, Nanoseconds now) const {
    if (is_unlimited()) return now;
    const double missing = std::min(tokens, capacity_) - level_;
    if (missing <= 0) return std::max(now, time_);
    // Rounded up: never a token too early; the fraction of a nanosecond stays in the level.
    return std::max(now, time_ + static_cast<Nanoseconds>(missing / rate_ * 1e9) + 1);
  }

  void take(double tokens, Nanoseconds now) {
    if (is_unlimited()) return;
    refill(now);
    level_ -= tokens;
  }

  /// A new rate from `now` on; what has gathered so far stays, as far as it fits.
  void change(double rate, double capacity, Nanoseconds now) {
    if (is_unlimited()) level_ = capacity;
    refill(now);
    rate_ = rate;
    capacity_ = capacity;
    level_ = std::min(level_, capacity);
  }

 private:
  void refill(Nanoseconds now) {
    if (now <= time_) return;
    level_ = std::min(capacity_, level_ + static_cast<double>(now - time_) * 1e-9 * rate_);
    time_ = now;
  }

  double rate_ = 0;
  double capacity_ = 0;
  double level_ = 0;
  Nanoseconds time_ = 0;
};

}  // namespace diskaudit
