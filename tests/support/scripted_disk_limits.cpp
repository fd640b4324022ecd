#include "support/scripted_disk_limits.hpp"

#include <algorithm>

// The head of a queue passes at the exact moment at which all limits that hold for it have tokens,
// whenever the caller happens to ask: a server that wakes late answers late once, but the schedule
// does not drift. Heads pass in the order of time, which is what makes a limit on both directions
// together fair.

namespace diskaudit {
namespace {

constexpr size_t together = 2;

Nanoseconds nanoseconds(double seconds) { return static_cast<Nanoseconds>(seconds * 1e9); }

/// A portion that did not fit would be lost, and with it the rate.
double capacity_of(const Script& script, double rate) {
  return rate * std::max(script.bucket, script.refill);
}

double credit_of(const Script& script, double rate) {
  return rate * (script.burst - 1) * script.burst_seconds;
}

RateLimit make_limit(const Script& script, double rate, Nanoseconds now) {
  if (rate <= 0) return {};
  const auto period = nanoseconds(script.refill);
  if (script.burst <= 1) {
    const double capacity = capacity_of(script, rate);
    return {TokenBucket(rate, capacity, capacity * script.fill, period, now), {}};
  }
  const double credit = credit_of(script, rate), peak = rate * script.burst;
  return {TokenBucket(rate, credit, credit * script.fill, period, now),
          TokenBucket(peak, peak * script.bucket, peak * script.bucket, 0, now)};
}

void change_limit(RateLimit& limit, const Script& script, double rate, Nanoseconds now) {
  if (script.burst <= 1) {
    limit.sustained.change(rate, capacity_of(script, rate), now);
    limit.peak = {};
  } else {
    limit.sustained.change(rate, credit_of(script, rate), now);
    limit.peak.change(rate * script.burst, rate * script.burst * script.bucket, now);
  }
}

std::array<double, 3> iops_of(const Script& script) {
  return {script.read_iops, script.write_iops, script.total_iops};
}

std::array<double, 3> bytes_of(const Script& script) {
  return {script.read_bytes, script.write_bytes, script.total_bytes};
}

}  // namespace

DiskLimits::DiskLimits(const Script& script, Nanoseconds now) : passed_(now) {
  for (size_t i = 0; i < iops_.size(); ++i) {
    iops_[i] = make_limit(script, iops_of(script)[i], now);
    bytes_[i] = make_limit(script, bytes_of(script)[i], now);
  }
}

void DiskLimits::change(const Script& script, Nanoseconds now) {
  for (size_t i = 0; i < iops_.size(); ++i) {
    change_limit(iops_[i], script, iops_of(script)[i], now);
    change_limit(bytes_[i], script, bytes_of(script)[i], now);
  }
  passed_ = std::max(passed_, now);
}

void DiskLimits::push(const DiskRequest& request) {
  waiting_[static_cast<size_t>(request.direction)].push_back(request);
}

std::optional<DiskLimits::Head> DiskLimits::next_head() const {
  std::optional<Head> next;
  for (size_t direction = 0; direction < waiting_.size(); ++direction) {
    if (waiting_[direction].empty()) continue;
    const auto& request = waiting_[direction].front();
    Nanoseconds time = std::max(request.arrival, passed_);
    for (size_t limit : {direction, together}) {
      time = iops_[limit].earliest(1, time);
      time = bytes_[limit].earliest(request.length, time);
    }
    const bool is_first =
        !next || time < next->time ||
        (time == next->time && request.arrival < waiting_[next->direction].front().arrival);
    if (is_first) next = Head{direction, time};
  }
  return next;
}

std::optional<Nanoseconds> DiskLimits::next_time() const {
  const auto head = next_head();
  return head ? std::optional(head->time) : std::nullopt;
}

DiskRequest DiskLimits::pop() {
  const auto head = *next_head();
  const auto request = waiting_[head.direction].front();
  waiting_[head.direction].pop_front();
  for (size_t limit : {head.direction, together}) {
    iops_[limit].take(1, head.time);
    bytes_[limit].take(request.length, head.time);
  }
  passed_ = head.time;
  return request;
}

std::vector<DiskRequest> DiskLimits::take_all() {
  std::vector<DiskRequest> all;
  for (auto& queue : waiting_) {
    all.insert(all.end(), queue.begin(), queue.end());
    queue.clear();
  }
  return all;
}

}  // namespace diskaudit
