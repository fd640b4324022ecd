#include "measure/histogram.hpp"

#include <cmath>
#include <numeric>

namespace diskaudit {

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < size; ++i) counts_[i] += other.counts_[i];
}

std::uint64_t Histogram::count() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

double Histogram::quantile(double q) const {
  const std::uint64_t total = count();
  if (total == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total)));
  std::uint64_t seen = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (counts_[i] == 0) continue;
    last = i;
    seen += counts_[i];
    if (seen >= rank) break;
  }
  return value_of(last);
}

double Histogram::value_of(std::size_t index) {
  constexpr std::size_t group_size = std::size_t{1} << sub_bits;
  if (index < 2 * group_size) return static_cast<double>(index);
  const std::size_t shift = (index >> sub_bits) - 1;
  const std::size_t lowest = (group_size + index % group_size) << shift;
  const std::size_t width = std::size_t{1} << shift;
  return static_cast<double>(lowest) + static_cast<double>(width - 1) / 2;
}

}  // namespace diskaudit
