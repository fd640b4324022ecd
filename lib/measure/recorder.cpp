#include "measure/recorder.hpp"

#include <algorithm>

namespace diskaudit {

void Recorder::add(unsigned track, std::uint64_t now, const Batch& batch) {
  if (batch.ios + batch.errors == 0) return;
  const auto& bins = tracks_[track].bins;
  const std::uint64_t index = (now - window_->begin.load(std::memory_order_relaxed)) / bin_ns;
  if (index >= bins.size()) return;
  Bin& bin = bins[index];
  if (bin.first.get() == 0) bin.first.set(now);
  bin.last.set(now);
  bin.ios.add(batch.ios);
  bin.errors.add(batch.errors);
  bin.latency_sum.add(batch.latency_sum);
  if (batch.latency_max > bin.latency_max.get()) bin.latency_max.set(batch.latency_max);
}

// Integrated from the count alone, never from latencies, so that Little's law is a real check.
void Recorder::outstanding(std::uint64_t now, unsigned count) {
  const std::uint64_t begin = std::max(changed_, window_->begin.load(std::memory_order_relaxed));
  const std::uint64_t end = std::min(now, window_->end.load(std::memory_order_relaxed));
  if (end > begin) area_.add((end - begin) * outstanding_);
  changed_ = now;
  outstanding_ = count;
}

}  // namespace diskaudit
