#pragma once
/// Watches over one run from outside: opens and closes the window, samples the witness, tells
/// suspension from stalls, and gives up on requests that never return.

#include <cstdint>
#include <optional>
#include <vector>

#include "measure/latency_map.hpp"
#include "measure/summary.hpp"
#include "runner/runner.hpp"
#include "runner/shared_run.hpp"
#include "runner/standstill.hpp"
#include "runner/witness.hpp"
#include "runner/worker_process.hpp"

namespace diskaudit {

class Supervisor {
 public:
  /// `longest_window` in nanoseconds, a multiple of bin_ns.
  Supervisor(const Job& job, const RunnerOptions& options, const Watch& watch, SharedRun& run,
             WorkerProcess& process, std::uint64_t longest_window);

  Result<Measurement> supervise();

 private:
  Summary make_summary() const;
  Result<void> await_workers();
  void tick();
  void note_void(const Clocks& now);
  void nudge_waiting(std::uint64_t now) const;
  void obey_signal(std::uint64_t now);
  void show(std::uint64_t now);
  void end_window_soon(std::uint64_t now);
  std::uint64_t patience_ns() const;
  bool has_overdue_request(std::uint64_t now) const;
  void list_overdue(std::uint64_t now, Measurement& measurement) const;
  void list_faults(Measurement& measurement) const;
  std::uint64_t next_wakeup(std::uint64_t now) const;
  Sample sample();
  void open_window();
  void look(std::uint64_t now, const DiskStat& disk);
  bool is_look_due(std::uint64_t now) const;
  Result<Measurement> conclude(bool ended);
  Result<void> check_workers();
  void enter_worker_cost(ClientCost& client) const;

  const Job& job_;
  const RunnerOptions& options_;
  const Watch& watch_;
  SharedRun& run_;
  WorkerProcess& process_;
  std::uint64_t longest_window_;
  Summary so_far_;
  std::uint64_t started_ = 0;
  Clocks last_tick_{};
  std::uint64_t awake_since_ = 0;
  std::optional<std::uint64_t> give_up_at_{};  ///< set by a signal
  std::optional<Sample> opening_{};
  std::optional<Sample> closing_{};
  std::vector<Look> looks_{};
  LatencyLog latencies_{};
  std::vector<VoidSpan> voids_{};
  bool interrupted_ = false;
};

}  // namespace diskaudit
