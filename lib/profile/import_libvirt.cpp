#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "profile/import_settings.hpp"
#include "text.hpp"

// The <iotune> element of a disk, alone or within the <disk> or <domain> that holds it. Just enough
// XML to find it and be sure of it: elements, attributes and comments; no DTD, no entities.

namespace diskaudit {
namespace {

constexpr std::size_t depth_limit = 64;

Slots known_keys() {
  Slots known = keys_per_second({{"_max_length", Part::BurstSeconds}});
  known["size_iops_sec"] = {Part::IoSize};
  known["group_name"] = {Part::Group};
  return known;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool ends_name(char c) { return is_blank(c) || c == '>' || c == '/' || c == '<'; }

class IotuneReader {
 public:
  IotuneReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<Setting>> read() {
    while (at_ < text_.size()) {
      const Result<void> step = text_[at_] == '<' ? read_markup() : read_text();
      if (!step) return std::unexpected(step.error());
    }
    if (!open_.empty()) return fault(open_.back(), "<{}> is not closed", open_.back().key);
    if (!seen_) return fault(place(), "no <iotune> in this file");
    return std::move(settings_);
  }

 private:
  template <typename... Values>
  std::unexpected<Error> fault(const Setting& at, fmt::format_string<Values...> what,
                               Values&&... values) const {
    return key_fault(file_, at, sanitised(fmt::format(what, std::forward<Values>(values)...), 300));
  }

  Setting place() const {
    return {.line = line_, .column = column_, .value_line = line_, .value_column = column_};
  }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count, ++at_) {
      const bool ends_line = text_[at_] == '\n';
      line_ += ends_line ? 1 : 0;
      const bool starts_character = (static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80;
      column_ = ends_line ? 1 : column_ + (starts_character ? 1 : 0);
    }
  }

  bool in_iotune() const { return !open_.empty() && open_.back().key == "iotune"; }
  bool in_setting() const { return open_.size() >= 2 && open_[open_.size() - 2].key == "iotune"; }

  Result<void> read_text() {
    while (at_ < text_.size() && is_blank(text_[at_])) advance(1);
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) return {};
    if (open_.empty()) return fault(place(), "expected an XML element, not text");
    if (in_iotune()) return fault(place(), "expected an element within <iotune>, not text");
    if (in_setting()) {
      Setting& setting = open_.back();
      if (setting.has_value) return fault(place(), "<{}> holds more than a value", setting.key);
      while (is_blank(word.back())) word.remove_suffix(1);
      setting.value = word;
      setting.has_value = true;
      setting.value_line = line_;
      setting.value_column = column_;
    }
    advance(end - at_);
    return {};
  }

  Result<void> skip_to(std::string_view end, std::string_view what) {
    const Setting start = place();
    const std::size_t found = text_.find(end, at_ + 2);
    if (found == std::string_view::npos) return fault(start, "{} is not closed", what);
    advance(found + end.size() - at_);
    return {};
  }

  Result<void> read_markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip_to("-->", "comment");
    if (rest.starts_with("<?")) return skip_to("?>", "processing instruction");
    if (rest.starts_with("<!"))
      return fault(place(), "document types and CDATA are not read here; take them out");
    return rest.starts_with("</") ? read_end() : read_start();
  }

  std::string name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && !ends_name(text_[at_])) advance(1);
    return std::string(text_.substr(start, at_ - start));
  }

  Result<void> read_end() {
    const Setting start = place();
    advance(2);
    const std::string closed = name();
    while (at_ < text_.size() && is_blank(text_[at_])) advance(1);
    if (at_ == text_.size() || text_[at_] != '>')
      return fault(start, "malformed end of <{}>", closed);
    advance(1);
    if (open_.empty() || open_.back().key != closed)
      return fault(start, "</{}> closes {}", closed,
                   open_.empty()
                       ? std::string("nothing")
                       : fmt::format("<{}> of line {}", open_.back().key, open_.back().line));
    close();
    return {};
  }

  void close() {
    if (in_setting()) settings_.push_back(open_.back());
    open_.pop_back();
  }

  Result<void> read_start() {
    Setting element = place();
    advance(1);
    element.key = name();
    if (element.key.empty()) return fault(element, "expected the name of an element after '<'");
    const Result<bool> has_attributes = skip_attributes(element);
    if (!has_attributes) return std::unexpected(has_attributes.error());
    const bool is_empty = text_[at_ - 2] == '/';
    if (auto checked = check_start(element, *has_attributes); !checked) return checked;
    open_.push_back(std::move(element));
    if (is_empty) close();
    return {};
  }

  Result<void> check_start(const Setting& element, bool has_attributes) {
    if (in_setting()) return fault(element, "<{}> is not expected here", element.key);
    if (in_iotune() && has_attributes)
      return fault(element, "<{}> has attributes, which libvirt ignores", element.key);
    if (open_.size() == depth_limit)
      return fault(element, "nested deeper than {} elements", depth_limit);
    if (element.key == "throttlefilters" || element.key == "throttlegroups")
      return fault(element,
                   "<{}>: chained throttle groups are not read; make an <iotune> of the "
                   "tightest limits",
                   element.key);
    if (element.key != "iotune") return {};
    if (seen_) return fault(element, "a second <iotune>; keep the <disk> to test");
    seen_ = true;
    return {};
  }

  /// Goes past the '>' of a start tag; whether there was more than the name.
  Result<bool> skip_attributes(const Setting& element) {
    bool any = false;
    char quote = 0;
    for (; at_ < text_.size(); advance(1)) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '>') {
        advance(1);
        return any;
      }
      if (c == '<') break;
      if (c == '"' || c == '\'') quote = c;
      any = any || (!is_blank(c) && c != '/');
    }
    return fault(element, "the tag <{} is not closed", element.key);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t column_ = 1;
  std::vector<Setting> open_;
  std::vector<Setting> settings_;
  bool seen_ = false;
};

}  // namespace

Result<ImportedLimits> import_libvirt(std::string_view text, const std::string& file) {
  const auto settings = IotuneReader(text, file).read();
  if (!settings) return std::unexpected(settings.error());
  return throttle_limits(*settings, known_keys(), file);
}

}  // namespace diskaudit
