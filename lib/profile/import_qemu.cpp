#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "profile/document.hpp"
#include "profile/import_settings.hpp"

// Options of `-drive` and of `-object throttle-group`, the latter also as JSON, and the arguments
// of block_set_io_throttle.

namespace diskaudit {
namespace {

// What else a -drive option or a JSON object may say, and does not limit anything.
constexpr std::array others = {
    "file",     "if",           "bus",    "unit",    "index",         "media",     "format",
    "id",       "cache",        "aio",    "discard", "detect-zeroes", "snapshot",  "serial",
    "readonly", "read-only",    "werror", "rerror",  "driver",        "node-name", "auto-read-only",
    "locking",  "copy-on-read", "device", "execute", "qom-type"};

void add_keys(Slots& known, Quantity quantity, Direction direction, const std::string& word,
              const std::string& legacy) {
  for (const char* prefix : {"", "throttling.", "limits.", "x-"}) {
    const std::string key = prefix + word;
    known[key] = {Part::Rate, quantity, direction};
    known[key + "-max"] = {Part::Burst, quantity, direction};
    known[key + "-max-length"] = {Part::BurstSeconds, quantity, direction};
  }
  known[legacy] = {Part::Rate, quantity, direction};
  known[legacy + "_max"] = {Part::Burst, quantity, direction};
  known[legacy + "_max_length"] = {Part::BurstSeconds, quantity, direction};
}

Slots known_keys() {
  Slots known{{"iops-size", {Part::IoSize}},        {"throttling.iops-size", {Part::IoSize}},
              {"limits.iops-size", {Part::IoSize}}, {"x-iops-size", {Part::IoSize}},
              {"iops_size", {Part::IoSize}},        {"throttling.group", {Part::Group}},
              {"throttle-group", {Part::Group}},    {"group", {Part::Group}}};
  for (const char* other : others) known[other] = {};
  for (const auto& [quantity, unit] : {std::pair{Quantity::Iops, std::string("iops")},
                                       std::pair{Quantity::Bytes, std::string("bps")}}) {
    add_keys(known, quantity, Direction::Total, unit + "-total", unit);
    add_keys(known, quantity, Direction::Read, unit + "-read", unit + "_rd");
    add_keys(known, quantity, Direction::Write, unit + "-write", unit + "_wr");
  }
  return known;
}

bool limits_nothing(const Setting& word) {
  constexpr std::array options = {"-drive", "-object", "-blockdev", "throttle-group"};
  if (!word.has_value) return std::ranges::count(options, word.key) > 0;
  return word.key.starts_with("file.") || word.key.starts_with("cache.");
}

Result<std::vector<Setting>> read_settings(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return words_of(text);
  const Result<Document> document = parse_yaml(text, file);
  if (!document) return std::unexpected(document.error());
  return settings_of(
      *document,
      {{"limits", "limits."}, {"throttling", "throttling."}, {"arguments", ""}, {"props", ""}});
}

}  // namespace

Result<ImportedLimits> import_qemu(std::string_view text, const std::string& file) {
  auto settings = read_settings(text, file);
  if (!settings) return std::unexpected(settings.error());
  std::erase_if(*settings, limits_nothing);
  return throttle_limits(*settings, known_keys(), file);
}

}  // namespace diskaudit
