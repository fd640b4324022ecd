#pragma once
/// Facts of an audit in the form that a vendor's support reads or pastes: empty where not known.

#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "text.hpp"

namespace diskaudit {

/// The volume's ID, else its serial.
std::string volume_text(const Audit& audit);

/// "scheduler=none nr_requests=256 …", as /sys/block/<disk>/queue has it.
std::string queue_text(const BlockDevice& device);

/// What to ask the vendor's own monitor for.
std::string monitor_query(const Audit& audit);

/// The limits of io.max in force; "none" in the reader's language.
std::string cgroup_text(const Environment& environment, Language language);

/// "UTC+08:00, Asia/Shanghai, clock synchronised"
std::string local_clock_text(const Environment& environment, Language language);

/// Which ceiling set the target.
std::string ceiling_text(const Target& target, Language language);

/// What the guard found before a device was written on.
std::string guard_text(const Audit& audit, Language language);

/// As it can be pasted into a shell.
std::string shell_text(const std::vector<std::string>& command_line);

/// Whether the vendor's support reads Chinese.
bool speaks_chinese(const Audit& audit);

}  // namespace diskaudit
