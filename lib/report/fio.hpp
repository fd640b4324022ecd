#pragma once
/// A scenario in fio's words, for those who repeat it with the tool they know.

#include <string>
#include <utility>
#include <vector>

#include "audit/audit.hpp"

namespace diskaudit {

using FioOptions = std::vector<std::pair<std::string, std::string>>;

/// What all scenarios of the audit have in common: engine, direct I/O, target file, no repetition.
FioOptions fio_common(const Audit& audit);

/// The workload of one scenario as it was measured.
FioOptions fio_workload(const Audit& audit, const ScenarioAudit& scenario);

/// "fio --name=rand-read-4k --ioengine=io_uring …"
std::string fio_command(const Audit& audit, const ScenarioAudit& scenario);

}  // namespace diskaudit
