#pragma once
/// Whether a device that is only read holds data at all.

#include <atomic>
#include <optional>

#include "runner/test_area.hpp"

namespace diskaudit {

/// The share (0 to 1) of sampled blocks that hold only zeros; nothing where they cannot be read
/// within a few seconds or `signal` comes first. Never held up by a disk that does not answer.
std::optional<double> sample_zeros(const TestArea& area, const std::atomic<int>& signal);

}  // namespace diskaudit
