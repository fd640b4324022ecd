#include "runner/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "runner/disk_error.hpp"
#include "runner/engine_choice.hpp"
#include "runner/shared_run.hpp"
#include "runner/supervisor.hpp"
#include "runner/uring_engine.hpp"
#include "runner/worker.hpp"
#include "runner/worker_process.hpp"

namespace diskaudit {

namespace {

constexpr double finest_series_seconds = 300;

/// What a worker cannot do with this job, before anything is started.
Result<void> check(const TestArea& area, const Job& job) {
  const std::uint64_t block = job.scenario.block_size.value;
  if (job.threads == 0 || job.iodepth < job.threads) {
    return refusal(fmt::format("cannot run {}: {} outstanding do not go over {} threads",
                               job.scenario.name, job.iodepth, job.threads));
  }
  if (block == 0 || block % area.alignment() != 0) {
    return refusal(fmt::format("cannot run {}: the disk takes multiples of {} bytes, not {}",
                               job.scenario.name, area.alignment(), block));
  }
  if (area.size().value / block < job.threads) {
    return refusal(fmt::format("cannot run {}: {} bytes are too few for {} threads of {} bytes",
                               job.scenario.name, area.size().value, job.threads, block));
  }
  return {};
}

std::uint64_t longest_window(const Job& job) {
  const double wanted = job.runtime_seconds > 0 ? job.runtime_seconds : job.max_runtime_seconds;
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(wanted * 10 - 1e-6))) * bin_ns;
}

void run_workers(const WorkOrder& order, SharedRun& run) {
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < run.workers(); ++i) {
    threads.emplace_back([&order, &run, i] { run_worker(order, i, run.window(), run.worker(i)); });
  }
  run_worker(order, 0, run.window(), run.worker(0));
  for (std::thread& thread : threads) thread.join();
}

unsigned features_of_all(const SharedRun& run) {
  unsigned features = all_uring_features;
  for (std::size_t i = 0; i < run.workers(); ++i) {
    features &= static_cast<unsigned>(run.worker(i).features.get());
  }
  return features;
}

/// A request that failed for want of space, memory or rights says nothing about the disk.
Result<void> check_faults(const Job& job, const Measurement& measurement) {
  const IoFault* fault = fault_of_another(measurement.faults);
  if (fault == nullptr) return {};
  return refusal(fmt::format("cannot go on with {}: a request at offset {} came back with: {}",
                             job.scenario.name, fault->offset, std::strerror(fault->error)));
}

void coarsen_flows(Measurement& measurement) {
  if (measurement.seconds <= finest_series_seconds) return;
  for (Flow* flow : {&measurement.all, &measurement.read, &measurement.write}) {
    flow->series = coarsen(flow->series, 10);
  }
}

}  // namespace

Result<Measurement> run_job(const TestArea& area, const Job& job, const RunnerOptions& options,
                            const Watch& watch) {
  if (auto fine = check(area, job); !fine) return std::unexpected(fine.error());
  const auto chosen = choose_engine(options.engine, options.root, job.iodepth);
  if (!chosen) return std::unexpected(chosen.error());
  const std::uint64_t window = longest_window(job);
  auto run = SharedRun::create(job, window / bin_ns);
  if (!run) return std::unexpected(run.error());

  const WorkOrder order{
      .job = job,
      .engine = chosen->engine,
      .uring_features = all_uring_features & ~uring_features_named(options.without_features),
      .fd = area.fd(),
      .span = area.size().value};
  auto process = WorkerProcess::start([&order, &run] { run_workers(order, *run); }, area.fd());
  if (!process) return std::unexpected(process.error());
  auto measurement = Supervisor(job, options, watch, *run, *process, window).supervise();
  if (!measurement) return measurement;
  if (auto fine = check_faults(job, *measurement); !fine) return std::unexpected(fine.error());

  measurement->iodepth = job.iodepth;
  measurement->threads = job.threads;
  measurement->engine = chosen->engine == Engine::IoUring ? "io_uring" : "libaio";
  measurement->engine_features = names_of_uring_features(features_of_all(*run));
  measurement->engine_warning = chosen->warning;
  coarsen_flows(*measurement);
  return measurement;
}

}  // namespace diskaudit
