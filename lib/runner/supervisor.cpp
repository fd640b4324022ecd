#include "runner/supervisor.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "runner/clock.hpp"

namespace diskaudit {

namespace {

constexpr std::uint64_t tick_ns = 100'000'000;
// Ticks look a little after the edge of a bin, when the workers have booked what belongs in it.
constexpr std::uint64_t tick_phase = 10'000'000;
constexpr std::uint64_t patience_after_signal = 5 * second_ns;
constexpr std::uint64_t most_looks = 300;

/// A disk that has returned nothing but errors for a second has nothing more to tell.
bool is_broken(const Series& series) {
  constexpr std::ptrdiff_t second = second_ns / bin_ns;
  if (std::ssize(series.errors) < second) return false;
  const auto last = [](const std::vector<std::uint64_t>& column) {
    return std::accumulate(column.end() - second, column.end(), std::uint64_t{0});
  };
  return last(series.ios) == 0 && last(series.errors) > 0;
}

}  // namespace

Supervisor::Supervisor(const Job& job, const RunnerOptions& options, const Watch& watch,
                       SharedRun& run, WorkerProcess& process, std::uint64_t longest_window)
    : job_(job),
      options_(options),
      watch_(watch),
      run_(run),
      process_(process),
      longest_window_(longest_window),
      so_far_(make_summary()) {}

Summary Supervisor::make_summary() const {
  return {run_.window(), run_.recorders(), job_.scenario.block_size.value,
          job_.scenario.direction == Direction::Mixed};
}

Result<Measurement> Supervisor::supervise() {
  if (auto ready = await_workers(); !ready) return std::unexpected(ready.error());
  Window& window = run_.window();
  started_ = now_ns();
  look(started_, read_disk_stat(options_.root, options_.device));
  const std::uint64_t begin = started_ + static_cast<std::uint64_t>(job_.ramp_seconds * 1e9);
  window.end = begin + longest_window_;
  window.begin = begin;
  last_tick_ = Clocks::read();
  awake_since_ = last_tick_.monotonic;
  while (!process_.wait_until(next_wakeup(now_ns()))) {
    tick();
    const std::uint64_t now = last_tick_.monotonic;
    if (has_overdue_request(now) || (give_up_at_ && now >= *give_up_at_)) return conclude(false);
  }
  // A standstill may have outlasted the window.
  note_void(Clocks::read());
  return conclude(true);
}

Result<void> Supervisor::await_workers() {
  const auto ready = [this] {
    for (std::size_t i = 0; i < run_.workers(); ++i) {
      if (run_.worker(i).stage.load() == Stage::Starting) return false;
    }
    return true;
  };
  while (!ready()) {
    if (process_.wait_until(now_ns() + 1'000'000)) break;
  }
  return check_workers();
}

Result<void> Supervisor::check_workers() {
  for (std::size_t i = 0; i < run_.workers(); ++i) {
    const WorkerState& worker = run_.worker(i);
    if (worker.stage.load() != Stage::Failed) continue;
    return refusal(fmt::format("cannot {} for {}: {}", worker.failed_step.load(),
                               job_.scenario.name, std::strerror(worker.failure.load())));
  }
  const std::optional<int> status = process_.status();
  if (!status || (WIFEXITED(*status) && WEXITSTATUS(*status) == 0)) return {};
  return refusal(WIFSIGNALED(*status)
                     ? fmt::format("cannot measure {}: the worker process was ended by signal {}",
                                   job_.scenario.name, WTERMSIG(*status))
                     : fmt::format("cannot measure {}: the worker process ended with status {}",
                                   job_.scenario.name, WEXITSTATUS(*status)));
}

std::uint64_t Supervisor::next_wakeup(std::uint64_t now) const {
  const std::uint64_t begin = run_.window().begin.load();
  const std::uint64_t end = run_.window().end.load();
  const std::uint64_t into_tick = (now + tick_ns - begin % tick_ns - tick_phase) % tick_ns;
  std::uint64_t next = now + tick_ns - into_tick;
  if (!opening_ && begin > now) next = std::min(next, begin);
  if (!closing_ && end > now) next = std::min(next, end);
  return next;
}

Sample Supervisor::sample() {
  Sample sample = take_sample(options_.root, options_.device);
  sample.cpu_ns += process_.cpu_ns();
  look(sample.at_ns, sample.disk);
  return sample;
}

void Supervisor::look(std::uint64_t now, const DiskStat& disk) {
  looks_.push_back({now, disk});
  const Window& window = run_.window();
  if (window.holds(now)) latencies_.look(seconds_of(now - window.begin), so_far_.latencies());
}

// The workers begin on time even when this loop is woken late, and the disk has counted since.
void Supervisor::open_window() {
  const Look before = looks_.back();
  opening_ = sample();
  const Look begin =
      look_between(before, {opening_->at_ns, opening_->disk}, run_.window().begin.load());
  opening_->at_ns = begin.at_ns;
  opening_->disk = begin.disk;
  looks_.back() = begin;
}

// Every second, and less often in a run of hours.
bool Supervisor::is_look_due(std::uint64_t now) const {
  const std::uint64_t last = looks_.back().at_ns;
  return now + tick_ns / 2 >= last + std::max(second_ns, (now - started_) / most_looks);
}

void Supervisor::tick() {
  const Clocks clocks = Clocks::read();
  const std::uint64_t now = clocks.monotonic;
  const Window& window = run_.window();
  if (!opening_ && now >= window.begin.load()) open_window();
  if (!closing_ && now >= window.end.load()) closing_ = sample();
  if (is_look_due(now)) look(now, read_disk_stat(options_.root, options_.device));
  note_void(clocks);
  nudge_waiting(now);
  obey_signal(now);
  if (now < window.end.load()) show(now);
}

// The workers' requests outlast a standstill, so only this loop, which waits for no disk, can tell
// one from a stall: it was to wake within a tenth of a second.
void Supervisor::note_void(const Clocks& now) {
  const Clocks before = std::exchange(last_tick_, now);
  const char* cause = standstill(before, now, tick_ns);
  if (cause == nullptr) return;
  awake_since_ = now.monotonic;
  const std::uint64_t begin = run_.window().begin.load();
  const std::uint64_t end = run_.window().end.load();
  // What came back meanwhile is booked in the tick after.
  const std::uint64_t from = std::clamp(before.monotonic, begin, std::max(begin, end));
  const std::uint64_t to = std::clamp(now.monotonic + tick_ns, begin, std::max(begin, end));
  if (to > from) voids_.push_back({seconds_of(from - begin), seconds_of(to - begin), cause});
}

// A worker waits for a batch without a timer, which would cost it some percent of its CPU time.
// When the disk has become so slow that the batch does not fill, it is made to look what is there.
void Supervisor::nudge_waiting(std::uint64_t now) const {
  for (std::size_t i = 0; i < run_.workers(); ++i) {
    const WorkerState& worker = run_.worker(i);
    if (worker.stage.load() == Stage::Ready && now > worker.looked.get() + tick_ns) {
      process_.nudge(static_cast<pid_t>(worker.thread.get()));
    }
  }
}

void Supervisor::obey_signal(std::uint64_t now) {
  if (give_up_at_ || options_.signal == nullptr || options_.signal->load() == 0) return;
  give_up_at_ = now + patience_after_signal;
  if (now >= run_.window().end.load()) return;  // it only drains: the window is whole
  interrupted_ = true;
  end_window_soon(now);
}

void Supervisor::show(std::uint64_t now) {
  const Measurement& so_far = so_far_.update(complete_bins(run_.window(), now));
  const bool enough = watch_ && watch_(so_far);
  if ((enough && so_far.seconds > 0) || is_broken(so_far.all.series)) end_window_soon(now_ns());
}

void Supervisor::end_window_soon(std::uint64_t now) {
  Window& window = run_.window();
  const std::uint64_t begin = window.begin.load();
  if (now < begin) {
    window.end = now;  // nothing was measured
    return;
  }
  // Ahead of every stamp that a worker may have taken by now.
  const std::uint64_t edge = begin + (now + bin_ns / 4 - begin + bin_ns - 1) / bin_ns * bin_ns;
  if (edge < window.end.load()) window.end = edge;
}

std::uint64_t Supervisor::patience_ns() const {
  return static_cast<std::uint64_t>(options_.patience_seconds * 1e9);
}

bool Supervisor::has_overdue_request(std::uint64_t now) const {
  for (std::size_t i = 0; i < run_.workers(); ++i) {
    for (const Slot& slot : run_.worker(i).slots) {
      const std::uint64_t submitted = slot.submitted.get();
      if (submitted == 0) continue;
      // A standstill of ours is no fault of the disk's.
      const std::uint64_t since = std::max(submitted, awake_since_);
      if (now > since && now - since > patience_ns()) return true;
    }
  }
  return false;
}

}  // namespace diskaudit
