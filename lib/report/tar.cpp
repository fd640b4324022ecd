#include "report/tar.hpp"

#include <fmt/format.h>

#include <numeric>

namespace diskaudit {
namespace {

constexpr std::size_t block = 512;

void put(std::string& header, std::size_t at, std::string_view text) {
  header.replace(at, text.size(), text);
}

// Offsets and widths: POSIX.1-2008, pax, "ustar Interchange Format".
std::string header_of(std::string_view name, char type, std::size_t size, std::int64_t time) {
  std::string header(block, '\0');
  put(header, 0, name.substr(0, 100));
  put(header, 100, type == '5' ? "0000700" : "0000600");
  put(header, 108, "0000000");  // owner and group: whoever unpacks it
  put(header, 116, "0000000");
  put(header, 124, fmt::format("{:011o}", size));
  put(header, 136, fmt::format("{:011o}", time > 0 ? time : 0));
  put(header, 148, "        ");
  header[156] = type;
  put(header, 257, std::string_view("ustar\00000", 8));
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0U, [](unsigned all, char c) {
    return all + static_cast<unsigned char>(c);
  });
  put(header, 148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  return header;
}

}  // namespace

std::string tar_of(std::span<const NamedFile> files, std::string_view folder,
                   std::int64_t unix_seconds) {
  std::string tar = header_of(fmt::format("{}/", folder), '5', 0, unix_seconds);
  for (const NamedFile& file : files) {
    tar +=
        header_of(fmt::format("{}/{}", folder, file.name), '0', file.content.size(), unix_seconds);
    tar += file.content;
    tar.append((block - tar.size() % block) % block, '\0');
  }
  return tar.append(2 * block, '\0');
}

}  // namespace diskaudit
