#include "filling.hpp"

#include <algorithm>

#include "runner/clock.hpp"
#include "runner/fill.hpp"
#include "runner/zeros.hpp"
#include "signals.hpp"
#include "target.hpp"

namespace diskaudit {
namespace {

// A disk that cannot be filled has failed in the first scenario, which could not even begin.
void enter_fault(Audit& audit, const Error& error, const IoFault& fault) {
  Measurement measurement;
  measurement.faults = {fault};
  measurement.hung = fault.age_seconds > 0;
  measurement.all.errors = 1;
  measurement.longest_gap_seconds = fault.age_seconds;
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    if (!audit.scenarios.empty() && audit.scenarios.back().evidence.judged) {
      return std::unexpected(error);
    }
    measurement.iodepth = job.iodepth;
    return measurement;
  };
  (void)run_audit(audit, hooks);
  audit.notes.push_back(error.message);
}

// The kernel cuts a chunk of the filling into requests that the device takes.
Bytes largest_request(const BlockDevice& device) {
  const std::uint64_t most = device.max_sectors_kb * KiB;
  return {most > 0 ? std::min(most, fill_chunk) : fill_chunk};
}

}  // namespace

Result<void> fill_area(Audit& audit, const TestArea& area, Progress& progress) {
  if (!is_filled(audit)) return {};
  const auto show = [&](Bytes done) {
    progress.filling(done, area.size());
    return received_signal == 0;
  };
  IoFault fault;
  const std::uint64_t begin_ns = now_ns();
  const auto filled = fill(area, show, &fault);
  const std::uint64_t end_ns = now_ns();
  if (!filled && filled.error().code == ExitCode::Fail) enter_fault(audit, filled.error(), fault);
  if (!filled) return std::unexpected(filled.error());
  audit.filling = Filling{.bytes = *filled,
                          .request = largest_request(audit.disk.device),
                          .seconds = static_cast<double>(end_ns - begin_ns) / second_ns,
                          .end_ns = end_ns};
  if (received_signal == 0) progress.filled(area.size());
  return {};
}

void look_for_data(Audit& audit, const TestArea& area) {
  if (is_filled(audit)) return;
  audit.disk.device.zero_share = sample_zeros(area, received_signal);
  if (!audit.disk.device.zero_share && received_signal == 0) {
    audit.notes.push_back("whether the disk holds data or was never written could not be sampled");
  }
}

}  // namespace diskaudit
