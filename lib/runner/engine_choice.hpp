#pragma once
/// Which engine this kernel lets us use and, if not the first, why not.

#include <string>

#include "device/inspect.hpp"
#include "error.hpp"
#include "runner/runner.hpp"
#include "runner/worker.hpp"

namespace diskaudit {

struct ChosenEngine {
  Engine engine = Engine::IoUring;
  std::string warning{};  ///< why io_uring is not used, when it was to be
};

/// Tries io_uring, then native AIO where `choice` allows it.
Result<ChosenEngine> choose_engine(EngineChoice choice, const SystemRoot& root, unsigned depth);

/// What refused io_uring with `error` (an errno): old kernel, sysctl, seccomp or LSM, memlock;
/// with the remedy.
std::string cause_of_refusal(int error, const SystemRoot& root);

}  // namespace diskaudit
