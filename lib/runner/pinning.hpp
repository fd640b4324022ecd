#pragma once
/// Gives each worker a processor of its own.

#include <optional>
#include <vector>

namespace diskaudit {

/// Which of the processors that this process may use; none where there are fewer than workers.
/// Spread evenly and from the last one down: the first has most of the machine's other work.
std::optional<int> cpu_for_worker(const std::vector<int>& allowed, unsigned worker,
                                  unsigned workers);

/// Binds the calling thread. Where that is refused the scheduler places it, as always.
void pin_worker(unsigned worker, unsigned workers);

}  // namespace diskaudit
