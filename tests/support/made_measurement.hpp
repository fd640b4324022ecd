#pragma once
/// Measurements made of a list of rates, for tests of what is done with them.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "measure/measurement.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// A measurement whose tenths of a second ran at `rates` (I/Os per second), each with whole
/// requests and the rest carried on. Latency, in-flight and the kernel's counts agree with it.
inline Measurement made_measurement(const Scenario& scenario, unsigned iodepth,
                                    std::span<const double> rates) {
  Measurement made;
  made.iodepth = iodepth;
  made.inflight_mean = iodepth;
  made.seconds = static_cast<double>(rates.size()) / 10;
  double due = 0;
  double latency_sum = 0;
  for (const double rate : rates) {
    due += rate / 10;
    const double whole = std::floor(due + 1e-9);
    due -= whole;
    const auto ios = static_cast<std::uint64_t>(whole);
    const double latency_us = rate > 0 ? iodepth / rate * 1e6 : 0;
    Series& series = made.all.series;
    series.ios.push_back(ios);
    series.bytes.push_back(ios * scenario.block_size.value);
    series.latency_mean_us.push_back(latency_us);
    series.latency_max_us.push_back(latency_us);
    series.errors.push_back(0);
    made.all.ios += ios;
    made.all.bytes += ios * scenario.block_size.value;
    latency_sum += latency_us * whole;
  }
  if (made.all.ios > 0) made.all.latency.mean = latency_sum / static_cast<double>(made.all.ios);
  made.all.latency.p50 = made.all.latency.mean;
  made.witness.known = true;
  const bool writes = scenario.direction == Direction::Write;
  (writes ? made.witness.write_ios : made.witness.read_ios) = made.all.ios;
  (writes ? made.witness.write_bytes : made.witness.read_bytes) = made.all.bytes;
  made.engine = "made";
  return made;
}

/// The same rate throughout.
inline Measurement steady(const Scenario& scenario, unsigned iodepth, double rate,
                          double seconds = 30) {
  const std::vector<double> rates(static_cast<std::size_t>(std::lround(seconds * 10)), rate);
  return made_measurement(scenario, iodepth, rates);
}

}  // namespace diskaudit
