#include "support/scripted_disk_bucket.hpp"

#include <algorithm>
#include <cmath>

namespace diskaudit {

TokenBucket::TokenBucket(double rate, double capacity, double level, Nanoseconds period,
                         Nanoseconds now)
    : rate_(rate), capacity_(capacity), level_(level), period_(period), time_(now) {}

Nanoseconds TokenBucket::earliest(double tokens, Nanoseconds now) const {
  if (is_unlimited()) return now;
  const double missing = std::min(tokens, capacity_) - level_;
  if (missing <= 0) return std::max(now, time_);
  if (period_ > 0) {
    const double portion = rate_ * static_cast<double>(period_) * 1e-9;
    return std::max(now, time_ + static_cast<Nanoseconds>(std::ceil(missing / portion)) * period_);
  }
  // Rounded up: never a token too early; the fraction of a nanosecond stays in the level.
  return std::max(now, time_ + static_cast<Nanoseconds>(missing / rate_ * 1e9) + 1);
}

void TokenBucket::take(double tokens, Nanoseconds now) {
  if (is_unlimited()) return;
  refill(now);
  level_ -= tokens;
}

void TokenBucket::change(double rate, double capacity, Nanoseconds now) {
  if (is_unlimited()) {
    level_ = capacity;
    time_ = now;
  }
  refill(now);
  rate_ = rate;
  capacity_ = capacity;
  level_ = std::min(level_, capacity);
}

void TokenBucket::refill(Nanoseconds now) {
  if (now <= time_) return;
  const Nanoseconds passed = period_ > 0 ? (now - time_) / period_ * period_ : now - time_;
  level_ = std::min(capacity_, level_ + static_cast<double>(passed) * 1e-9 * rate_);
  time_ += passed;
}

}  // namespace diskaudit
