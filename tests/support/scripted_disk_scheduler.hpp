#pragma once
/// When a scripted disk answers each request: the script put into effect, in a time that the caller
/// supplies.

#include <optional>
#include <queue>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "support/scripted_disk_cache.hpp"
#include "support/scripted_disk_limits.hpp"
#include "support/scripted_disk_request.hpp"
#include "support/scripted_disk_script.hpp"
#include "support/scripted_disk_service.hpp"

namespace diskaudit {

/// Before start() every request is answered at once, so that set-up costs no time.
class DiskScheduler {
 public:
  /// The script holds from `now` on.
  void start(const Script& script, Nanoseconds now);
  /// Gives one key of the script another value from `now` on.
  Result<void> change(std::string_view key, std::string_view value, Nanoseconds now);
  /// Ends the script: what waits is due at once, what would never be answered fails.
  void stop(Nanoseconds now);

  /// Requests come in the order of their arrival.
  void submit(const DiskRequest& request);
  /// The next answer that is due by `now`, in the order of the due times.
  std::optional<DiskAnswer> next_answer(Nanoseconds now);
  /// When to ask again if nothing else happens; nothing when no request waits.
  std::optional<Nanoseconds> next_event() const;

 private:
  struct Later {
    bool operator()(const DiskAnswer& a, const DiskAnswer& b) const { return a.due > b.due; }
  };
  using Answers = std::priority_queue<DiskAnswer, std::vector<DiskAnswer>, Later>;

  void advance(Nanoseconds now);
  void pass_limits();
  void admit_writes(Nanoseconds now);
  Nanoseconds next_change() const;

  bool is_started_ = false;
  Nanoseconds start_ = 0;
  Script script_{};
  size_t changes_made_ = 0;
  DiskLimits limits_{};
  DiskService service_{};
  ReadCache read_cache_{};
  WriteCache write_cache_{};
  Answers answers_{};
};

}  // namespace diskaudit
