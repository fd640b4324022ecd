#include "measure/summary.hpp"

#include <algorithm>
#include <cmath>

namespace diskaudit {
namespace {

// To the tenth of a microsecond that a record keeps, so that what is judged now and what is judged
// again from the record are the same figures.
double rounded(double microseconds) { return std::round(microseconds * 10) / 10; }

}  // namespace

std::size_t complete_bins(const Window& window, std::uint64_t now) {
  const std::uint64_t begin = window.begin.load();
  const std::uint64_t end = std::min(now, window.end.load());
  return end > begin ? static_cast<std::size_t>((end - begin) / bin_ns) : 0;
}

Series coarsen(const Series& series, std::size_t factor) {
  Series coarse;
  coarse.interval_seconds = series.interval_seconds * static_cast<double>(factor);
  for (std::size_t from = 0; from + factor <= series.ios.size(); from += factor) {
    std::uint64_t ios = 0, bytes = 0, errors = 0;
    double sum = 0, max = 0;
    for (std::size_t i = from; i < from + factor; ++i) {
      ios += series.ios[i];
      bytes += series.bytes[i];
      errors += series.errors[i];
      sum += series.latency_mean_us[i] * static_cast<double>(series.ios[i]);
      max = std::max(max, series.latency_max_us[i]);
    }
    coarse.ios.push_back(ios);
    coarse.bytes.push_back(bytes);
    coarse.errors.push_back(errors);
    coarse.latency_mean_us.push_back(ios == 0 ? 0 : rounded(sum / static_cast<double>(ios)));
    coarse.latency_max_us.push_back(max);
  }
  return coarse;
}

Summary::Summary(const Window& window, std::vector<const Recorder*> workers,
                 std::uint64_t block_size, bool mixed)
    : window_(window),
      workers_(std::move(workers)),
      block_size_(block_size),
      tracks_(mixed ? 2 : 1) {}

Measurement& Summary::update(std::size_t bins) {
  for (; merged_ < bins; ++merged_) merge_bin(merged_);
  const std::uint64_t begin = window_.begin.load();
  const std::uint64_t length = merged_ * bin_ns;
  const std::uint64_t since = last_completion_ == 0 ? begin : last_completion_;
  std::uint64_t area = 0;
  for (const Recorder* worker : workers_) area += worker->outstanding_area();

  Measurement& m = measurement_;
  m.seconds = static_cast<double>(length) / 1e9;
  m.inflight_mean = length == 0 ? 0 : static_cast<double>(area) / static_cast<double>(length);
  m.longest_gap_seconds =
      length == 0 ? 0 : static_cast<double>(std::max(gap_, begin + length - since)) / 1e9;
  summarise_latency(m.all, totals_[0], 0, tracks_ - 1);
  if (tracks_ == 2) {
    summarise_latency(m.read, totals_[1], 0, 0);
    summarise_latency(m.write, totals_[2], 1, 1);
  }
  return m;
}

void Summary::merge_bin(std::size_t index) {
  Bin all{};
  for (unsigned track = 0; track < tracks_; ++track) {
    Bin bin{};
    for (const Recorder* worker : workers_) {
      const Bin& own = worker->track(track).bins[index];
      for (Bin* sum : {&bin, &all}) {
        sum->ios.add(own.ios.get());
        sum->errors.add(own.errors.get());
        sum->latency_sum.add(own.latency_sum.get());
        sum->latency_max.set(std::max(sum->latency_max.get(), own.latency_max.get()));
      }
      if (own.first.get() == 0) continue;
      all.first.set(all.first.get() == 0 ? own.first.get()
                                         : std::min(all.first.get(), own.first.get()));
      all.last.set(std::max(all.last.get(), own.last.get()));
    }
    if (tracks_ == 2) {
      append(track == 0 ? measurement_.read : measurement_.write, totals_[track + 1], bin);
    }
  }
  append(measurement_.all, totals_[0], all);
  note_gap(all);
}

void Summary::append(Flow& flow, Totals& totals, const Bin& bin) {
  const std::uint64_t ios = bin.ios.get();
  const std::uint64_t sum = bin.latency_sum.get();
  flow.ios += ios;
  flow.bytes += ios * block_size_;
  flow.errors += bin.errors.get();
  totals.latency_sum += sum;
  totals.latency_max = std::max(totals.latency_max, bin.latency_max.get());

  flow.series.ios.push_back(ios);
  flow.series.bytes.push_back(ios * block_size_);
  flow.series.errors.push_back(bin.errors.get());
  flow.series.latency_mean_us.push_back(
      ios == 0 ? 0 : rounded(static_cast<double>(sum) / static_cast<double>(ios) / 1e3));
  flow.series.latency_max_us.push_back(rounded(static_cast<double>(bin.latency_max.get()) / 1e3));
}

// A gap of a tenth of a second or more crosses the edge of a bin, so the edges show every one of
// those exactly; of shorter ones they are a sample.
void Summary::note_gap(const Bin& bin) {
  if (bin.first.get() == 0) return;
  const std::uint64_t before = last_completion_ == 0 ? window_.begin.load() : last_completion_;
  if (bin.first.get() > before) gap_ = std::max(gap_, bin.first.get() - before);
  last_completion_ = bin.last.get();
}

Histogram Summary::latencies() const { return latencies(0, tracks_ - 1); }

Histogram Summary::latencies(unsigned first_track, unsigned last_track) const {
  Histogram merged;
  for (const Recorder* worker : workers_) {
    for (unsigned track = first_track; track <= last_track; ++track) {
      const auto& counters = worker->track(track).latencies;
      for (std::size_t i = 0; i < Histogram::size; ++i) {
        // Read once: the worker may be counting.
        if (const std::uint64_t count = counters[i].get(); count != 0) merged.add_at(i, count);
      }
    }
  }
  return merged;
}

void Summary::summarise_latency(Flow& flow, const Totals& totals, unsigned first_track,
                                unsigned last_track) {
  if (flow.ios == 0) return;
  const Histogram merged = latencies(first_track, last_track);
  const double max = static_cast<double>(totals.latency_max);
  const auto us = [&merged, max](double q) { return std::min(merged.quantile(q), max) / 1e3; };
  flow.latency = {
      .mean = static_cast<double>(totals.latency_sum) / static_cast<double>(flow.ios) / 1e3,
      .p50 = us(0.5),
      .p90 = us(0.9),
      .p95 = us(0.95),
      .p99 = us(0.99),
      .p999 = us(0.999),
      .max = max / 1e3};
}

}  // namespace diskaudit
