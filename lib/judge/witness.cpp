#include "judge/witness.hpp"

#include <algorithm>
#include <cmath>

namespace diskaudit {
namespace {

// What two counts of the same thing may differ by.
constexpr double agreement = 0.02;

// Below this share of our own bytes the device cannot have done the work. Above it, requests that
// straddle the edges of the window explain the rest.
constexpr double missing = 0.95;

// Small requests are not split; more device requests than ours are then somebody else's.
constexpr std::uint64_t smallest_split = 4 * KiB;

// A request more or less at each edge of the window, for every one outstanding.
double edge_bytes(const Job& job, const Measurement& measurement) {
  return 2.0 * measurement.iodepth * static_cast<double>(job.scenario.block_size.value);
}

}  // namespace

Comparison compare(const Job& job, const Measurement& measurement) {
  const Witness& witness = measurement.witness;
  Comparison counts;
  if (!witness.known) return counts;
  counts.known = true;
  counts.own_ios = static_cast<double>(measurement.all.ios);
  counts.own_bytes = static_cast<double>(measurement.all.bytes);
  const double read_ios = static_cast<double>(witness.read_ios);
  const double read_bytes = static_cast<double>(witness.read_bytes);
  const double write_ios = static_cast<double>(witness.write_ios);
  const double write_bytes = static_cast<double>(witness.write_bytes);
  const bool reads = job.scenario.direction != Direction::Write;
  const bool writes = job.scenario.direction != Direction::Read;
  counts.device_ios = (reads ? read_ios : 0) + (writes ? write_ios : 0);
  counts.device_bytes = (reads ? read_bytes : 0) + (writes ? write_bytes : 0);
  counts.other_ios = (reads ? 0 : read_ios) + (writes ? 0 : write_ios);
  counts.other_bytes = (reads ? 0 : read_bytes) + (writes ? 0 : write_bytes);
  return counts;
}

bool bytes_agree(const Comparison& counts) {
  return counts.known && counts.own_ios > 0 && counts.device_ios > 0 &&
         std::abs(counts.device_bytes - counts.own_bytes) <= agreement * counts.own_bytes;
}

double split_ratio(const Job& job, const Measurement& measurement) {
  const Comparison counts = compare(job, measurement);
  if (!bytes_agree(counts) || job.scenario.block_size.value <= smallest_split) return 1;
  const double ratio = counts.device_ios / counts.own_ios;
  return ratio > 1 + agreement ? ratio : 1;
}

double counted_ratio(const Job& job, const Measurement& measurement) {
  const double ratio = split_ratio(job, measurement);
  const double block = static_cast<double>(job.scenario.block_size.value);
  return ratio * counted_ios(job.io_unit, block / ratio) / counted_ios(job.io_unit, block);
}

double request_bytes(const Job& job, const Measurement& measurement) {
  const Comparison counts = compare(job, measurement);
  if (bytes_agree(counts)) return counts.device_bytes / counts.device_ios;
  return static_cast<double>(job.scenario.block_size.value);
}

double counted_bytes(const Job& job, const Measurement& measurement) {
  const double size = request_bytes(job, measurement);
  // A request that the kernel merged out of several counts as several again.
  return job.io_unit ? std::min(size, static_cast<double>(job.io_unit->size.value)) : size;
}

double foreign_rate(const Job& job, const Measurement& measurement) {
  const Comparison counts = compare(job, measurement);
  if (!counts.known || measurement.seconds <= 0) return 0;
  const double bytes =
      counts.device_bytes + counts.other_bytes - counts.own_bytes - edge_bytes(job, measurement);
  if (job.scenario.pattern == Pattern::Sequential) {
    return std::max(0.0, bytes / measurement.seconds);
  }
  const double ios = counts.device_ios + counts.other_ios - 2.0 * measurement.iodepth -
                     counts.own_ios * split_ratio(job, measurement);
  // Large requests of others may cost the disk as much as the small ones that they are worth.
  const double worth = bytes / static_cast<double>(job.scenario.block_size.value);
  return std::max({0.0, ios / measurement.seconds, worth / measurement.seconds});
}

bool served_elsewhere(const Job& job, const Measurement& measurement) {
  const Comparison counts = compare(job, measurement);
  return counts.known && counts.own_bytes > 0 &&
         counts.device_bytes + edge_bytes(job, measurement) < missing * counts.own_bytes;
}

}  // namespace diskaudit
