#include "runner/pinning.hpp"

#include <sched.h>

namespace diskaudit {

std::optional<int> cpu_for_worker(const std::vector<int>& allowed, unsigned worker,
                                  unsigned workers) {
  if (worker >= workers || allowed.size() < workers) return std::nullopt;
  return allowed[allowed.size() - 1 - worker * allowed.size() / workers];
}

void pin_worker(unsigned worker, unsigned workers) {
  cpu_set_t set{};
  // A machine with more processors than the set holds is refused here.
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return;
  std::vector<int> allowed;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) allowed.push_back(cpu);
  }
  const auto cpu = cpu_for_worker(allowed, worker, workers);
  if (!cpu) return;
  CPU_ZERO(&set);
  CPU_SET(*cpu, &set);
  (void)::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace diskaudit
