#include "runner/zeros.hpp"

#include "device/inspect_content.hpp"
#include "runner/aside.hpp"
#include "runner/shared_value.hpp"

namespace diskaudit {

namespace {

constexpr auto patience = std::chrono::seconds(5);
constexpr double unknown = -1;

}  // namespace

std::optional<double> sample_zeros(const TestArea& area, const std::atomic<int>& signal) {
  const auto share = make_shared_value<std::atomic<double>>(unknown);
  if (!share) return std::nullopt;
  const auto sample = [&] { *share = zero_share(area.fd(), area.size()).value_or(unknown); };
  // However it ends, a share that was found holds.
  (void)run_aside(sample, area.fd(), patience, [&signal] { return signal != 0; });
  const double found = *share;
  return found == unknown ? std::nullopt : std::optional(found);
}

}  // namespace diskaudit
