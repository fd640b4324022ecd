#include "report/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "profile/profile_json.hpp"
#include "report/json_text.hpp"
#include "report/record_visitor.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

/// Fills an Audit from the tree. The first fault is kept; after it everything reads as empty, so
/// that the description need not ask after each value.
class RecordReader final : public RecordVisitor {
 public:
  explicit RecordReader(const Json& root) : open_{{&root, ""}} {}

  const std::string& fault() const { return fault_; }

  void value(std::string_view key, bool& value) override {
    if (const Json* json = find(key, &Json::is_boolean, "true or false")) value = json->get<bool>();
  }
  void value(std::string_view key, double& value) override {
    if (const Json* json = find(key, &Json::is_number, "a number")) value = json->get<double>();
  }
  void value(std::string_view key, std::uint64_t& value, std::uint64_t max) override {
    const Json* json = find(key, &Json::is_number_unsigned, "a whole number, 0 or more");
    if (!json) return;
    const auto read = json->get<std::uint64_t>();
    if (read > max) return fail(path_of(key), fmt::format("is over {}", max));
    value = read;
  }
  void value(std::string_view key, std::string& value) override {
    if (const Json* json = find(key, &Json::is_string, "a string")) {
      value = json->get<std::string>();
    }
  }
  void strings(std::string_view key, std::vector<std::string>& values) override {
    read_list(key, values, &Json::is_string, "a list of strings");
  }
  void column(std::string_view key, std::vector<std::uint64_t>& values) override {
    read_list(key, values, &Json::is_number_unsigned, "a list of whole numbers");
  }
  void column(std::string_view key, std::vector<double>& values) override {
    read_list(key, values, &Json::is_number, "a list of numbers");
  }
  void columns(std::string_view key, std::vector<std::vector<std::uint64_t>>& values,
               std::size_t most) override {
    values.clear();
    const Json* list = find(key, &Json::is_array, "a list of lists of whole numbers");
    if (!list) return;
    if (list->size() > most) return fail(path_of(key), fmt::format("has more than {} lists", most));
    for (const Json& inner : *list) {
      if (!is_all(inner, &Json::is_number_unsigned)) {
        return fail(path_of(key), "must be a list of lists of whole numbers");
      }
      values.push_back(inner.get<std::vector<std::uint64_t>>());
    }
  }
  void figures(std::string_view key, std::vector<std::pair<std::string, double>>& values) override {
    values.clear();
    const Json* object = find(key, &Json::is_object, "an object of numbers");
    if (!object) return;
    for (const auto& [name, value] : object->items()) {
      if (!value.is_number()) return fail(path_of(key) + "." + name, "must be a number");
      values.emplace_back(name, value.get<double>());
    }
  }
  void choice(std::string_view key, std::span<const std::string_view> names,
              std::size_t& index) override {
    const Json* json = find(key, &Json::is_string, "a string");
    if (!json) return;
    const auto found = std::ranges::find(names, json->get_ref<const std::string&>());
    if (found == names.end()) {
      constexpr std::size_t few = 8;
      return fail(path_of(key), names.size() > few
                                    ? "has a value that this version does not know"
                                    : fmt::format("must be one of {}", fmt::join(names, ", ")));
    }
    index = static_cast<std::size_t>(found - names.begin());
  }

  bool optional(std::string_view key, bool) override {
    const Json* json = member(key);
    return json && !json->is_null();
  }
  void enter(std::string_view key) override {
    open_.push_back({find(key, &Json::is_object, "an object"), path_of(key)});
  }
  void leave() override { open_.pop_back(); }
  std::size_t enter_list(std::string_view key, std::size_t) override {
    const Json* list = find(key, &Json::is_array, "a list");
    open_.push_back({list, path_of(key)});
    return list ? list->size() : 0;
  }
  void enter_item(std::size_t index) override {
    const Json* list = open_.back().json;
    const Json* item = list && fault_.empty() ? &(*list)[index] : nullptr;
    std::string path = fmt::format("{}[{}]", open_.back().path, index);
    if (item && !item->is_object()) fail(path, "must be an object");
    open_.push_back({item, std::move(path)});
  }

  void profile(Plan& plan) override {
    if (!optional("profile", true)) return;
    const Json* json = find("profile", &Json::is_object, "an object or null");
    if (!json) return;
    auto profile = profile_from_json(*json);
    if (!profile) return fail("profile", profile.error().message);
    auto inputs = inputs_from_json(*json);
    if (!inputs) return fail("profile.inputs", inputs.error().message);
    auto quota = evaluate(*profile, *inputs);
    if (!quota) return fail("profile", quota.error().message);
    plan.profile = std::move(*profile);
    plan.inputs = std::move(*inputs);
    plan.quota = std::move(*quota);
  }

 private:
  struct Open {
    const Json* json;
    std::string path;
  };

  std::string path_of(std::string_view key) const {
    const std::string& outer = open_.back().path;
    return outer.empty() ? std::string(key) : outer + "." + std::string(key);
  }

  void fail(const std::string& path, std::string_view what) {
    if (fault_.empty()) fault_ = fmt::format("{}: {}", path, what);
  }

  const Json* member(std::string_view key) const {
    const Json* object = open_.back().json;
    if (!object || !object->is_object() || !fault_.empty()) return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
  }

  const Json* find(std::string_view key, bool (Json::*is_right)() const noexcept,
                   std::string_view what) {
    const Json* json = member(key);
    if (json && (json->*is_right)()) return json;
    fail(path_of(key), fmt::format("{} {}", json ? "must be" : "is missing, should be", what));
    return nullptr;
  }

  static bool is_all(const Json& list, bool (Json::*is_right)() const noexcept) {
    return list.is_array() &&
           std::ranges::all_of(list, [is_right](const Json& item) { return (item.*is_right)(); });
  }

  template <typename T>
  void read_list(std::string_view key, std::vector<T>& values,
                 bool (Json::*is_right)() const noexcept, std::string_view what) {
    values.clear();
    const Json* list = find(key, &Json::is_array, what);
    if (!list) return;
    if (!is_all(*list, is_right)) return fail(path_of(key), fmt::format("must be {}", what));
    for (const Json& item : *list) values.push_back(item.get<T>());
  }

  std::vector<Open> open_;
  std::string fault_;
};

Result<void> check_schema(const Json& record) {
  const auto found = record.is_object() ? record.find("schema") : record.end();
  if (!record.is_object() || found == record.end() || !found->is_string()) {
    return usage_error("this is not a record of diskaudit: it has no schema");
  }
  const auto& schema = found->get_ref<const std::string&>();
  if (schema == record_schema) return {};
  return usage_error(
      fmt::format("record has schema {:?}, this version reads {:?}; use the version "
                  "that wrote it, or a newer one",
                  schema.substr(0, 64), record_schema));
}

}  // namespace

Result<Audit> read_record(std::string_view json) {
  const auto record = parse_json(json, "record");
  if (!record) return std::unexpected(record.error());
  if (auto known = check_schema(*record); !known) return std::unexpected(known.error());
  Audit audit;
  RecordReader reader(*record);
  visit_record(reader, audit);
  if (!reader.fault().empty()) return usage_error("record: " + reader.fault());
  return audit;
}

}  // namespace diskaudit
