#pragma once
/// Opens a block device for writing, which destroys what is on it, once the guard has passed.

#include <functional>

#include "device/guard.hpp"
#include "device/inspect.hpp"
#include "runner/test_area.hpp"

namespace diskaudit {

struct Destruction {
  GuardReport report{};   ///< every check, passed or not
  Result<TestArea> area;  ///< the refusal if one did not pass
};

/// Runs all checks, reading only, and says what they found: for a dry run. A disk that does not
/// answer is refused after a minute, or as soon as `stop` returns true.
GuardReport examine(const SystemRoot& root, const Disk& disk, const Consent& consent,
                    const std::function<bool()>& stop = {});

/// Locks the whole disk, opens `disk` for this process alone, runs all checks and, where they pass,
/// hands out its first `span` bytes for writing (0: all). Lock and exclusive open last as long as
/// the area. Writes nothing itself.
Destruction open_for_destruction(const SystemRoot& root, const Disk& disk, const Consent& consent,
                                 Bytes span, const std::function<bool()>& stop = {});

}  // namespace diskaudit
