#include "runner/disk_claim.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace diskaudit {

Result<Descriptor> claim_disk(const BlockDevice& device) {
  // A name that only one process can have and that goes with it, without a file: unix(7), abstract
  // sockets. A lock on the device node would keep udev away from it, and needs rights to open it.
  Descriptor claim(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("diskaudit/{}", device.number);
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (::bind(claim.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 && errno == EADDRINUSE)
    return refusal(
        fmt::format("another diskaudit is at work on {}; wait until it has ended", device.name));
  return claim;
}

}  // namespace diskaudit
