#pragma once
/// How long a scripted disk works on a request that has its tokens, and whether it fails.

#include <cstdint>
#include <queue>
#include <random>
#include <vector>

#include "support/scripted_disk_request.hpp"
#include "support/scripted_disk_script.hpp"

namespace diskaudit {

/// When an answer never comes.
inline constexpr Nanoseconds never = INT64_MAX;

class DiskService {
 public:
  DiskService() = default;
  DiskService(const Script& script, Nanoseconds start);

  void change(const Script& script) { script_ = script; }
  /// The answer to a request that starts at `now`; times never go back from call to call.
  DiskAnswer serve(const DiskRequest& request, Nanoseconds now);
  /// The end of the stall in which `due` falls, else `due`.
  Nanoseconds after_stalls(Nanoseconds due) const;

 private:
  using Times = std::priority_queue<Nanoseconds, std::vector<Nanoseconds>, std::greater<>>;

  double latency_of(const DiskRequest& request);
  double first_touch(const DiskRequest& request);
  int error_of(const DiskRequest& request) const;

  Script script_{};
  Nanoseconds start_ = 0;
  std::uint64_t count_ = 0;
  Times inside_{};  ///< when those that are inside the disk leave it
  Times busy_{};    ///< when each server that has work is free
  std::vector<bool> touched_{};
  std::mt19937_64 random_{};
};

}  // namespace diskaudit
