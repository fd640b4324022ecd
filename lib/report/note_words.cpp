#include "report/note_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "report/phrase.hpp"

namespace diskaudit {
namespace {

// Notes as the program words them, then findings of the guard.
constexpr Phrase table[] = {
    {"size not given; the device's own {0} was taken", "未指定容量，按设备自身的 {0} 计算"},
    {"the quota is that of {0}, as said; the device has {1}",
     "公布性能按所给的 {0} 计算，而设备容量为 {1}"},
    {"{0}: iodepth {1} instead of {2}: the device's queue holds no more",
     "{0}：队列深度为 {1} 而非 {2}，设备队列容纳不下更多"},
    {"whether the disk holds data or was never written could not be sampled",
     "无法抽样判断磁盘上是否有数据"},
    {"test file of {0} instead of {1}: a reserve of {2} stays free",
     "测试文件为 {0} 而非 {1}：须保留 {2} 空闲空间"},
    {"the machine says that it is in the cloud {0}; the profile is {1}",
     "本机自称位于 {0} 云，而所选规格为 {1}"},
    {"what was on {0} is gone: it needs a new file system before it is used",
     "{0} 上原有的数据已不存在：使用前需重新创建文件系统"},
    {"{0}: measured for {1} s, until after the declared burst of {2} s",
     "{0}：测量 {1} 秒，直到公布的 {2} 秒突发结束之后"},
    {"{0}: the declared burst lasts up to {1} s, longer than the window; --until-baseline measures "
     "until after it",
     "{0}：公布的突发最长持续 {1} 秒，超过测量窗口；--until-baseline 可一直测到其结束之后"},
    {"{0}: spread over {1} instead of at least {2}: a decline may not show",
     "{0}：只分布在 {1} 而非至少 {2} 上，性能下降可能显现不出来"},
    {"judged again as {0} of {1} GiB, by the formula of {2}",
     "按 {1} GiB 的 {0}、以 {2} 的公式重新判定"},
    {"judged again as {0} of {1} GiB", "按 {1} GiB 的 {0} 重新判定"},
    {"redacted: paths, volume, machine and audit", "已隐去：路径、云硬盘、机器与报告的标识"},
    {"redacted: paths", "已隐去：路径"},

    {"given for {0}", "已针对 {0} 授权"},
    {"{0}, not compared", "{0}，未比对"},
    {"no known signature", "没有已知的签名"},
    {"all sampled blocks are zero", "抽样的数据块全为零"},
    {"it holds data, for example at byte {0}, which may be overwritten",
     "盘上有数据（例如第 {0} 字节处），已允许覆盖"},
    {"it holds data, for example at byte {0}", "盘上有数据（例如第 {0} 字节处）"},
    {"the system is on another disk", "系统不在此盘上"},
    {"locked", "已加锁"},
    {"not mounted in any namespace", "未在任何命名空间中挂载"},
    {"no swap space", "不是交换空间"},
    {"not part of another device", "不属于其他设备"},
    {"below no loop device and in no mounted file system",
     "不在回环设备之下，也不在已挂载的文件系统中"},
    {"open for this process alone", "仅由本进程打开"},
    {"not named in fstab or crypttab", "fstab 与 crypttab 均未引用"},
    {"writable", "可写"},
    {"not removable", "不可移动"},
    {"still the disk that was inspected", "仍是检查过的那块盘"},
};

constexpr bool rows_are_complete() {
  return std::ranges::all_of(table, [](const Phrase& row) {
    return is_complete(row) && places(row.en) == places(row.zh);
  });
}
static_assert(rows_are_complete(), "a note lacks a language, or a place in it");

constexpr std::size_t most_places = 3;
using Places = std::array<std::string_view, most_places>;

/// What stands at the places of `pattern` in `text`; none where it is another text.
std::optional<Places> match(std::string_view pattern, std::string_view text) {
  Places found;
  while (true) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    if (!text.starts_with(pattern.substr(0, open))) return std::nullopt;
    text.remove_prefix(open);
    if (open == pattern.size()) return text.empty() ? std::optional(found) : std::nullopt;
    const auto place = static_cast<std::size_t>(pattern[open + 1] - '0');
    pattern.remove_prefix(open + 3);
    const std::string_view next = pattern.substr(0, pattern.find('{'));
    const std::size_t end = next.empty() ? text.size() : text.find(next);
    if (end == std::string_view::npos || place >= most_places) return std::nullopt;
    found[place] = text.substr(0, end);
    text.remove_prefix(end);
  }
}

}  // namespace

std::string note_in(std::string_view note, Language language) {
  if (language == Language::English) return std::string(note);
  for (const Phrase& row : table) {
    if (const auto found = match(row.en, note)) {
      return fmt::format(fmt::runtime(row.in(language)), (*found)[0], (*found)[1], (*found)[2]);
    }
  }
  return std::string(note);
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
