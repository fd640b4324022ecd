#include "device/device.hpp"

#include <algorithm>

namespace diskaudit {

unsigned queue_depth(const BlockDevice& device) {
  const unsigned queues = device.nr_requests * device.hardware_queues;
  if (device.lun_queue_depth == 0) return queues;
  return queues == 0 ? device.lun_queue_depth : std::min(queues, device.lun_queue_depth);
}

}  // namespace diskaudit
