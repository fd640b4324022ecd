#include "profile/profile_json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <system_error>

#include "profile/reader.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

constexpr int depth_limit = 8;

/// The scalar as a JSON number, where it is written as one.
std::optional<Json> number_of(const Document& scalar) {
  const std::string& text = scalar.text;
  if (!is_number(scalar)) return {};
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

/// The name of a choice, or the number.
Json input_to_json(const Profile& profile, const std::string& name, double value) {
  for (const Input& input : profile.inputs) {
    if (input.name != name) continue;
    for (const auto& [choice, number] : input.choices) {
      if (number == value) return choice;
    }
  }
  return value;
}

/// The number that the definition gives to a choice.
std::optional<double> choice_number(const Json& profile, const std::string& input,
                                    const std::string& choice) {
  const Json* at = &profile;
  for (const std::string& key :
       {std::string("definition"), std::string("inputs"), input, std::string("choices")}) {
    if (!at->is_object() || !at->contains(key)) return {};
    at = &(*at)[key];
  }
  const Json& choices = *at;
  if (choices.is_object() && choices.contains(choice) && choices[choice].is_number())
    return choices[choice].get<double>();
  for (std::size_t i = 0; choices.is_array() && i < choices.size(); ++i) {
    const Json& name = choices[i];
    if ((name.is_string() ? name.get<std::string>() : name.dump()) == choice)
      return static_cast<double>(i);
  }
  return {};
}

Json burst_to_json(const std::optional<Burst>& burst, std::string_view rate_key) {
  if (!burst) return nullptr;
  const auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  Json json = Json::object();
  json[std::string(rate_key)] = burst->rate;
  json["bucket"] = number(burst->bucket);
  json["refill"] = number(burst->refill);
  json["seconds"] = number(burst->seconds);
  return json;
}

Json disputes_to_json(const std::vector<DisputedQuota>& disputes) {
  Json list = Json::array();
  for (const DisputedQuota& dispute : disputes) {
    Json item = {{"note", {{"en", dispute.note.en}, {"zh", dispute.note.zh}}}};
    item["read"] = limits_to_json(dispute.read);
    item["write"] = limits_to_json(dispute.write);
    item["total"] = limits_to_json(dispute.total);
    item["explain"] = dispute.explain;
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
  for (const auto& [name, value] : inputs)
    json["inputs"][name] = input_to_json(profile, name, value);
  if (!profile.as_of.empty()) json["as_of"] = profile.as_of;
  json["sources"] = sources_to_json(profile.sources);
  json["definition"] = document_to_json(profile.document);
  return json;
}

Result<Profile> profile_from_json(const Json& profile) {
  if (!profile.is_object() || !profile.contains("definition"))
    return usage_error("cannot read profile: it lacks the key 'definition'");
  const Result<Document> document = document_from_json(profile["definition"]);
  if (!document) return std::unexpected(document.error());
  Result<Profile> read = read_profile(*document, "profile in record");
  if (!read || !profile.contains("as_of")) return read;
  if (!profile["as_of"].is_string()) return usage_error("cannot read profile: 'as_of' is no date");
  return as_of(*read, profile["as_of"].get<std::string>());
}

Result<Inputs> inputs_from_json(const Json& profile) {
  if (!profile.is_object() || !profile.contains("inputs") || !profile["inputs"].is_object())
    return usage_error("cannot read profile: it lacks the key 'inputs'");
  Inputs inputs;
  for (const auto& [name, value] : profile["inputs"].items()) {
    std::optional<double> number;
    if (value.is_number()) number = value.get<double>();
    if (value.is_string()) number = choice_number(profile, name, value.get<std::string>());
    if (!number)
      return usage_error(
          fmt::format("cannot read profile: input '{}' is neither number nor choice", name));
    inputs[name] = *number;
  }
  return inputs;
}

Json quota_to_json(const Quota& quota) {
  Json json = {{"read", limits_to_json(quota.read)},
               {"write", limits_to_json(quota.write)},
               {"total", limits_to_json(quota.total)},
               {"unit", name_of(quota.unit)}};
  json["explain"] = quota.explain;
  if (quota.combine == Combine::Serial) json["combine"] = "serial";
  if (quota.io_unit)
    json["io_unit"] = {{"bytes", quota.io_unit->size.value},
                       {"rounding", quota.io_unit->rounds_up ? "up" : "exact"},
                       {"full_charge", quota.io_unit->full_charge}};
  if (quota.iops_burst || quota.throughput_burst)
    json["burst"] = {{"iops", burst_to_json(quota.iops_burst, "iops")},
                     {"throughput", burst_to_json(quota.throughput_burst, "bytes_per_second")}};
  if (!quota.disputes.empty()) json["disputes"] = disputes_to_json(quota.disputes);
  return json;
}

}  // namespace diskaudit
