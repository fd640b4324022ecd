// What a run came to, put together when it is over or given up on.

#include <algorithm>
#include <cerrno>

#include "runner/clock.hpp"
#include "runner/supervisor.hpp"

namespace diskaudit {

namespace {

constexpr std::size_t most_listed = 16;

}  // namespace

void Supervisor::list_overdue(std::uint64_t now, Measurement& measurement) const {
  std::vector<IoFault> list;
  for (std::size_t i = 0; i < run_.workers(); ++i) {
    for (const Slot& slot : run_.worker(i).slots) {
      const std::uint64_t submitted = slot.submitted.get();
      // While the window lasts, younger requests are under way as they should be.
      const bool expected = !give_up_at_ && submitted + patience_ns() > now;
      if (submitted == 0 || expected) continue;
      list.push_back({.at_seconds = seconds_of(submitted - started_),
                      .offset = slot.offset.get(),
                      .length = job_.scenario.block_size.value,
                      .error = ETIMEDOUT,
                      .age_seconds = seconds_of(now - submitted)});
    }
  }
  std::sort(list.begin(), list.end(),
            [](const IoFault& a, const IoFault& b) { return a.at_seconds < b.at_seconds; });
  if (list.size() > most_listed) list.resize(most_listed);
  measurement.faults.insert(measurement.faults.end(), list.begin(), list.end());
}

void Supervisor::list_faults(Measurement& measurement) const {
  std::vector<IoFault>& list = measurement.faults;
  for (std::size_t i = 0; i < run_.workers(); ++i) {
    const WorkerState& worker = run_.worker(i);
    for (unsigned fault = 0; fault < worker.fault_count.load(); ++fault) {
      const FaultNote& note = worker.faults[fault];
      list.push_back({.at_seconds = seconds_of(note.at.get() - started_),
                      .offset = note.offset.get(),
                      .length = job_.scenario.block_size.value,
                      .error = static_cast<int>(note.error.get())});
    }
  }
  std::sort(list.begin(), list.end(),
            [](const IoFault& a, const IoFault& b) { return a.at_seconds < b.at_seconds; });
  if (list.size() > most_listed) list.resize(most_listed);
}

void Supervisor::enter_worker_cost(ClientCost& client) const {
  double busiest = 0;
  for (std::size_t i = 0; i < run_.workers(); ++i) {
    const WorkerState& worker = run_.worker(i);
    const std::uint64_t wall = worker.cpu_last_at.get() - worker.cpu_first_at.get();
    const std::uint64_t cpu = worker.cpu_last.get() - worker.cpu_first.get();
    if (wall > 0) busiest = std::max(busiest, static_cast<double>(cpu) / static_cast<double>(wall));
    client.voluntary_switches += worker.voluntary_switches.get();
    client.involuntary_switches += worker.involuntary_switches.get();
  }
  client.busiest_worker_share = std::min(busiest, 1.0);
}

Result<Measurement> Supervisor::conclude(bool ended) {
  if (ended) {
    if (auto fine = check_workers(); !fine) return std::unexpected(fine.error());
  }
  const std::uint64_t now = now_ns();
  if (!opening_) opening_ = sample();
  if (!closing_) closing_ = sample();
  const Window& window = run_.window();
  // Afresh: a worker may have been kept from booking a bin that the live view had merged already.
  Summary summary = make_summary();
  Measurement measurement = summary.update(complete_bins(window, now));
  latencies_.look(measurement.seconds, summary.latencies());
  measurement.latency_map = latencies_.map();
  list_faults(measurement);
  measurement.hung = !ended;
  if (!ended) list_overdue(now, measurement);
  measurement.interrupted = interrupted_;
  measurement.voids = voids_;
  enter_difference(*opening_, *closing_, options_.device, measurement);
  look(now, read_disk_stat(options_.root, options_.device));
  measurement.witness.log = log_of(looks_, window.begin.load());
  enter_worker_cost(measurement.client);
  measurement.window_begin_ns = window.begin.load();
  measurement.window_end_ns =
      measurement.window_begin_ns + measurement.all.series.ios.size() * bin_ns;
  if (!ended) process_.kill();
  return measurement;
}

}  // namespace diskaudit
