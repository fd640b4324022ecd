#include "support/scripted_disk_service.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace diskaudit {
namespace {

Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

}  // namespace

DiskService::DiskService(const Script& script, Nanoseconds start)
    : script_(script), start_(start), random_(script.seed) {
  if (script.first_touch_latency > 0) {
    touched_.resize(script.size / script.first_touch_block + 1);
  }
}

double DiskService::latency_of(const DiskRequest& request) {
  if (script_.slow_share > 0 && std::bernoulli_distribution(script_.slow_share)(random_)) {
    return script_.slow_latency;
  }
  const double mean =
      request.direction == DiskDirection::Read ? script_.read_latency : script_.write_latency;
  if (mean <= 0) return 0;
  if (script_.latency_shape == "exponential") {
    return std::exponential_distribution(1 / mean)(random_);
  }
  if (script_.latency_shape == "lognormal") {
    // The mean of the distribution is exp(mu + sigma^2 / 2).
    const double sigma = script_.latency_spread;
    return std::lognormal_distribution(std::log(mean) - sigma * sigma / 2, sigma)(random_);
  }
  return mean;
}

double DiskService::first_touch(const DiskRequest& request) {
  if (touched_.empty()) return 0;
  const auto last = request.offset + std::max(request.length, 1u) - 1;
  double cost = 0;
  for (auto block = request.offset / script_.first_touch_block;
       block <= last / script_.first_touch_block; ++block) {
    if (touched_[block]) continue;
    touched_[block] = true;
    cost += script_.first_touch_latency;
  }
  return cost;
}

int DiskService::error_of(const DiskRequest& request) const {
  if (script_.error_every > 0 && count_ % script_.error_every == 0) return EIO;
  const char* direction = request.direction == DiskDirection::Read ? "read" : "write";
  const auto hit = [&](const Script::BadRange& range) {
    return (range.direction == "any" || range.direction == direction) &&
           request.offset < range.offset + range.length &&
           range.offset < request.offset + request.length;
  };
  return std::any_of(script_.bad_ranges.begin(), script_.bad_ranges.end(), hit) ? EIO : 0;
}

DiskAnswer DiskService::serve(const DiskRequest& request, Nanoseconds now) {
  ++count_;
  while (!inside_.empty() && inside_.top() <= now) inside_.pop();
  const double latency = latency_of(request) + first_touch(request) +
                         script_.latency_per_request * static_cast<double>(inside_.size());
  Nanoseconds begin = now;
  if (script_.servers > 0) {
    while (busy_.size() >= script_.servers) {
      begin = std::max(begin, busy_.top());
      busy_.pop();
    }
    busy_.push(begin + nanoseconds(latency));
  }
  const Nanoseconds due = begin + nanoseconds(latency);
  inside_.push(due);
  if (script_.hang > 0 && count_ == script_.hang) return {request, never, EIO};
  return {request, after_stalls(due), error_of(request)};
}

Nanoseconds DiskService::after_stalls(Nanoseconds due) const {
  for (const auto& stall : script_.stalls) {
    const Nanoseconds from = start_ + nanoseconds(stall.at);
    const Nanoseconds to = from + nanoseconds(stall.seconds);
    if (due >= from && due < to) due = to;
  }
  return due;
}

}  // namespace diskaudit
