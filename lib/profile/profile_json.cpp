#include "profile/profile_json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

constexpr int depth_limit = 8;

/// The scalar as a JSON number, where it is written as one.
std::optional<Json> number_of(const Document& scalar) {
  const std::string& text = scalar.text;
  if (scalar.quoted || text.empty() || text.front() < '0' || text.front() > '9') return {};
  const bool has_leading_zero = text.size() > 1 && text[0] == '0' && text[1] != '.';
  if (has_leading_zero) return {};
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [rest, failure] = std::from_chars(text.data(), end, integer);
      failure == std::errc() && rest == end)
    return Json(integer);
  double value = 0;
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || !std::isfinite(value)) return {};
  return Json(value);
}

Json limits_to_json(const Limits& limits) {
  Json json = Json::object();
  json["iops"] = limits.iops ? Json(limits.iops->value) : Json(nullptr);
  json["bytes_per_second"] = limits.throughput ? Json(limits.throughput->value) : Json(nullptr);
  return json;
}

Json sources_to_json(const std::vector<Source>& sources) {
  Json list = Json::array();
  for (const Source& source : sources) {
    Json item = {{"title", source.title}, {"url", source.url}};
    if (!source.dated.empty()) item["dated"] = source.dated;
    item["read"] = source.read;
    list.push_back(std::move(item));
  }
  return list;
}

Result<Document> scalar_from_json(const Json& json) {
  Document scalar;
  if (json.is_string()) {
    scalar.text = json.get<std::string>();
    scalar.quoted = true;
  } else if (json.is_number_integer()) {
    scalar.text = json.dump();
  } else if (json.is_number_float()) {
    scalar.text = fmt::format("{}", json.get<double>());
  } else {
    return usage_error(fmt::format(
        "cannot read profile: a value is {}, not text, number, list or mapping", json.type_name()));
  }
  return scalar;
}

Result<Document> from_json(const Json& json, int depth) {
  if (!json.is_structured()) return scalar_from_json(json);
  if (depth == depth_limit)
    return usage_error(
        fmt::format("cannot read profile: nested deeper than {} levels", depth_limit));
  Document document;
  document.kind = json.is_array() ? Document::Kind::Sequence : Document::Kind::Mapping;
  for (const auto& [key, value] : json.items()) {
    Result<Document> child = from_json(value, depth + 1);
    if (!child) return child;
    if (json.is_array())
      document.items.push_back(std::move(*child));
    else
      document.members.emplace_back(key, std::move(*child));
  }
  return document;
}

}  // namespace

Json document_to_json(const Document& document) {
  if (document.kind == Document::Kind::Scalar)
    return number_of(document).value_or(Json(document.text));
  Json json = document.kind == Document::Kind::Sequence ? Json::array() : Json::object();
  for (const Document& item : document.items) json.push_back(document_to_json(item));
  for (const auto& [key, value] : document.members) json[key] = document_to_json(value);
  return json;
}

Result<Document> document_from_json(const Json& json) { return from_json(json, 0); }

Json profile_to_json(const Profile& profile, const Inputs& inputs) {
  Json json = {{"id", profile.id}};
  json["vendor"] = {{"en", profile.vendor.en}, {"zh", profile.vendor.zh}};
  json["name"] = {{"en", profile.name.en}, {"zh", profile.name.zh}};
  json["inputs"] = Json::object();
  for (const auto& [name, value] : inputs) json["inputs"][name] = value;
  json["sources"] = sources_to_json(profile.sources);
  json["definition"] = document_to_json(profile.document);
  return json;
}

Result<Profile> profile_from_json(const Json& profile) {
  if (!profile.is_object() || !profile.contains("definition"))
    return usage_error("cannot read profile: it lacks the key 'definition'");
  const Result<Document> document = document_from_json(profile["definition"]);
  if (!document) return std::unexpected(document.error());
  return read_profile(*document, "profile in record");
}

Result<Inputs> inputs_from_json(const Json& profile) {
  if (!profile.is_object() || !profile.contains("inputs") || !profile["inputs"].is_object())
    return usage_error("cannot read profile: it lacks the key 'inputs'");
  Inputs inputs;
  for (const auto& [name, value] : profile["inputs"].items()) {
    if (!value.is_number())
      return usage_error(fmt::format("cannot read profile: input '{}' is no number", name));
    inputs[name] = value.get<double>();
  }
  return inputs;
}

Json quota_to_json(const Quota& quota) {
  Json json = {{"read", limits_to_json(quota.read)},
               {"write", limits_to_json(quota.write)},
               {"total", limits_to_json(quota.total)},
               {"unit", name_of(quota.unit)}};
  json["explain"] = quota.explain;
  return json;
}

}  // namespace diskaudit
