#include "profile/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

namespace diskaudit {
namespace {

constexpr std::size_t size_limit = 64 * 1024;
constexpr std::size_t depth_limit = 8;
constexpr std::size_t string_limit = 4 * 1024;

struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Leaves the parser from within a callback; caught in parse_yaml.
struct Rejected {
  Position at;
  std::string what;
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Turns the parser's byte columns into character columns, so that errors point where people look.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  Position at(const YAML::Mark& mark) const {
    if (mark.is_null()) return {};
    Position position{static_cast<std::size_t>(mark.line) + 1,
                      static_cast<std::size_t>(mark.column) + 1};
    if (position.line > starts_.size()) return position;
    const std::size_t start = starts_[position.line - 1];
    const std::string_view before = text_.substr(start, static_cast<std::size_t>(mark.column));
    position.column -= static_cast<std::size_t>(std::ranges::count_if(before, is_continuation));
    return position;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// Builds a Document from the parser's events; refuses whatever could surprise a reader.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Places& places) : places_(places) {}

  bool is_complete() const { return complete_; }
  Document& root() { return root_; }
  const std::optional<Rejected>& missing() const { return missing_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (complete_) reject(mark, "a second YAML document; keep one per file");
  }
  void OnDocumentEnd() override {}

  /// Remembered and not thrown at once: a file that breaks off has missing values too, and then the
  /// parser's own message tells more.
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    const bool is_value = !levels_.empty() && levels_.back().has_key;
    if (!missing_ && is_value)
      missing_ = Rejected{
          levels_.back().key_at,
          fmt::format("key '{}' has no value; give one or drop the key", levels_.back().key)};
    if (!missing_) missing_ = Rejected{places_.at(mark), "a value is missing"};
    if (expects_key()) return take_key(mark, "");
    add(node(mark, Document::Kind::Scalar));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    reject(mark, "YAML aliases are not allowed; write the value out");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    if (value.size() > string_limit)
      reject(mark, fmt::format("text is longer than {} bytes", string_limit));
    // Escapes such as "\x07" can bring in what the file itself may not hold.
    if (std::ranges::any_of(value, [](unsigned char c) { return c < ' ' && c != '\n'; }))
      reject(mark, "text holds control characters");
    if (expects_key()) return take_key(mark, value);
    Document scalar = node(mark, Document::Kind::Scalar);
    scalar.text = value;
    scalar.quoted = tag == "!";
    add(std::move(scalar));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Document::Kind::Sequence);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Document::Kind::Mapping);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    Document document{};
    bool has_key = false;
    std::string key{};
    Position key_at{};
  };

  [[noreturn]] void reject(const YAML::Mark& mark, std::string what) const {
    throw Rejected{places_.at(mark), std::move(what)};
  }

  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != 0) reject(mark, "YAML anchors are not allowed; write the value out");
    if (!tag.empty() && tag != "?" && tag != "!") reject(mark, "YAML tags are not allowed");
  }

  bool expects_key() const {
    return !levels_.empty() && levels_.back().document.kind == Document::Kind::Mapping &&
           !levels_.back().has_key;
  }

  Document node(const YAML::Mark& mark, Document::Kind kind) const {
    const Position position = places_.at(mark);
    Document result;
    result.kind = kind;
    result.line = position.line;
    result.column = position.column;
    return result;
  }

  void take_key(const YAML::Mark& mark, const std::string& key) {
    if (key == "<<") reject(mark, "YAML merge keys are not allowed; write the keys out");
    if (levels_.back().document.find(key))
      reject(mark, fmt::format("key '{}' is given twice", key));
    levels_.back().key = key;
    levels_.back().has_key = true;
    levels_.back().key_at = places_.at(mark);
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Document::Kind kind) {
    check(mark, tag, anchor);
    if (expects_key()) reject(mark, "a key must be a plain text");
    if (levels_.size() == depth_limit)
      reject(mark, fmt::format("nested deeper than {} levels", depth_limit));
    levels_.push_back({.document = node(mark, kind)});
  }

  void close() {
    Document done = std::move(levels_.back().document);
    levels_.pop_back();
    add(std::move(done));
  }

  void add(Document document) {
    if (levels_.empty()) {
      root_ = std::move(document);
      complete_ = true;
      return;
    }
    Level& level = levels_.back();
    if (level.document.kind == Document::Kind::Sequence) {
      level.document.items.push_back(std::move(document));
      return;
    }
    document.key_line = level.key_at.line;
    document.key_column = level.key_at.column;
    level.document.members.emplace_back(std::move(level.key), std::move(document));
    level.has_key = false;
  }

  const Places& places_;
  std::vector<Level> levels_;
  Document root_;
  bool complete_ = false;
  std::optional<Rejected> missing_;
};

/// The length of the UTF-8 character that starts at `text[at]`; 0 where there is none. Overlong
/// forms, surrogates and control characters count as none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80)
    return first >= ' ' && first != 0x7F ? 1 : (first == '\n' || first == '\r' || first == '\t');
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) >= 0xA0) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first > 0xF4 || (first == 0xF4 && byte(1) >= 0x90)) return 0;
  return length;
}

void check_characters(std::string_view text) {
  Position position;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) throw Rejected{position, "not a plain UTF-8 text"};
    ++position.column;
    if (text[at] == '\n') position = {position.line + 1, 1};
    at += length;
  }
}

Document parse(std::string_view text) {
  if (text.size() > size_limit)
    throw Rejected{{}, fmt::format("file is larger than {} KiB", size_limit / 1024)};
  check_characters(text);
  const Places places(text);
  Builder builder(places);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& exception) {
    throw Rejected{places.at(exception.mark), "malformed YAML: " + exception.msg};
  }
  if (!builder.is_complete()) throw Rejected{{}, "file is empty"};
  if (builder.missing()) throw *builder.missing();
  return std::move(builder.root());
}

}  // namespace

const Document* Document::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<Document> parse_yaml(std::string_view text, const std::string& file) {
  try {
    return parse(text);
  } catch (const Rejected& rejected) {
    return usage_error(
        fmt::format("{}:{}:{}: {}", file, rejected.at.line, rejected.at.column, rejected.what));
  } catch (const std::exception& exception) {
    return usage_error(fmt::format("{}:1:1: cannot parse YAML: {}", file, exception.what()));
  }
}

}  // namespace diskaudit
