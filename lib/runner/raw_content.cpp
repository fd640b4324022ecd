#include "runner/raw_content.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <atomic>
#include <cstring>

#include "device/inspect_content.hpp"
#include "device/inspect_tree.hpp"
#include "device/inspect_use.hpp"
#include "runner/aside.hpp"
#include "runner/fill.hpp"
#include "runner/shared_value.hpp"

namespace diskaudit {

namespace {

/// Takes over what was found on `name`. The table that a partition is entered in stays where it is
/// when the partition is overwritten, and its other entries are no concern.
void add_content(Content content, bool is_parent, RawContent& all) {
  for (std::string& tag : content.tags)
    if (!is_parent || !tag.starts_with("PART")) all.tags.push_back(std::move(tag));
  for (Signature& signature : content.signatures)
    if (!is_parent || !signature.is_partition_table) all.signatures.push_back(std::move(signature));
}

/// Of the target, its partitions and its whole disk, through the page cache as libblkid needs it.
void read_signatures(const SystemRoot& root, const Disk& disk, RawContent& all) {
  const auto devices = touched_devices(root, disk);
  const Descriptor target = open_to_read(root, disk, devices.front());
  if (!target) all.problem = fmt::format("cannot read {}", disk.path);
  for (const std::string& name : devices) {
    const bool is_parent = name == disk.device.name && name != devices.front();
    const Descriptor parent = is_parent ? open_to_read(root, disk, name) : Descriptor();
    const int fd = is_parent ? parent.get() : target.get();
    if (fd < 0) continue;
    Part part{.device = name};
    if (name != devices.front() && !is_parent) {
      const std::string folder = "/sys/class/block/" + name;
      part.start = Bytes{read_number(root, folder + "/start") * 512};
      part.size = Bytes{read_number(root, folder + "/size") * 512};
    }
    auto content = read_content(fd, part);
    if (!content) all.problem = content.error().message;
    if (content) add_content(std::move(*content), is_parent, all);
  }
}

RawContent read_all(const SystemRoot& root, const Disk& disk, int device) {
  RawContent all;
  read_signatures(root, disk, all);
  if (device < 0) return all;
  const auto data = find_data(device, disk.total);
  if (data) all.data_at = *data;
  if (!data) all.problem = data.error().message;
  return all;
}

/// What the reading process leaves: its findings as strings that end with a zero byte.
struct Found {
  std::atomic<std::size_t> length{0};  ///< 0 until all is there
  char text[1 << 20];
};

std::string packed(const RawContent& all) {
  std::vector<std::string> words = {all.problem, all.data_at ? std::to_string(*all.data_at) : ""};
  for (const Signature& one : all.signatures) {
    const char* kind = one.is_partition_table ? "table" : "signature";
    for (const std::string& word : {std::string(kind), one.device, one.type, one.label, one.uuid})
      words.push_back(word);
  }
  for (const std::string& tag : all.tags) words.insert(words.end(), {"tag", tag});
  std::string text;
  for (const std::string& word : words) text.append(word.c_str(), word.size() + 1);
  return text;
}

RawContent unpacked(const Found& found) {
  std::vector<std::string> words;
  for (const char* at = found.text; at < found.text + found.length; at += words.back().size() + 1)
    words.emplace_back(at);
  RawContent all{.problem = words[0]};
  if (!words[1].empty()) all.data_at = std::stoull(words[1]);
  for (std::size_t at = 2; at < words.size();) {
    if (words[at] == "tag") {
      all.tags.push_back(words[at + 1]);
      at += 2;
      continue;
    }
    all.signatures.push_back({.device = words[at + 1],
                              .type = words[at + 2],
                              .label = words[at + 3],
                              .uuid = words[at + 4],
                              .is_partition_table = words[at] == "table"});
    at += 5;
  }
  return all;
}

}  // namespace

/// A container may have no node of a device, and may call another one so; the target itself has the
/// node that the user named.
Descriptor open_to_read(const SystemRoot& root, const Disk& disk, const std::string& name) {
  const std::string number = root.read("/sys/class/block/" + name + "/dev");
  const std::string path = number == disk.number ? disk.path : "/dev/" + name;
  Descriptor device(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat facts {};
  const bool right = device && ::fstat(device.get(), &facts) == 0 && S_ISBLK(facts.st_mode) &&
                     fmt::format("{}:{}", major(facts.st_rdev), minor(facts.st_rdev)) == number;
  return right ? std::move(device) : Descriptor();
}

RawContent read_raw_content(const SystemRoot& root, const Disk& disk, int device,
                            const std::function<bool()>& stop) {
  const auto found = make_shared_value<Found>();
  if (!found) return {.problem = "cannot look at what it holds: out of memory"};
  const auto read = [&] {
    const std::string text = packed(read_all(root, disk, device));
    if (text.size() > sizeof found->text) return;
    std::memcpy(found->text, text.data(), text.size());
    found->length = text.size();
  };
  const auto ended = run_aside(read, device, longest_request, stop);
  if (!ended) return {.problem = ended.error().message};
  if (*ended == AsideEnd::Stopped) return {.problem = "looking at what it holds was interrupted"};
  if (*ended == AsideEnd::Overdue)
    return {.problem = fmt::format("the disk has not answered for {} s", longest_request.count())};
  if (found->length == 0) return {.problem = "the process that looked at what it holds came to grief"};
  return unpacked(*found);
}

}  // namespace diskaudit
