#pragma once
/// A scenario in fio's words, for those who repeat it with the tool they know.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit.hpp"

namespace diskaudit {

using FioOptions = std::vector<std::pair<std::string, std::string>>;

/// What all scenarios of the audit have in common: engine, direct I/O, target file, no repetition.
FioOptions fio_common(const Audit& audit);

/// The workload of one scenario as it was measured.
FioOptions fio_workload(const Audit& audit, const ScenarioAudit& scenario);

/// A word of a command as a shell takes it.
std::string shell_word(std::string_view word);

/// " --rw=read --bs=4096", quoted for a shell.
std::string fio_words(const FioOptions& options);

/// "fio --name=rand-read-4k --ioengine=io_uring …"
std::string fio_command(const Audit& audit, const ScenarioAudit& scenario);

}  // namespace diskaudit
