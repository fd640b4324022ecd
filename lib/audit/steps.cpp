#include "audit/steps.hpp"

#include <algorithm>

namespace diskaudit {
namespace {

// A probe answers one question, whether less depth gives less, and needs no more time than this.
constexpr double probe_seconds = 10;
constexpr double probe_ramp_seconds = 2;

// What one request takes when it is alone, a rate divided by it is the depth that the rate needs.
// Asked before every scenario, so kept short.
constexpr double longest_latency_probe = 2;
constexpr double shortest_latency_probe = 0.5;
constexpr double latency_probe_ramp = 0.2;
constexpr double latency_probe_share = 0.1;  // of a runtime that was asked for

// The same seed draws the same blocks. A second pass must not run beyond those of the first,
// however much faster it is.
constexpr double second_pass_seconds = 5;

}  // namespace

double ramp_of(const Job& job, Purpose purpose) {
  switch (purpose) {
    case Purpose::Attempt:
      return job.ramp_seconds;
    case Purpose::HalfDepth:
      return std::min(job.ramp_seconds, probe_ramp_seconds);
    case Purpose::Latency:
      return std::min(job.ramp_seconds, latency_probe_ramp);
    case Purpose::SecondPass:
      break;
  }
  return 0;
}

Job job_for(const NextStep& step, const Job& job) {
  Job next = job;
  next.iodepth = step.iodepth;
  next.threads = std::min(job.threads, step.iodepth);
  if (step.purpose == Purpose::Attempt) return next;
  const bool again = step.purpose == Purpose::SecondPass;
  const double longest = again ? second_pass_seconds : probe_seconds;
  next.ramp_seconds = ramp_of(job, step.purpose);
  next.runtime_seconds = job.runtime_seconds > 0 ? std::min(job.runtime_seconds, longest) : longest;
  return next;
}

std::optional<Job> latency_probe_of(const Job& job) {
  if (job.iodepth == 1) return std::nullopt;
  Job probe = job;
  probe.iodepth = probe.threads = 1;
  probe.ramp_seconds = ramp_of(job, Purpose::Latency);
  probe.runtime_seconds = longest_latency_probe;
  if (job.runtime_seconds > 0) {
    probe.runtime_seconds = std::clamp(latency_probe_share * job.runtime_seconds,
                                       shortest_latency_probe, longest_latency_probe);
  }
  probe.seed = ~job.seed;  // other blocks than the attempt's, which it is to find untouched
  return probe;
}

}  // namespace diskaudit
