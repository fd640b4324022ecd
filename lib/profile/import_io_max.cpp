#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "profile/import_settings.hpp"
#include "text.hpp"

// A line of the cgroup file io.max: "8:16 rbps=2097152 wbps=max riops=max wiops=120". There is no
// total, and unlike elsewhere the kernel refuses 0.

namespace diskaudit {
namespace {

bool is_device(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == word.size()) return false;
  return word.size() < 20 &&
         std::ranges::all_of(word, [](char c) { return (c >= '0' && c <= '9') || c == ':'; }) &&
         std::ranges::count(word, ':') == 1;
}

/// The device, in the first word; every other word sets a limit.
Result<std::string> device_of(const std::vector<Setting>& words, const std::string& file) {
  if (words.empty()) return usage_error(fmt::format("{}:1:1: the file is empty", file));
  if (words.front().has_value || !is_device(words.front().key))
    return key_fault(
        file, words.front(),
        fmt::format("expected a device as MAJ:MIN, not '{}'", sanitised(words.front().key, 80)));
  return words.front().key;
}

}  // namespace

Result<ImportedLimits> import_io_max(std::string_view text, const std::string& file) {
  static const Slots known{{"rbps", {Part::Rate, Quantity::Bytes, Direction::Read}},
                           {"wbps", {Part::Rate, Quantity::Bytes, Direction::Write}},
                           {"riops", {Part::Rate, Quantity::Iops, Direction::Read}},
                           {"wiops", {Part::Rate, Quantity::Iops, Direction::Write}}};
  std::vector<Setting> words = words_of(text);
  const Result<std::string> device = device_of(words, file);
  if (!device) return std::unexpected(device.error());
  words.erase(words.begin());
  for (const Setting& word : words) {
    if (!word.has_value && is_device(word.key))
      return key_fault(file, word,
                       fmt::format("limits of a second device, {}; keep the line of the disk to "
                                   "test",
                                   word.key));
    const bool is_zero =
        !word.value.empty() && word.value.find_first_not_of('0') == std::string::npos;
    if (known.contains(word.key) && is_zero)
      return value_fault(file, word,
                         fmt::format("{} cannot be 0 here; no limit is 'max'", word.key));
  }
  // A limit of "max" is none, as 0 is in the layers whose rules are applied next.
  for (Setting& word : words) {
    if (word.value == "max") word.value = "0";
  }
  Result<ImportedLimits> limits = throttle_limits(words, known, file);
  if (!limits) return limits;
  limits->conditions.push_back(
      {fmt::format("only processes of the limited cgroup are held to it, on device {}", *device),
       fmt::format("仅限速该 cgroup 中的进程，设备 {}", *device)});
  return limits;
}

}  // namespace diskaudit
