#pragma once
/// What one run of a job came to: counts, latencies, the series over time, and the kernel's
/// witness.

#include <cstdint>
#include <string>
#include <vector>

#include "measure/kernel_counts.hpp"
#include "measure/latency_map.hpp"

namespace diskaudit {

/// Completion latency (submit to completion), microseconds; all 0 when nothing completed.
struct LatencySummary {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
};

/// Columns over the window, one entry an interval; binned by completion time, idle intervals kept.
struct Series {
  double interval_seconds = 0.1;
  std::vector<std::uint64_t> ios{};
  std::vector<std::uint64_t> bytes{};
  std::vector<double> latency_mean_us{};
  std::vector<double> latency_max_us{};
  std::vector<std::uint64_t> errors{};
};

/// I/Os that completed whole inside the window. Failed and short ones are `errors`, never `ios`.
struct Flow {
  std::uint64_t ios = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
  LatencySummary latency{};
  Series series{};
};

/// What the measuring cost, over the window.
struct ClientCost {
  double cpu_seconds = 0;                ///< user + system, the whole process
  double busiest_worker_share = 0;       ///< of one CPU, 0 to 1
  double steal_share = 0;                ///< of the machine's CPU time, 0 to 1
  bool cpu_throttled = false;            ///< the cgroup's CPU quota bit
  double iowait_share = 0;               ///< of the machine's CPU time, 0 to 1
  std::uint64_t voluntary_switches = 0;  ///< of the workers, as in /proc/<pid>/status
  std::uint64_t involuntary_switches = 0;
};

/// A failed request, of any phase.
struct IoFault {
  double at_seconds = 0;  ///< into the run, which begins with the ramp
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  int error = 0;           ///< errno; 0 = a short transfer; ETIMEDOUT = not returned
  double age_seconds = 0;  ///< of a request that has not returned
};

/// A stretch of the window in which this program or the machine stood still, or the clock was set:
/// what was counted there says nothing about the disk.
struct VoidSpan {
  double begin_seconds = 0;  ///< into the window
  double end_seconds = 0;
  std::string cause{};  ///< "suspended", "machine_suspended", "clock_step"
};

struct Measurement {
  unsigned iodepth = 1;
  unsigned threads = 1;
  double seconds = 0;  ///< length of the window, from the clock that stamped the completions
  Flow all{};
  Flow read{};               ///< filled for mixed jobs only
  Flow write{};              ///< filled for mixed jobs only
  LatencyMap latency_map{};  ///< of all of them
  double inflight_mean = 0;  ///< time average of the requests outstanding, integrated by itself
  double longest_gap_seconds = 0;  ///< without any completion
  Witness witness{};
  ClientCost client{};
  std::vector<IoFault> faults{};  ///< the first few
  std::vector<VoidSpan> voids{};
  std::string engine{};  ///< "io_uring", "libaio"
  std::vector<std::string> engine_features{};
  std::string engine_warning{};  ///< why it is not the engine of first choice, else empty
  bool interrupted = false;      ///< a signal ended it before its time
  bool hung = false;             ///< a request never returned
  std::string started{};         ///< RFC 3339 UTC with ms, of the window
  std::string ended{};
  std::uint64_t window_begin_ns = 0;  ///< CLOCK_MONOTONIC, for comparison with other logs
  std::uint64_t window_end_ns = 0;
};

/// I/Os per second of the window; 0 for an empty window.
double iops(const Measurement& measurement);
/// Bytes per second of the window.
double bytes_per_second(const Measurement& measurement);

}  // namespace diskaudit
