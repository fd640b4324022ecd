#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "log.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

std::string format_rate(Metric metric, double value, RateUnit unit) {
  return metric == Metric::BytesPerSecond ? format_throughput(BytesPerSec{value}, unit)
                                          : format_iops(Iops{value});
}

std::string rate_of(const Job& job, const Measurement& measurement, RateUnit unit) {
  const Metric metric = job.scenario.metric;
  const bool in_bytes = metric == Metric::BytesPerSecond;
  return format_rate(metric, in_bytes ? bytes_per_second(measurement) : iops(measurement), unit);
}

// Of what counts, where that is not all of the window.
std::string judged_rate(const ScenarioAudit& scenario, RateUnit unit) {
  const Verdict& verdict = scenario.verdict;
  const auto& target = scenario.job.target;
  if (!verdict.plateau || !verdict.percent || !target) {
    return rate_of(scenario.job, *scenario.evidence.judged, unit);
  }
  return format_rate(target->metric, *verdict.percent / 100 * target->value, unit);
}

double expected_seconds(const Job& job) {
  return job.runtime_seconds > 0 ? job.runtime_seconds : job.max_runtime_seconds;
}

}  // namespace

Progress::Progress(bool quiet, double total_seconds)
    : quiet_(quiet),
      live_(!quiet && isatty(STDERR_FILENO) == 1),
      started_(steady_clock::now()),
      total_seconds_(total_seconds) {}

Progress::~Progress() { clear(); }

void Progress::filling(Bytes done, Bytes total) {
  if (!live_ || !is_due()) return;
  const double share = total.value > 0 ? double(done.value) / double(total.value) : 0;
  show(share, said(fmt::format("writing before measuring, {} of {}", format_size(done),
                               format_size(total))));
}

void Progress::filled(Bytes total) {
  clear();
  if (!quiet_) log_notice(fmt::format("{} written before measuring", format_size(total)));
}

void Progress::starting(const Job& job) {
  log_detail(fmt::format("{}: iodepth {}, {} thread(s), ramp {} s", job.scenario.name, job.iodepth,
                         job.threads, job.ramp_seconds));
}

void Progress::measuring(const Job& job, const Measurement& so_far) {
  if (!live_ || !is_due()) return;
  if (so_far.seconds <= 0) return show(0, job.scenario.name + ", ramp");
  const std::string depth =
      so_far.iodepth != 0 ? fmt::format(" at iodepth {}", so_far.iodepth) : std::string();
  show(so_far.seconds / expected_seconds(job),
       fmt::format("{}{}, {}", job.scenario.name, depth, rate_of(job, so_far, RateUnit::MBps)));
}

void Progress::finished(const ScenarioAudit& scenario, RateUnit unit) {
  clear();
  if (quiet_) return;
  const Verdict& verdict = scenario.verdict;
  std::string line = scenario.job.scenario.name + ": ";
  if (scenario.evidence.judged) {
    line += judged_rate(scenario, unit);
    if (verdict.percent) line += fmt::format(", {} %", format_number(*verdict.percent, 1));
    if (scenario.job.target) line += fmt::format(", {}", name_of(verdict.outcome));
  } else {
    line += name_of(verdict.outcome);
  }
  if (verdict.cause) line += fmt::format(" ({})", name_of(*verdict.cause));
  log_notice(line);
}

bool Progress::is_due() {
  const auto now = steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(250)) return false;
  last_ = now;
  return true;
}

void Progress::show(double share, const std::string& what) {
  constexpr int width = 20;
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  const double left = total_seconds_ - duration<double>(steady_clock::now() - started_).count();
  const std::string time_left =
      left > 0 ? said(fmt::format(", about {} s left", std::lround(left))) : std::string();
  fmt::print(stderr, "\r\x1b[K[{}{}] {}", std::string(filled, '#'),
             std::string(width - filled, '.'), clipped(what + time_left, 56));
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace diskaudit
