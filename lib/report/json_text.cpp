#include "report/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "text.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_bytes = std::size_t{64} << 20;
constexpr std::size_t max_depth = 32;
constexpr std::size_t max_members = 4096;

void append_number(std::string& text, double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, std::isfinite(value) ? value : 0.0);
  text.append(digits, end.ptr);
}

/// Of a character that UTF-8 spells in at most three bytes, as all are that steer a terminal.
std::string utf16_escape(std::string_view utf8) {
  unsigned code = static_cast<unsigned char>(utf8[0]);
  if (utf8.size() > 1) code &= utf8.size() == 2 ? 0x1F : 0x0F;
  for (const char next : utf8.substr(1))
    code = (code << 6) | (static_cast<unsigned char>(next) & 0x3F);
  return fmt::format("\\u{:04x}", code);
}

/// Spells the characters of a string that a terminal would act upon, or with which a command to a
/// CI server begins, in JSON's other way, which means the same.
std::string escaped(std::string_view json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    std::size_t length = 1;
    while (at + length < json.size() && (json[at + length] & 0xC0) == 0x80) ++length;
    const std::string_view character = json.substr(at, length);
    const bool is_command = json.substr(at).starts_with("##");
    if (is_command) text += "\\u0023";
    if (!is_command && !sanitised(character).empty()) text += character;
    if (sanitised(character).empty()) text += utf16_escape(character);
    at += length;
  }
  return text;
}

void append_scalar(std::string& text, const Json& json) {
  if (json.is_number_float()) return append_number(text, json.get<double>());
  const std::string scalar = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text += sanitised(scalar, scalar.size()) == scalar ? scalar : escaped(scalar);
}

void append(std::string& text, const Json& json, std::size_t indent);

void append_items(std::string& text, const Json& list, std::size_t indent) {
  const bool plain =
      std::ranges::all_of(list, [](const Json& item) { return !item.is_structured(); });
  const std::string line_break = "\n" + std::string(indent + 2, ' ');
  const char* separator = "";
  text += '[';
  for (const Json& item : list) {
    text += separator;
    if (!plain) text += line_break;
    append(text, item, indent + 2);
    separator = plain ? ", " : ",";
  }
  if (!plain) text += "\n" + std::string(indent, ' ');
  text += ']';
}

void append_members(std::string& text, const Json& object, std::size_t indent) {
  if (object.empty()) {
    text += "{}";
    return;
  }
  const char* separator = "";
  text += '{';
  for (const auto& [key, value] : object.items()) {
    text += separator;
    text += "\n" + std::string(indent + 2, ' ');
    append_scalar(text, key);
    text += ": ";
    append(text, value, indent + 2);
    separator = ",";
  }
  text += "\n" + std::string(indent, ' ') + '}';
}

void append(std::string& text, const Json& json, std::size_t indent) {
  if (json.is_object()) return append_members(text, json, indent);
  if (json.is_array()) return append_items(text, json, indent);
  append_scalar(text, json);
}

/// What is wrong with the shape, found without building anything: copying and freeing deep values
/// recurses, and looking for a member of an ordered object takes time in its size.
const char* shape_fault(std::string_view text) {
  std::vector<std::size_t> members;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') members.push_back(0);
    if (members.size() > max_depth) return "is nested more than 32 deep";
    if ((c == '}' || c == ']') && !members.empty()) members.pop_back();
    if (c == ':' && !members.empty() && ++members.back() > max_members) {
      return "has an object of more than 4096 members";
    }
  }
  return nullptr;
}

/// The first key that one object gives twice: what stands first would be read by people, and the
/// second by programs.
class KeysSeen {
 public:
  void look_at(Json::parse_event_t event, const Json& json) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event != Json::parse_event_t::key) return;
    const auto& key = json.get_ref<const std::string&>();
    if (!open_.back().insert(key).second && !twice_) twice_ = key;
  }
  const std::optional<std::string>& twice() const { return twice_; }

 private:
  std::vector<std::set<std::string>> open_{};
  std::optional<std::string> twice_{};
};

}  // namespace

std::string to_text(const Json& json) {
  std::string text;
  append(text, json, 0);
  text += '\n';
  return text;
}

Json number(double value) {
  if (!std::isfinite(value)) return 0;
  if (std::trunc(value) == value && std::abs(value) < 9e15) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Result<Json> parse_json(std::string_view text, std::string_view what) {
  if (text.size() > max_bytes) return usage_error(fmt::format("{} is over 64 MiB", what));
  if (const char* fault = shape_fault(text)) return usage_error(fmt::format("{} {}", what, fault));
  try {
    KeysSeen keys;
    Json json = Json::parse(text, [&](int, Json::parse_event_t event, const Json& parsed) {
      keys.look_at(event, parsed);
      return true;
    });
    if (keys.twice())
      return usage_error(fmt::format("{} gives '{}' twice", what, keys.twice()->substr(0, 64)));
    return json;
  } catch (const Json::parse_error& fault) {
    return usage_error(fmt::format("{} is not JSON from byte {} on; it may have been cut or edited",
                                   what, fault.byte));
  } catch (const Json::exception&) {
    return usage_error(fmt::format("{} holds a number that is out of range", what));
  }
}

}  // namespace diskaudit
