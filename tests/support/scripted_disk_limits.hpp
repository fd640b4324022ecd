#pragma once
/// The rates of a scripted disk: requests wait here, one queue a direction, until all limits let
/// them pass.

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "support/scripted_disk_request.hpp"
#include "support/scripted_disk_script.hpp"

namespace diskaudit {

class DiskLimits {
 public:
  DiskLimits() = default;
  DiskLimits(const Script& script, Nanoseconds now);

  /// Other rates from `now` on.
  void change(const Script& script, Nanoseconds now);
  void push(const DiskRequest& request);
  /// When the next request passes, if no other comes.
  std::optional<Nanoseconds> next_time() const;
  /// Takes the request of next_time() out, and its tokens.
  DiskRequest pop();
  /// Takes all requests out, past the limits.
  std::vector<DiskRequest> take_all();

 private:
  struct Head {
    size_t direction = 0;
    Nanoseconds time = 0;
  };
  std::optional<Head> next_head() const;

  /// Read, write, both together.
  std::array<RateLimit, 3> iops_{}, bytes_{};
  std::array<std::deque<DiskRequest>, 2> waiting_{};
  Nanoseconds passed_ = 0;  ///< when the last one passed
};

}  // namespace diskaudit
