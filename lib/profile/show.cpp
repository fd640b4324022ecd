#include "profile/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "profile/crossings.hpp"
#include "profile/names.hpp"
#include "profile/profile_json.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

/// Builds the text line by line in one language.
class Page {
 public:
  explicit Page(Language language) : zh_(language == Language::Chinese) {}

  std::string_view pick(std::string_view en, std::string_view zh) const { return zh_ ? zh : en; }
  std::string pick(const LocalText& text) const { return sanitised(zh_ ? text.zh : text.en); }

  void line(std::string_view text) { text_.append(text).push_back('\n'); }
  void line(std::string_view en, std::string_view zh, std::string_view text) {
    line(fmt::format("{}{}{}", pick(en, zh), pick(": ", "："), text));
  }

  std::string take() { return std::move(text_); }

 private:
  bool zh_;
  std::string text_;
};

std::string number(double value) { return format_number(value, 3); }

void add_inputs(Page& page, const Profile& profile, const Inputs& given, const Inputs& inputs) {
  for (const Input& input : profile.inputs) {
    const auto found = inputs.find(input.name);
    if (found == inputs.end()) continue;
    std::string text =
        fmt::format("{} = {}", input.name, input_text(profile, input.name, found->second));
    if (!input.unit.empty()) text += " " + sanitised(input.unit);
    if (!given.contains(input.name)) text += page.pick(" (default)", "（默认）");
    page.line("Input", "参数", text);
  }
}

/// "IOPS: 1800 + 8 × gib binds from 10 GiB, 6000 from 525 GiB".
void add_crossings(Page& page, const std::optional<Formula>& formula, const std::string& what,
                   const Profile& profile, const Inputs& given) {
  if (!formula) return;
  const std::vector<Stretch> stretches = stretches_of(*formula, profile, given);
  if (stretches.size() < 2) return;
  std::string text;
  for (const auto& [gib, term] : stretches) {
    if (!text.empty()) text += page.pick(", ", "，");
    text += fmt::format(fmt::runtime(page.pick("{0} from {1} GiB", "{1} GiB 起 {0}")), term,
                        number(gib));
  }
  page.line(fmt::format("What binds ({})", what), fmt::format("限制项（{}）", what), text);
}

void add_all_crossings(Page& page, const Profile& profile, const Inputs& given) {
  const auto add = [&](const Ceilings& ceilings, const std::string& what) {
    if (ceilings.is_single) return add_crossings(page, ceilings.total, what, profile, given);
    add_crossings(page, ceilings.read, "read " + what, profile, given);
    add_crossings(page, ceilings.write, "write " + what, profile, given);
    add_crossings(page, ceilings.total, "total " + what, profile, given);
  };
  add(profile.quota.iops, "IOPS");
  add(profile.quota.throughput, "throughput");
}

void add_burst(Page& page, const std::optional<Burst>& burst, const std::string& rate) {
  if (!burst) return;
  const std::string text =
      burst->seconds
          ? fmt::format("{}{} {} s {}", rate, page.pick(" for", "，持续"), number(*burst->seconds),
                        page.pick("at full load from a rested disk", "（满负载，充分静置后）"))
          : fmt::format("{}{}", rate, page.pick(", no end published", "，未公布时限"));
  page.line("Burst", "突发", text);
}

void add_latency(Page& page, const Profile& profile) {
  const auto add = [&](const std::optional<LatencyRange>& range, std::string_view en,
                       std::string_view zh) {
    if (!range) return;
    const std::string max = number(range->max_us / 1000);
    page.line(en, zh,
              range->min_us == 0 ? fmt::format("{} {} ms", page.pick("up to", "最高"), max)
                                 : fmt::format("{} {} {} ms", number(range->min_us / 1000),
                                               page.pick("to", "至"), max));
  };
  add(profile.read_latency, "Read latency", "读延迟");
  add(profile.write_latency, "Write latency", "写延迟");
  if (!profile.latency_note.en.empty())
    page.line("Latency holds for", "延迟条件", page.pick(profile.latency_note));
}

void add_promise(Page& page, const Promise& promise) {
  if (promise.none)
    return page.line("Promise", "承诺",
                     page.pick("none; the figures are ceilings", "无，均为上限"));
  std::string text =
      fmt::format("{} % {}", number(*promise.percent), page.pick("of the quota", "（占配额）"));
  if (promise.time_percent)
    text += fmt::format("{}{} % {}", page.pick(", ", "，"), number(*promise.time_percent),
                        page.pick("of the time", "（占时间）"));
  if (!promise.note.en.empty())
    text += fmt::format("{}{}", page.pick("; ", "；"), page.pick(promise.note));
  page.line("Promise", "承诺", text);
}

