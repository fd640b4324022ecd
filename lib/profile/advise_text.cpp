#include <fmt/format.h>

#include <algorithm>

#include "profile/advise.hpp"
#include "profile/profile_json.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

std::string gives(const Quota& quota) {
  std::string text;
  for (const Limits* limits : {&quota.read, &quota.write}) {
    const bool same =
        quota.read.iops == quota.write.iops && quota.read.throughput == quota.write.throughput;
    if (limits == &quota.write && same) break;
    if (!text.empty()) text += "; ";
    if (!same) text += limits == &quota.read ? "read " : "write ";
    if (!limits->iops && !limits->throughput) text += "not published";
    if (limits->iops) text += format_iops(*limits->iops);
    if (limits->iops && limits->throughput) text += ", ";
    if (limits->throughput) text += format_throughput(*limits->throughput, quota.unit);
  }
  return text;
}

double gib_of(const Advice& advice) {
  return advice.inputs ? advice.inputs->at("gib") : std::numeric_limits<double>::infinity();
}

std::vector<Advice> smallest_first(std::span<const Advice> advices) {
  std::vector<Advice> sorted(advices.begin(), advices.end());
  std::ranges::stable_sort(sorted, {}, gib_of);
  return sorted;
}

/// What must hold for what is advised: numbered below it, in the order of the lines, unless that is
/// more than anybody reads.
class Footnotes {
 public:
  Footnotes(std::span<const Advice> advices, Language language) : language_(language) {
    for (const Advice& advice : advices) {
      for (const LocalText& condition : advice.conditions) {
        if (std::ranges::find(all_, text_of(condition)) == all_.end()) {
          all_.push_back(text_of(condition));
        }
      }
    }
  }

  /// " [1][2]", or " *"
  std::string marks_of(const Advice& advice) const {
    if (advice.conditions.empty()) return "";
    if (all_.size() > most) return " *";
    std::string marks = " ";
    for (const LocalText& condition : advice.conditions) {
      const auto found = std::ranges::find(all_, text_of(condition));
      marks += fmt::format("[{}]", found - all_.begin() + 1);
    }
    return marks;
  }

  std::string below() const {
    std::string text;
    if (all_.size() > most) {
      return language_ == Language::Chinese
                 ? "* 附带条件：见 diskaudit profiles show ID，或用 --vendor 缩小范围\n"
                 : "* has conditions: see diskaudit profiles show ID, or ask for one --vendor\n";
    }
    for (std::size_t i = 0; i < all_.size(); ++i) text += fmt::format("[{}] {}\n", i + 1, all_[i]);
    return text;
  }

 private:
  static constexpr std::size_t most = 24;

  const std::string& text_of(const LocalText& condition) const {
    return language_ == Language::Chinese && !condition.zh.empty() ? condition.zh : condition.en;
  }

  Language language_;
  std::vector<std::string> all_{};
};

}  // namespace

std::string advice_text(std::span<const Advice> advices, Language language) {
  const std::vector<Advice> sorted = smallest_first(advices);
  const Footnotes footnotes(sorted, language);
  std::size_t width = 0;
  for (const Advice& advice : advices) width = std::max(width, display_width(advice.id));
  std::string text;
  for (const Advice& advice : sorted) {
    text += pad_right(advice.id, width + 2);
    if (!advice.inputs) {
      text += "none: " + advice.why_not + "\n";
      continue;
    }
    const std::string size = format_number(gib_of(advice), 2) + " GiB";
    text += pad_left(size, 10) + "  " + gives(*advice.quota);
    if (!advice.settings.empty()) text += " (" + advice.settings + ")";
    if (!advice.assumed.empty()) text += " assuming " + advice.assumed;
    if (advice.status != "current") text += " [" + advice.status + "]";
    text += footnotes.marks_of(advice) + "\n";
  }
  return text + footnotes.below();
}

nlohmann::ordered_json advice_json(std::span<const Advice> advices) {
  auto list = nlohmann::ordered_json::array();
  for (const Advice& advice : smallest_first(advices)) {
    nlohmann::ordered_json entry = {
        {"id", advice.id},    {"status", advice.status}, {"gib", nullptr},    {"inputs", nullptr},
        {"assumed", nullptr}, {"quota", nullptr},        {"why_not", nullptr}};
    entry["conditions"] = nlohmann::ordered_json::array();
    for (const LocalText& condition : advice.conditions) {
      entry["conditions"].push_back({{"en", condition.en}, {"zh", condition.zh}});
    }
    if (advice.inputs) {
      entry["gib"] = gib_of(advice);
      entry["inputs"] = advice.words;
      if (!advice.assumed.empty()) entry["assumed"] = advice.assumed;
      entry["quota"] = quota_to_json(*advice.quota);
    } else {
      entry["why_not"] = advice.why_not;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace diskaudit
