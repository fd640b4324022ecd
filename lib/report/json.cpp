#include <cmath>

#include "profile/profile_json.hpp"
#include "report/formats.hpp"
#include "report/json_text.hpp"
#include "report/record.hpp"
#include "report/record_visitor.hpp"
#include "report/sha256.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

/// Builds the record as a tree; `open_` are the objects and lists being filled, outermost first.
class RecordWriter final : public RecordVisitor {
 public:
  explicit RecordWriter(Json& root) : open_{&root} {}

  void value(std::string_view key, bool& value) override { put(key, value); }
  void value(std::string_view key, double& value) override { put(key, number(value)); }
  void value(std::string_view key, std::uint64_t& value, std::uint64_t) override {
    put(key, value);
  }
  void value(std::string_view key, std::string& value) override { put(key, value); }
  void strings(std::string_view key, std::vector<std::string>& values) override {
    Json list = Json::array();
    for (const std::string& value : values) list.push_back(value);
    put(key, std::move(list));
  }
  void column(std::string_view key, std::vector<std::uint64_t>& values) override {
    put(key, Json(values));
  }
  void column(std::string_view key, std::vector<double>& values) override {
    Json list = Json::array();
    for (const double value : values) list.push_back(number(std::round(value * 10) / 10));
    put(key, std::move(list));
  }
  void columns(std::string_view key, std::vector<std::vector<std::uint64_t>>& values,
               std::size_t) override {
    put(key, Json(values));
  }
  void figures(std::string_view key, std::vector<std::pair<std::string, double>>& values) override {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = number(value);
    put(key, std::move(object));
  }
  void choice(std::string_view key, std::span<const std::string_view> names,
              std::size_t& index) override {
    put(key, std::string(names[index]));
  }

  bool optional(std::string_view key, bool present) override {
    if (!present) put(key, nullptr);
    return present;
  }
  void enter(std::string_view key) override { open_.push_back(&put(key, Json::object())); }
  void leave() override { open_.pop_back(); }
  std::size_t enter_list(std::string_view key, std::size_t size) override {
    open_.push_back(&put(key, Json::array()));
    return size;
  }
  void enter_item(std::size_t) override {
    open_.back()->push_back(Json::object());
    open_.push_back(&open_.back()->back());
  }

  void profile(Plan& plan) override {
    put("profile", plan.profile ? profile_to_json(*plan.profile, plan.inputs) : Json(nullptr));
    put("quota", plan.quota ? quota_to_json(*plan.quota) : Json(nullptr));
  }

  void derived(std::string_view key, double value) override { put(key, number(value)); }
  void derived(std::string_view key, const std::string& value) override { put(key, value); }

 private:
  Json& put(std::string_view key, Json value) {
    return open_.back()->emplace(std::string(key), std::move(value)).first.value();
  }

  std::vector<Json*> open_;
};

Json tree_of(const Audit& audit) {
  Json record = {{"schema", record_schema}};
  RecordWriter writer(record);
  Audit copy = audit;
  visit_record(writer, copy);
  return record;
}

}  // namespace

std::string digest_of(const Audit& audit) { return "sha256:" + sha256(to_text(tree_of(audit))); }

std::string render_json(const Audit& audit, const ReportStyle&) {
  Json record = tree_of(audit);
  record["digest"] = "sha256:" + sha256(to_text(record));
  return to_text(record);
}

}  // namespace diskaudit
