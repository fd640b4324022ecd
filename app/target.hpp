#pragma once
/// What the audit works on: opened under the rules for its kind, with what a person must be told.

#include "audit/audit.hpp"
#include "cli.hpp"
#include "request.hpp"
#include "runner/test_area.hpp"

namespace diskaudit {

/// Whether what is on the block device goes: it is written from its beginning.
bool destroys_content(const Audit& audit);

/// Whether every block is written once before anything is measured.
bool is_filled(const Audit& audit);

/// Refuses a disk in the host itself, which no cloud disk's formula is about; a profile of another
/// cloud than this machine's is a warning.
Result<void> check_cloud(Audit& audit, const Profile& profile);

/// Opens the test file or the device; what the guard found on a device goes into the audit, also
/// where it refuses. A dry run opens nothing for writing on a device.
Result<TestArea> open_target(Audit& audit, const Request& request, const Options& options);

/// Says on stderr what is about to be destroyed, before the first write.
void announce_destruction(Audit& audit);

}  // namespace diskaudit
