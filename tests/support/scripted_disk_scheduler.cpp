#include "support/scripted_disk_scheduler.hpp"

#include <algorithm>
#include <cerrno>

// A request passes the caches, then the limits, then the service, and then waits for its answer's
// time. What happens inside happens at exact times and in their order, however late the caller
// asks.

namespace diskaudit {

void DiskScheduler::start(const Script& script, Nanoseconds now) {
  script_ = script;
  start_ = now;
  changes_made_ = 0;
  limits_ = DiskLimits(script, now);
  service_ = DiskService(script, now);
  read_cache_ = ReadCache(script.read_cache, script.size);
  write_cache_ = WriteCache(script.write_cache);
  is_started_ = true;
}

Result<void> DiskScheduler::change(std::string_view key, std::string_view value, Nanoseconds now) {
  advance(now);
  auto set = set_script(script_, key, value);
  if (!set) return set;
  limits_.change(script_, now);
  service_.change(script_);
  return {};
}

void DiskScheduler::stop(Nanoseconds now) {
  if (!is_started_) return;
  is_started_ = false;
  Answers all;
  for (; !answers_.empty(); answers_.pop()) {
    const auto& answer = answers_.top();
    all.push({answer.request, std::min(answer.due, now), answer.error});
  }
  for (const auto& request : write_cache_.take_waiting()) all.push({request, now, 0});
  for (const auto& request : limits_.take_all()) {
    if (!request.is_answered) all.push({request, now, 0});
  }
  answers_ = std::move(all);
}

void DiskScheduler::submit(const DiskRequest& request) {
  if (!is_started_ || request.direction > DiskDirection::Write) {
    answers_.push({request, request.arrival, 0});
    return;
  }
  const bool is_read = request.direction == DiskDirection::Read;
  if (read_cache_.touch(request) && is_read) {
    answers_.push({request, service_.after_stalls(request.arrival), 0});
  } else if (!is_read && write_cache_.is_on()) {
    write_cache_.push(request);
    admit_writes(request.arrival);
  } else {
    limits_.push(request);
  }
}

/// Accepted writes are answered now and written back in their turn.
void DiskScheduler::admit_writes(Nanoseconds now) {
  while (write_cache_.has_room()) {
    auto request = write_cache_.accept();
    answers_.push({request, service_.after_stalls(now), 0});
    request.is_answered = true;
    limits_.push(request);
  }
}

void DiskScheduler::pass_limits() {
  const auto now = *limits_.next_time();
  const auto request = limits_.pop();
  auto answer = service_.serve(request, now);
  if (!request.is_answered) {
    answers_.push(answer);
  } else {
    write_cache_.written_back(request.length);
    admit_writes(now);
  }
}

Nanoseconds DiskScheduler::next_change() const {
  if (!is_started_ || changes_made_ >= script_.changes.size()) return never;
  return start_ + static_cast<Nanoseconds>(script_.changes[changes_made_].at * 1e9);
}

void DiskScheduler::advance(Nanoseconds now) {
  while (true) {
    const auto passes = limits_.next_time().value_or(never);
    const auto changes = next_change();
    if (std::min(passes, changes) > now) return;
    if (passes < changes) {
      pass_limits();
    } else {
      const auto change = script_.changes[changes_made_++];
      // The script was checked when it was read.
      (void)set_script(script_, change.key, change.value);
      limits_.change(script_, changes);
      service_.change(script_);
    }
  }
}

std::optional<DiskAnswer> DiskScheduler::next_answer(Nanoseconds now) {
  advance(now);
  if (answers_.empty() || answers_.top().due > now) return std::nullopt;
  const auto answer = answers_.top();
  answers_.pop();
  return answer;
}

std::optional<Nanoseconds> DiskScheduler::next_event() const {
  auto next = std::min(limits_.next_time().value_or(never), next_change());
  if (!answers_.empty()) next = std::min(next, answers_.top().due);
  return next == never ? std::nullopt : std::optional(next);
}

}  // namespace diskaudit