void add_sources(Page& page, const Profile& profile) {
  for (const Source& source : profile.sources) {
    std::string text = sanitised(source.title);
    if (!source.dated.empty())
      text +=
          fmt::format("{}{} {}", page.pick(", ", "，"), page.pick("dated", "日期"), source.dated);
    text += fmt::format("{}{} {}", page.pick(", ", "，"), page.pick("read", "查阅"), source.read);
    page.line("Source", "来源", text);
    page.line("  " + sanitised(source.url));
  }
}

void add_background(Page& page, const Profile& profile, const Quota& quota) {
  add_burst(page, quota.iops_burst, quota.iops_burst ? format_iops({quota.iops_burst->rate}) : "");
  add_burst(page, quota.throughput_burst,
            quota.throughput_burst
                ? format_throughput({quota.throughput_burst->rate}, profile.burst->unit)
                : "");
  if (profile.burst && !profile.burst->note.en.empty())
    page.line("Burst note", "突发说明", page.pick(profile.burst->note));
  if (profile.io_unit) page.line("Counted I/O", "计数单位", format_size(profile.io_unit->size));
  if (quota.combine == Combine::Serial)
    page.line("Request size s", "请求大小 s", "1/(1/IOPS + s/throughput)");
  add_latency(page, profile);
  if (profile.promise) add_promise(page, *profile.promise);
  for (const LocalText& condition : profile.conditions)
    page.line("Condition", "条件", page.pick(condition));
  for (const DisputedQuota& dispute : quota.disputes) {
    page.line("In dispute", "存在争议", page.pick(dispute.note));
    for (const std::string& line : dispute.explain) page.line("  " + line);
  }
  for (const Former& former : profile.history)
    page.line("Former formula", "旧公式",
              fmt::format("{} {}", page.pick("until", "截至"), former.until));
  add_sources(page, profile);
}

std::optional<std::chrono::sys_days> day_of(std::string_view date) {
  if (date.size() < 4) return {};
  const auto part = [&](std::size_t at, std::size_t size, int missing) {
    return date.size() >= at + size ? std::atoi(std::string(date.substr(at, size)).c_str())
                                    : missing;
  };
  return std::chrono::sys_days(std::chrono::year(part(0, 4, 0)) / part(5, 2, 12) / part(8, 2, 28));
}

}  // namespace

double usual_size(const Profile& profile) {
  constexpr double usual = 100;
  const Capacity& capacity = profile.capacity;
  double nearest = std::clamp(usual, capacity.min, capacity.max);
  if (capacity.step > 0)
    nearest = std::max(capacity.step, std::round(nearest / capacity.step) * capacity.step);
  if (!capacity.sizes.empty())
    nearest = *std::ranges::min_element(capacity.sizes, {},
                                        [&](double size) { return std::abs(size - nearest); });
  return nearest;
}

bool is_outdated(const Profile& profile, std::string_view today) {
  // A later page about something else does not make the figures any newer.
  const Source& source = profile.sources.front();
  const auto then = day_of(source.dated.empty() ? source.read : source.dated);
  const auto now = day_of(today);
  return then && now && *now - *then > std::chrono::days(365);
}

Result<std::string> show_text(const Profile& profile, const Inputs& inputs,
                              const ShowStyle& style) {
  const Result<Inputs> completed = complete_inputs(profile, inputs);
  if (!completed) return std::unexpected(completed.error());
  const Result<Quota> quota = evaluate(profile, inputs);
  if (!quota) return std::unexpected(quota.error());
  const Inputs given = without_defaults(profile, inputs);
  Page page(style.language);
  page.line(fmt::format("{}{}{}{}{}", profile.id, page.pick(": ", "："), page.pick(profile.vendor),
                        page.pick(", ", "，"), page.pick(profile.name)));
  if (profile.status != "current") page.line("Status", "状态", profile.status);
  if (profile.replaces)
    page.line(
        page.pick("This file takes the place of the shipped profile", "此文件替代随附的同名配置"));
  if (!profile.as_of.empty()) page.line("In force on", "生效日期", profile.as_of);
  page.line("Size", "容量",
            fmt::format("{} GiB{}{}{}", number(inputs.at("gib")), page.pick(" (sold: ", "（可购："),
                        capacity_text(profile.capacity, style.language), page.pick(")", "）")));
  add_inputs(page, profile, given, *completed);
  for (const std::string& line : quota->explain) page.line(line);
  add_all_crossings(page, profile, given);
  add_background(page, profile, *quota);
  if (is_outdated(profile, style.today))
    page.line("Warning", "警告",
              page.pick("the source of the figures is older than a year", "数据来源已超过一年"));
  return page.take();
}

Result<Json> show_json(const Profile& profile, const Inputs& inputs) {
  const Result<Inputs> completed = complete_inputs(profile, inputs);
  if (!completed) return std::unexpected(completed.error());
  const Result<Quota> quota = evaluate(profile, inputs);
  if (!quota) return std::unexpected(quota.error());
  Json json = {{"profile", profile_to_json(profile, *completed)}};
  json["quota"] = quota_to_json(*quota);
  return json;
}

}  // namespace diskaudit
