#include "support/scripted_disk_scheduler.hpp"

#include <algorithm>

// Requests wait in one queue for each direction. The head of a queue passes at the exact moment at
// which all limits that hold for it have tokens, whenever the caller happens to ask: a server that
// wakes late answers late once, but the schedule does not drift. Heads pass in the order of time,
// which is what makes a limit on both directions together fair.

namespace diskaudit {
namespace {

constexpr size_t together = 2;

}  // namespace

void DiskScheduler::start(const Script& script, Nanoseconds now) {
  script_ = script;
  const auto bucket = [&](double rate) { return TokenBucket(rate, rate * script.bucket, now); };
  iops_ = {bucket(script.read_iops), bucket(script.write_iops), bucket(script.total_iops)};
  bytes_ = {bucket(script.read_bytes), bucket(script.write_bytes), bucket(script.total_bytes)};
  released_ = now;
  started_ = true;
}

void DiskScheduler::stop(Nanoseconds now) {
  started_ = false;
  for (auto& queue : waiting_) {
    for (const auto& request : queue) answers_.push({request, now, 0});
    queue.clear();
  }
}

void DiskScheduler::submit(const DiskRequest& request) {
  if (!started_ || request.direction > DiskDirection::Write) {
    answers_.push({request, request.arrival, 0});
  } else {
    waiting_[static_cast<size_t>(request.direction)].push_back(request);
  }
}

std::optional<DiskScheduler::Head> DiskScheduler::next_head() const {
  std::optional<Head> next;
  for (size_t direction = 0; direction < waiting_.size(); ++direction) {
    if (waiting_[direction].empty()) continue;
    const auto& request = waiting_[direction].front();
    Nanoseconds time = std::max(request.arrival, released_);
    for (size_t limit : {direction, together}) {
      time = std::max(time, iops_[limit].earliest(1, time));
      time = std::max(time, bytes_[limit].earliest(request.length, time));
    }
    const bool is_first =
        !next || time < next->time ||
        (time == next->time && request.arrival < waiting_[next->direction].front().arrival);
    if (is_first) next = Head{direction, time};
  }
  return next;
}

void DiskScheduler::release(const Head& head) {
  const auto request = waiting_[head.direction].front();
  waiting_[head.direction].pop_front();
  for (size_t limit : {head.direction, together}) {
    iops_[limit].take(1, head.time);
    bytes_[limit].take(request.length, head.time);
  }
  released_ = head.time;
  answers_.push({request, head.time, 0});
}

void DiskScheduler::advance(Nanoseconds now) {
  while (const auto head = next_head()) {
    if (head->time > now) return;
    release(*head);
  }
}

std::optional<DiskAnswer> DiskScheduler::next_answer(Nanoseconds now) {
  advance(now);
  if (answers_.empty() || answers_.top().due > now) return std::nullopt;
  const auto answer = answers_.top();
  answers_.pop();
  return answer;
}

std::optional<Nanoseconds> DiskScheduler::next_event() {
  std::optional<Nanoseconds> next;
  if (const auto head = next_head()) next = head->time;
  if (!answers_.empty()) next = std::min(next.value_or(answers_.top().due), answers_.top().due);
  return next;
}

}  // namespace diskaudit
