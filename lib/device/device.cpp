#include "device/device.hpp"

namespace diskaudit {

unsigned queue_depth(const BlockDevice& device) {
  return device.nr_requests * device.hardware_queues;
}

}  // namespace diskaudit
