// A record keeps sentences in English, whole, so that nobody needs this program to read it. Here
// they are found again in the tables by which they were worded, with what stands at their places.

#include "report/note_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "report/sentence_rows.hpp"

namespace diskaudit {
namespace {

class Translator {
 public:
  explicit Translator(Language language) : language_(language) {}

  /// By the row that leaves least to its places; none for a text that no row has worded.
  std::optional<std::string> sentence(std::string_view text) {
    const auto [entry, is_new] = said_.try_emplace(text);
    std::optional<std::string>& said = entry->second;
    if (!is_new || said_.size() > most_parts) return said;
    std::size_t most_fixed = 0;
    for (const auto& rows : {note_rows(), guard_rows(), refusal_rows(), system_rows()}) {
      for (const SentenceRow& row : rows) {
        Places found;
        const std::size_t fixed = row.phrase.en.size() - 3 * std::ranges::count(row.phrase.en, '{');
        if (fixed <= most_fixed || !match(row, row.phrase.en, text, found)) continue;
        most_fixed = fixed;
        said = fmt::format(fmt::runtime(row.phrase.in(language_)), found[0], found[1], found[2],
                           found[3]);
      }
    }
    return said;
  }

 private:
  using Places = std::array<std::string, most_places>;

  /// Whether `text` is worded by the rest of a row's pattern, and what stands at its places. Where
  /// that can be read in several ways, the first counts whose inner sentences are known as well.
  bool match(const SentenceRow& row, std::string_view pattern, std::string_view text,
             Places& found) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    if (!text.starts_with(pattern.substr(0, open))) return false;
    text.remove_prefix(open);
    if (open == pattern.size()) return text.empty();
    const auto place = static_cast<std::size_t>(pattern[open + 1] - '0');
    pattern.remove_prefix(open + 3);
    const std::string_view next = pattern.substr(0, pattern.find('{'));
    std::size_t end = next.empty() ? text.size() : text.find(next);
    // The record may come from anywhere: no text is worth more tries than this.
    for (; end != std::string_view::npos && tries_ > 0; end = text.find(next, end + 1)) {
      --tries_;
      if (match(row, pattern, text.substr(end), found) &&
          say_place(row, place, text.substr(0, end), found)) {
        return true;
      }
      if (next.empty()) break;
    }
    return false;
  }

  bool say_place(const SentenceRow& row, std::size_t place, std::string_view text, Places& found) {
    if ((row.inner & 1 << place) == 0) {
      // What is a sentence itself is no name or figure.
      if (text.find(": ") != text.npos || text.find("; ") != text.npos) return false;
      const auto known = std::ranges::find(system_rows(), text,
                                           [](const SentenceRow& one) { return one.phrase.en; });
      found[place] = known == system_rows().end() ? text : known->phrase.in(language_);
      return true;
    }
    auto said = list(text);
    if (said) found[place] = std::move(*said);
    return said.has_value();
  }

  /// One sentence, or several with commas between them, of which some hold commas themselves.
  std::optional<std::string> list(std::string_view text) {
    constexpr std::string_view comma = ", ";
    for (std::size_t at = text.find(comma); at != std::string_view::npos && tries_ > 0;
         at = text.find(comma, at + 1)) {
      const auto first = sentence(text.substr(0, at));
      if (!first) continue;
      if (const auto rest = list(text.substr(at + comma.size()))) return *first + "，" + *rest;
    }
    return sentence(text);
  }

  Language language_;
  std::map<std::string_view, std::optional<std::string>> said_;  // as parts are met again and again
  static constexpr std::size_t most_parts = 100;
  int tries_ = 1000;
};

}  // namespace

std::string note_in(std::string_view note, Language language) {
  constexpr std::size_t longest = 1024;
  if (language == Language::English || note.size() > longest) return std::string(note);
  return Translator(language).sentence(note).value_or(std::string(note));
}

std::string explained(std::string_view line, Language language) {
  std::string text(line);
  if (language == Language::English) return text;
  const auto replace = [&](std::string_view english, std::string_view chinese, std::size_t end) {
    const std::size_t at = text.find(english);
    if (at < end) text.replace(at, english.size(), chinese);
  };
  if (text.starts_with("table ")) {
    replace("table ", "表 ", 1);
    replace(": row ", "，行 ", text.size());
    replace(" up to ", " 不超过 ", text.size());
    return text;
  }
  // Only what stands before the formula is words; the names in it are the profile's own.
  for (const auto& [english, chinese] : {std::pair{"initial burst credits of ", "初始突发额度："},
                                         {"burst seconds of ", "突发时长："},
                                         {"burst bucket of ", "突发额度："},
                                         {"burst refill of ", "突发额度恢复："},
                                         {"burst ", "突发 "},
                                         {"throughput", "吞吐量"},
                                         {"read ", "读 "},
                                         {"write ", "写 "},
                                         {"total ", "合计 "}}) {
    replace(english, chinese, std::min(text.find(" = "), text.size()));
  }
  if (text.ends_with(" per second")) text.replace(text.size() - 11, 11, " 每秒");
  replace(": not known without ", "：未知，缺少 ", text.size());
  return text;
}

}  // namespace diskaudit
