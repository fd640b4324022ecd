#include "device/mounts.hpp"

#include <algorithm>
#include <array>

namespace diskaudit {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// The kernel writes blank, tab, line feed and backslash as three octal digits.
std::string unescape(std::string_view text) {
  std::string plain;
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain +=
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0');
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string merge_options(std::string_view mount_options, std::string_view filesystem_options) {
  std::string merged(mount_options);
  for (const std::string_view option : split(filesystem_options, ',')) {
    if (option == "rw" || option.empty() || has_option(merged, option)) continue;
    merged += ',';
    merged += option;
  }
  return merged;
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

struct NoDisk {
  std::string_view filesystem;  ///< or what its name begins with
  unsigned long magic;          ///< linux/magic.h, where it has a number of its own
  std::string_view why;
};

constexpr std::string_view memory = "is memory, not a disk";
constexpr std::string_view network = "is on the network, not on a disk of this machine";
constexpr std::string_view layers = "is made of layers of other file systems, not a disk";
constexpr std::string_view image = "can only be read";
constexpr std::string_view program = "is served by a program, not by a disk";

constexpr std::array no_disks = {
    NoDisk{"tmpfs", 0x01021994, memory},     NoDisk{"ramfs", 0x858458f6, memory},
    NoDisk{"devtmpfs", 0x01021994, memory},  NoDisk{"hugetlbfs", 0x958458f6, memory},
    NoDisk{"overlay", 0x794c7630, layers},   NoDisk{"aufs", 0x61756673, layers},
    NoDisk{"ecryptfs", 0xf15f, layers},      NoDisk{"squashfs", 0x73717368, image},
    NoDisk{"erofs", 0xe0f5e1e2, image},      NoDisk{"iso9660", 0x9660, image},
    NoDisk{"cramfs", 0x28cd3d45, image},     NoDisk{"fuse", 0x65735546, program},
    NoDisk{"nfs", 0x6969, network},          NoDisk{"cifs", 0xff534d42, network},
    NoDisk{"smb", 0xfe534d42, network},      NoDisk{"9p", 0x01021997, network},
    NoDisk{"ceph", 0x00c36400, network},     NoDisk{"afs", 0x5346414f, network},
    NoDisk{"virtiofs", 0x65735546, network}, NoDisk{"lustre", 0x0bd00bd0, network},
    NoDisk{"gpfs", 0x47504653, network},     NoDisk{"beegfs", 0x19830326, network},
};

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
  std::vector<Mount> mounts;
  for (const std::string_view line : split(text, '\n')) {
    // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    const auto fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (dash - fields.begin() < 6 || fields.end() - dash < 4) continue;
    mounts.push_back({.number = std::string(fields[2]),
                      .root = unescape(fields[3]),
                      .point = unescape(fields[4]),
                      .options = merge_options(fields[5], dash[3]),
                      .filesystem = unescape(dash[1]),
                      .source = unescape(dash[2])});
  }
  return mounts;
}

const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path,
                      std::string_view number) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    if (!is_below(path, mount.point)) continue;
    if (best == nullptr) {
      best = &mount;
      continue;
    }
    const bool matches = mount.number == number;
    const bool best_matches = best->number == number;
    // A later mount on the same point lies on top of the earlier one.
    if (matches != best_matches ? matches : mount.point.size() >= best->point.size()) best = &mount;
  }
  return best;
}

std::string_view why_no_disk(std::string_view filesystem, unsigned long magic) {
  for (const NoDisk& row : no_disks)
    if (filesystem.starts_with(row.filesystem)) return row.why;
  for (const NoDisk& row : no_disks)
    if (magic == row.magic) return row.why;
  return {};
}

bool has_option(std::string_view options, std::string_view name) {
  for (const std::string_view option : split(options, ','))
    if (option == name || (option.starts_with(name) && option[name.size()] == '=')) return true;
  return false;
}

}  // namespace diskaudit
