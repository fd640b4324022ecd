#include "runner/aside.hpp"

#include "runner/clock.hpp"
#include "runner/worker_process.hpp"

namespace diskaudit {

Result<AsideEnd> run_aside(const std::function<void()>& work, int fd, std::chrono::seconds patience,
                           const std::function<bool()>& stop) {
  auto process = WorkerProcess::start(work, fd);
  if (!process) return std::unexpected(process.error());
  const std::uint64_t overdue = now_ns() + static_cast<std::uint64_t>(patience.count()) * second_ns;
  while (!process->wait_until(now_ns() + second_ns / 10)) {
    if (stop && stop()) return AsideEnd::Stopped;
    if (now_ns() >= overdue) return AsideEnd::Overdue;
  }
  return AsideEnd::Done;
}

}  // namespace diskaudit
