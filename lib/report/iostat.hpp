#pragma once
/// The kernel's counts of the disk in the columns of `iostat -dx`, for those who read these daily.

#include <optional>
#include <string>

#include "measure/measurement.hpp"
#include "plan/scenario.hpp"

namespace diskaudit {

/// Each stretch of a run as "2600 / 10400 / 4.0 / 255.9": requests and kB (1024 bytes) per second,
/// kB of a request, requests in the disk. None where the disk was not looked at often enough.
struct IostatColumns {
  std::string names{};                  ///< "w/s / wkB/s / wareq-sz / aqu-sz"
  std::optional<std::string> before{};  ///< the window: the ramp
  std::string during{};
  std::optional<std::string> after{};
};

/// None where the kernel's counts are not known. A mixed scenario has both directions together.
std::optional<IostatColumns> iostat_columns(Direction direction, const Measurement& measurement);

}  // namespace diskaudit
