#pragma once
/// What lies on the blocks under test before they are measured: written anew, or looked at.

#include "audit/audit.hpp"
#include "error.hpp"
#include "progress.hpp"
#include "runner/test_area.hpp"

namespace diskaudit {

/// Reads of what was never written are answered by no disk, so everything is written first where
/// that is allowed. A disk that cannot be filled has failed in the first scenario.
Result<void> fill_area(Audit& audit, const TestArea& area, Progress& progress);

/// Samples what was not filled: the judge must know of reads that no disk may have answered.
void look_for_data(Audit& audit, const TestArea& area);

}  // namespace diskaudit
