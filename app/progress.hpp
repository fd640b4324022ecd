#pragma once
/// What a person waiting sees on stderr: a live line on a terminal, one line a scenario elsewhere.

#include <chrono>
#include <string>

#include "audit/audit.hpp"

namespace diskaudit {

class Progress {
 public:
  /// `total_seconds` is the estimate for the whole; `quiet` shows nothing.
  Progress(bool quiet, double total_seconds);
  ~Progress();

  void filling(Bytes done, Bytes total);
  void filled(Bytes total);
  void starting(const Job& job);
  void measuring(const Job& job, const Measurement& so_far);
  void finished(const ScenarioAudit& scenario, RateUnit unit);

 private:
  void show(double share, const std::string& what);
  void clear();
  bool is_due();

  bool quiet_ = false;
  bool live_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
  std::chrono::steady_clock::time_point started_{};
  double total_seconds_ = 0;
};

}  // namespace diskaudit
