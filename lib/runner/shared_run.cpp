#include "runner/shared_run.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace diskaudit {

namespace {

/// Cuts pieces off zeroed memory, each beginning on a cache line of its own.
class Carver {
 public:
  explicit Carver(std::byte* memory) : next_(memory) {}

  template <typename T>
  std::span<T> zeroed(std::size_t count) {
    return {reinterpret_cast<T*>(take(count * sizeof(T))), count};
  }
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    return new (take(sizeof(T))) T(std::forward<Arguments>(arguments)...);
  }
  static std::size_t rounded(std::size_t size) { return (size + 63) / 64 * 64; }

 private:
  std::byte* take(std::size_t size) {
    std::byte* piece = next_;
    next_ += rounded(size);
    return piece;
  }
  std::byte* next_;
};

std::size_t room_for_worker(std::size_t tracks, std::size_t bins, std::size_t depth) {
  return Carver::rounded(sizeof(WorkerState)) + Carver::rounded(depth * sizeof(Slot)) +
         tracks * (Carver::rounded(bins * sizeof(Bin)) +
                   Carver::rounded(Histogram::size * sizeof(Counter)));
}

}  // namespace

Result<SharedRun> SharedRun::create(const Job& job, std::size_t bins) {
  const std::size_t tracks = job.scenario.direction == Direction::Mixed ? 2 : 1;
  const std::size_t depth = (job.iodepth + job.threads - 1) / job.threads;
  const std::size_t size =
      Carver::rounded(sizeof(Window)) + job.threads * room_for_worker(tracks, bins, depth);
  // Bins of a long run cost memory as they are reached, not now.
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    return refusal(
        fmt::format("cannot allocate {} MiB for the accounts of {}: {}; shorten --runtime",
                    size >> 20, job.scenario.name, std::strerror(errno)));
  }
  SharedRun run;
  run.memory_ = {static_cast<std::byte*>(mapped),
                 [size](std::byte* memory) { ::munmap(memory, size); }};
  Carver carver(run.memory_.get());
  run.window_ = carver.make<Window>();
  for (unsigned worker = 0; worker < job.threads; ++worker) {
    std::array<Track, 2> parts{};
    for (std::size_t track = 0; track < tracks; ++track) {
      parts[track] = {carver.zeroed<Bin>(bins), carver.zeroed<Counter>(Histogram::size)};
    }
    const unsigned own = job.iodepth / job.threads + (worker < job.iodepth % job.threads ? 1 : 0);
    run.workers_.push_back(carver.make<WorkerState>(*run.window_, parts, carver.zeroed<Slot>(own)));
  }
  return run;
}

std::vector<const Recorder*> SharedRun::recorders() const {
  std::vector<const Recorder*> list;
  for (const WorkerState* worker : workers_) list.push_back(&worker->recorder);
  return list;
}

}  // namespace diskaudit
