#pragma once
/// A value that a process and those it forks share.

#include <sys/mman.h>

#include <atomic>
#include <memory>
#include <new>

namespace diskaudit {

struct UnmapValue {
  template <typename T>
  void operator()(T* value) const {
    ::munmap(value, sizeof(T));
  }
};

template <typename T>
using Shared = std::unique_ptr<T, UnmapValue>;

/// Null where there is no memory.
template <typename T, typename... Arguments>
Shared<T> make_shared_value(Arguments... arguments) {
  void* memory =
      ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return Shared<T>(new (memory) T(arguments...));
}

}  // namespace diskaudit
