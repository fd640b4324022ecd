#pragma once
/// When a scripted disk answers each request: the script put into effect, in a time that the caller
/// supplies.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

#include "support/scripted_disk_bucket.hpp"
#include "support/scripted_disk_script.hpp"

namespace diskaudit {

enum class DiskDirection : std::uint8_t { Read, Write, Discard, Flush };

struct DiskRequest {
  std::uint64_t tag = 0;  ///< the caller's own
  DiskDirection direction = DiskDirection::Read;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  Nanoseconds arrival = 0;
};

struct DiskAnswer {
  DiskRequest request;
  Nanoseconds due = 0;
  int error = 0;  ///< errno, or 0
};

/// Before start() every request is answered at once, so that set-up costs no time.
class DiskScheduler {
 public:
  /// The script holds from `now` on.
  void start(const Script& script, Nanoseconds now);
  /// Ends the script: what waits is due at once.
  void stop(Nanoseconds now);

  /// Requests come in the order of their arrival.
  void submit(const DiskRequest& request);
  /// The next answer that is due by `now`, in the order of the due times.
  std::optional<DiskAnswer> next_answer(Nanoseconds now);
  /// When to ask again if nothing else happens; nothing when no request waits.
  std::optional<Nanoseconds> next_event();

 private:
  /// The head of a queue and the moment from which the limits let it pass.
  struct Head {
    size_t direction = 0;
    Nanoseconds time = 0;
  };
  struct Later {
    bool operator()(const DiskAnswer& a, const DiskAnswer& b) const { return a.due > b.due; }
  };

  std::optional<Head> next_head() const;
  void release(const Head& head);
  void advance(Nanoseconds now);

  bool started_ = false;
  Script script_;
  /// Read, write, both together.
  std::array<TokenBucket, 3> iops_, bytes_;
  std::array<std::deque<DiskRequest>, 2> waiting_;
  Nanoseconds released_ = 0;
  std::priority_queue<DiskAnswer, std::vector<DiskAnswer>, Later> answers_;
};

}  // namespace diskaudit
