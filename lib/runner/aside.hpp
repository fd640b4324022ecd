#pragma once
/// Calls that may hang on a disk, made in a process of their own: the kernel keeps a process until
/// its requests are back.

#include <chrono>
#include <functional>

#include "error.hpp"

namespace diskaudit {

enum class AsideEnd { Done, Overdue, Stopped };

/// Runs `work` aside, with no descriptor open but `fd`, until it is done, `patience` is over or
/// `stop`, which is asked ten times a second, returns true. What `work` finds it must leave in
/// shared memory.
Result<AsideEnd> run_aside(const std::function<void()>& work, int fd, std::chrono::seconds patience,
                           const std::function<bool()>& stop);

}  // namespace diskaudit
