#include "device/inspect_content.hpp"

#include <blkid/blkid.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>

namespace diskaudit {

namespace {

constexpr std::uint64_t block = 4 * KiB;
constexpr int random_blocks = 64;

struct FreeProbe {
  void operator()(blkid_struct_probe* probe) const { blkid_free_probe(probe); }
};
using Probe = std::unique_ptr<blkid_struct_probe, FreeProbe>;

std::string value(blkid_probe probe, const char* key) {
  const char* text = nullptr;
  return blkid_probe_lookup_value(probe, key, &text, nullptr) == 0 ? text : "";
}

Probe open_probe(int fd, const Part& part) {
  Probe probe(blkid_new_probe());
  if (!probe || blkid_probe_set_device(probe.get(), fd, static_cast<blkid_loff_t>(part.start.value),
                                       static_cast<blkid_loff_t>(part.size.value)) != 0)
    return nullptr;
  blkid_probe_enable_superblocks(probe.get(), 1);
  // A damaged superblock is still somebody's.
  blkid_probe_set_superblocks_flags(probe.get(), BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID |
                                                     BLKID_SUBLKS_TYPE | BLKID_SUBLKS_MAGIC |
                                                     BLKID_SUBLKS_BADCSUM);
  blkid_probe_enable_partitions(probe.get(), 1);
  blkid_probe_set_partitions_flags(probe.get(), BLKID_PARTS_MAGIC | BLKID_PARTS_ENTRY_DETAILS);
  return probe;
}

void add_tag(std::vector<std::string>& tags, const char* key, const char* text) {
  if (text != nullptr && *text != '\0') tags.push_back(fmt::format("{}={}", key, text));
}

void add_partition_tags(blkid_probe probe, std::vector<std::string>& tags) {
  blkid_partlist partitions = blkid_probe_get_partitions(probe);
  if (partitions == nullptr) return;
  for (int i = 0; i < blkid_partlist_numof_partitions(partitions); ++i) {
    blkid_partition partition = blkid_partlist_get_partition(partitions, i);
    add_tag(tags, "PARTUUID", blkid_partition_get_uuid(partition));
    add_tag(tags, "PARTLABEL", blkid_partition_get_name(partition));
  }
}

struct Sample {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

std::vector<Sample> random_samples(Bytes size) {
  std::random_device random;
  std::uniform_int_distribution<std::uint64_t> any(0, std::max(block, size.value) / block - 1);
  std::vector<Sample> samples(random_blocks);
  for (Sample& sample : samples) sample = {any(random) * block, block};
  return samples;
}

bool is_zero(const char* data, std::size_t length) {
  return data[0] == '\0' && std::memcmp(data, data + 1, length - 1) == 0;
}

/// Reads the samples and tells of each block where it is and whether it is all zeros, until it is
/// told to stop.
Result<void> read_blocks(int fd, const std::vector<Sample>& samples,
                         const std::function<bool(std::uint64_t, bool)>& tell) {
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  const std::unique_ptr<void, Free> memory(std::aligned_alloc(block, MiB));
  if (!memory) return refusal("cannot sample the disk: out of memory");
  for (const auto& [offset, length] : samples) {
    const ssize_t got = ::pread(fd, memory.get(), length, static_cast<off_t>(offset));
    if (got != static_cast<ssize_t>(length))
      return refusal(fmt::format("cannot read at offset {}: {}", offset,
                                 got < 0 ? std::strerror(errno) : "it ends there"));
    const char* data = static_cast<const char*>(memory.get());
    for (std::uint64_t at = 0; at < length; at += block)
      if (!tell(offset + at, is_zero(data + at, block))) return {};
  }
  return {};
}

}  // namespace

Result<Content> read_content(int fd, const Part& part) {
  const std::string& device = part.device;
  const Probe probe = open_probe(fd, part);
  if (!probe) return refusal(fmt::format("cannot look for signatures on {}", device));
  Content content;
  int result = 0;
  // Each round finds one more; 1 is the end.
  while ((result = blkid_do_probe(probe.get())) == 0) {
    Signature signature{.device = device,
                        .type = value(probe.get(), "TYPE"),
                        .label = value(probe.get(), "LABEL"),
                        .uuid = value(probe.get(), "UUID")};
    if (signature.type.empty()) {
      signature.type = value(probe.get(), "PTTYPE");
      signature.is_partition_table = true;
    }
    add_tag(content.tags, "UUID", signature.uuid.c_str());
    add_tag(content.tags, "LABEL", signature.label.c_str());
    add_tag(content.tags, "PARTUUID", value(probe.get(), "PART_ENTRY_UUID").c_str());
    add_tag(content.tags, "PARTLABEL", value(probe.get(), "PART_ENTRY_NAME").c_str());
    // A partition also tells of its entry in the table of the whole disk, which is no signature.
    if (!signature.type.empty()) content.signatures.push_back(std::move(signature));
  }
  if (result < 0)
    return refusal(fmt::format("cannot look for signatures on {}: {}", device,
                               errno != 0 ? std::strerror(errno) : "the answer is ambiguous"));
  add_partition_tags(probe.get(), content.tags);
  return content;
}

Result<std::optional<std::uint64_t>> find_data(int fd, Bytes size) {
  const std::uint64_t edge = std::min(MiB, size.value / block * block);
  auto samples = random_samples(size);
  samples.insert(samples.begin(), {{0, edge}, {size.value / block * block - edge, edge}});
  std::optional<std::uint64_t> found;
  const auto read = read_blocks(fd, samples, [&found](std::uint64_t offset, bool zero) {
    if (!zero) found = offset;
    return zero;
  });
  if (!read) return std::unexpected(read.error());
  return found;
}

Result<double> zero_share(int fd, Bytes size) {
  int zeros = 0;
  const auto read = read_blocks(fd, random_samples(size), [&zeros](std::uint64_t, bool zero) {
    zeros += zero ? 1 : 0;
    return true;
  });
  if (!read) return std::unexpected(read.error());
  return static_cast<double>(zeros) / random_blocks;
}

}  // namespace diskaudit
