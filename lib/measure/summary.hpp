#pragma once
/// Merges the accounts of all workers into one Measurement, also while they still run.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/measurement.hpp"
#include "measure/recorder.hpp"

namespace diskaudit {

/// How many bins lie wholly before `now`.
std::size_t complete_bins(const Window& window, std::uint64_t now);

/// The same series in intervals `factor` times as long; a last partial interval is dropped.
Series coarsen(const Series& series, std::size_t factor);

/// Keeps what it has merged, so that each update costs only the bins that came since.
class Summary {
 public:
  Summary(const Window& window, std::vector<const Recorder*> workers, std::uint64_t block_size,
          bool mixed);

  /// Up to and without bin `bins`: flows, seconds, in-flight mean and longest gap.
  Measurement& update(std::size_t bins);

  /// Of all that has completed in the window, up to this moment.
  Histogram latencies() const;

 private:
  struct Totals {
    std::uint64_t latency_sum = 0;
    std::uint64_t latency_max = 0;
  };
  void merge_bin(std::size_t index);
  void append(Flow& flow, Totals& totals, const Bin& bin);
  void note_gap(const Bin& bin);
  Histogram latencies(unsigned first_track, unsigned last_track) const;
  void summarise_latency(Flow& flow, const Totals& totals, unsigned first_track,
                         unsigned last_track);

  const Window& window_;
  std::vector<const Recorder*> workers_;
  std::uint64_t block_size_;
  unsigned tracks_;
  std::size_t merged_ = 0;
  std::uint64_t last_completion_ = 0;
  std::uint64_t gap_ = 0;
  std::array<Totals, 3> totals_{};  ///< all, read, write
  Measurement measurement_;
};

}  // namespace diskaudit
