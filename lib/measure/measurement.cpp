#include "measure/measurement.hpp"

namespace diskaudit {

double iops(const Measurement& measurement) {
  if (measurement.seconds <= 0) return 0;
  return static_cast<double>(measurement.all.ios) / measurement.seconds;
}

double bytes_per_second(const Measurement& measurement) {
  if (measurement.seconds <= 0) return 0;
  return static_cast<double>(measurement.all.bytes) / measurement.seconds;
}

}  // namespace diskaudit
