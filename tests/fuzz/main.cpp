// libFuzzer's entry, built once a target.

#include <time.h>

#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

namespace {

#if __has_feature(address_sanitizer)
constexpr double longest =
    10;  // with it, and without optimisation, everything takes ten times as long
#else
constexpr double longest = 1;
#endif

/// libFuzzer's own limit counts the time on the clock, which on a busy machine says little.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const double begin = processor_seconds();
  diskaudit::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  diskaudit::fuzz::require(processor_seconds() - begin < longest, "no input takes a second");
  return 0;
}
