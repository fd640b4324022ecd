#pragma once
/// The accounts that one worker keeps while it runs: who completed what in which tenth of a second.

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>

#include "measure/histogram.hpp"

namespace diskaudit {

/// A number with one writer that others may read at any time. Has no constructor, so that zeroed
/// memory (shared with another process) holds counters.
class Counter {
 public:
  std::uint64_t get() const { return value().load(std::memory_order_relaxed); }
  void set(std::uint64_t to) { value().store(to, std::memory_order_relaxed); }
  void add(std::uint64_t more) { set(get() + more); }

 private:
  std::atomic_ref<std::uint64_t> value() const {
    return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(value_));
  }
  alignas(8) std::uint64_t value_;
};

inline constexpr std::uint64_t bin_ns = 100'000'000;

/// [begin, end) in nanoseconds of one clock for all workers. `end` is only ever moved to a moment
/// that has not come yet, so every worker sees it before it stamps a completion beyond it.
struct Window {
  std::atomic<std::uint64_t> begin{std::numeric_limits<std::uint64_t>::max()};
  std::atomic<std::uint64_t> end{std::numeric_limits<std::uint64_t>::max()};

  bool holds(std::uint64_t now) const { return now >= begin.load() && now < end.load(); }
};

/// Completions of one tenth of a second; `first` and `last` are the times of those.
struct Bin {
  Counter ios, errors, latency_sum, latency_max, first, last;
};

/// What was reaped at one moment in one direction.
struct Batch {
  std::uint64_t ios = 0;
  std::uint64_t errors = 0;
  std::uint64_t latency_sum = 0;
  std::uint64_t latency_max = 0;
};

/// Reads and writes of a mixed job have a track each.
struct Track {
  std::span<Bin> bins;
  std::span<Counter> latencies;  ///< Histogram::size of them
};

/// Single writer; allocates nothing. The memory of the tracks must be zeroed.
class Recorder {
 public:
  Recorder(const Window& window, std::array<Track, 2> tracks) : window_(&window), tracks_(tracks) {}

  void latency(unsigned track, std::uint64_t nanoseconds) {
    tracks_[track].latencies[Histogram::index_of(nanoseconds)].add(1);
  }
  /// Books the batch under its moment `now`, which must lie in the window.
  void add(unsigned track, std::uint64_t now, const Batch& batch);
  /// From `now` on `count` requests are outstanding.
  void outstanding(std::uint64_t now, unsigned count);

  const Track& track(unsigned index) const { return tracks_[index]; }
  /// Requests outstanding × nanoseconds inside the window.
  std::uint64_t outstanding_area() const { return area_.get(); }

 private:
  const Window* window_;
  std::array<Track, 2> tracks_;
  std::uint64_t changed_ = 0;
  unsigned outstanding_ = 0;
  Counter area_{};
};

}  // namespace diskaudit
