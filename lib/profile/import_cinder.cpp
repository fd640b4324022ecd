#include <fmt/format.h>

#include "profile/document.hpp"
#include "profile/import_settings.hpp"
#include "text.hpp"

// What `openstack volume qos show -f json` (or yaml) prints, the API's answer, or the `key=value`
// words that `openstack volume qos create` takes. Cinder stores any key, and Nova's libvirt driver
// skips those that it does not know.

namespace diskaudit {
namespace {

Slots known_keys() {
  Slots known = keys_per_second({{"_per_gb", Part::PerGib}, {"_per_gb_min", Part::PerGibFloor}});
  known["size_iops_sec"] = {Part::IoSize};
  for (const char* ignored : {"consumer", "id", "name", "associations", "links"})
    known[ignored] = {};
  return known;
}

Result<std::vector<Setting>> read_settings(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '+' || text[first] == '|'))
    return usage_error(fmt::format(
        "{}:1:1: this is a table for people; add -f json to the command that printed it", file));
  const bool is_json = first != std::string_view::npos && text[first] == '{';
  if (!is_json && text.find('=') != std::string_view::npos) {
    std::vector<Setting> words = words_of(text);
    std::erase_if(words, [](const Setting& word) { return word.key == "--property"; });
    return words;
  }
  const Result<Document> document = parse_yaml(text, file);
  if (!document) return std::unexpected(document.error());
  return settings_of(*document, {{"qos_specs", ""}, {"specs", ""}, {"properties", ""}});
}

/// Only what the front end enforces has these keys and units; a driver's `maxBWS` may be in bytes,
/// KB or MB.
Result<void> check_consumer(const std::string& file, const Setting& consumer) {
  if (consumer.value == "front-end" || consumer.value == "both") return {};
  if (consumer.value == "back-end")
    return value_fault(file, consumer,
                       "consumer is back-end: the volume driver has keys and units of its own; "
                       "write that profile by hand");
  return value_fault(file, consumer,
                     fmt::format("consumer '{}' is none of front-end, back-end, both",
                                 sanitised(consumer.value, 80)));
}

}  // namespace

Result<ImportedLimits> import_cinder(std::string_view text, const std::string& file) {
  const auto settings = read_settings(text, file);
  if (!settings) return std::unexpected(settings.error());
  bool has_consumer = false;
  bool by_driver = false;
  bool per_gib = false;
  for (const Setting& setting : *settings) {
    per_gib = per_gib || setting.key.ends_with("_per_gb");
    if (setting.key != "consumer") continue;
    has_consumer = true;
    by_driver = setting.value == "both";
    if (auto checked = check_consumer(file, setting); !checked)
      return std::unexpected(checked.error());
  }
  Result<ImportedLimits> limits = throttle_limits(*settings, known_keys(), file);
  if (!limits) return limits;
  limits->whole_gib = true;
  if (!has_consumer)
    limits->conditions.push_back({"the consumer of the QoS spec is front-end or both",
                                  "QoS 规格的 consumer 为 front-end 或 both"});
  if (by_driver)
    limits->conditions.push_back(
        {"the volume driver enforces this spec as well, and may take a key for another limit: "
         "Ceph's "
         "takes total_iops_sec_max for a burst of bytes",
         "卷驱动也会执行该规格，且对键的解释可能不同：Ceph 驱动把 total_iops_sec_max "
         "当作字节速率的突发值"});
  if (per_gib)
    limits->conditions.push_back(
        {"attached anew after its last resize: limits per GB are not applied to an attached volume",
         "最近一次扩容后重新挂载过：按容量计算的限速不会作用于已挂载的卷"});
  return limits;
}

}  // namespace diskaudit
