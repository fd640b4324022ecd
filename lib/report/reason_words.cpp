// A place in a sentence is {name} for a plain number, {name:unit} for one with a unit: `rate` in
// the metric of the scenario, `percent`, `ratio` (shown as percent), `us`, `bytes`, `Bps`.

#include "report/reason_words.hpp"

#include <algorithm>
#include <iterator>

#include "report/messages.hpp"
#include "report/phrases.hpp"

namespace diskaudit {
namespace {

struct Row {
  ReasonCode code;
  Phrase phrase;
};

using enum ReasonCode;

constexpr Row table[] = {
    {Measured,
     {"measured {value:rate} against {target:rate}", "实测 {value:rate}，公布 {target:rate}"}},
    {Threshold,
     {"passes at {value:rate} ({percent:percent})", "达标线为 {value:rate}（{percent:percent}）"}},
    {ThresholdByIops,
     {"{iops} IOPS of {request_bytes:bytes} each allow {value:rate}: the IOPS quota "
      "binds before the throughput quota",
      "按 {request_bytes:bytes} 的请求，{iops} IOPS 只允许 {value:rate}：IOPS 上限先于"
      "吞吐量上限生效"}},
    {ShortWindow,
     {"{seconds} s are too short for a useful interval", "{seconds} 秒过短，置信区间无意义"}},
    {Errors, {"{errors} requests failed or were short", "{errors} 个请求失败或不完整"}},
    {Hung,
     {"a request did not return within {gap_seconds} s", "有请求在 {gap_seconds} 秒内未返回"}},
    {Interrupted, {"stopped after {seconds} s", "运行 {seconds} 秒后终止"}},
    {HalfDepth,
     {"with half the depth ({iodepth}) it reached {value:rate}, {ratio:ratio} of the rate",
      "队列深度减半（{iodepth}）时为 {value:rate}，相当于原速率的 {ratio:ratio}"}},
    {NoHalfDepth,
     {"whether depth {iodepth} saturates the disk was not tested",
      "未验证队列深度 {iodepth} 是否已使磁盘饱和"}},
    {DeepestTried,
     {"depth {iodepth} of at most {max_iodepth} was tried and did not saturate the disk",
      "已试到队列深度 {iodepth}（最大 {max_iodepth}），磁盘仍未饱和"}},
    {Repeated,
     {"another attempt at the same depth reached {value:rate}",
      "相同深度的另一次测量为 {value:rate}"}},
    {ClientBusy,
     {"the busiest worker used {share:ratio} of a CPU",
      "最忙的工作线程占用了一个 CPU 的 {share:ratio}"}},
    {ClientSteal,
     {"the hypervisor kept {share:ratio} of the CPU time",
      "虚拟化层占用了 {share:ratio} 的 CPU 时间"}},
    {ClientThrottled,
     {"the CPU quota of this process's cgroup was in force",
      "本进程所在 cgroup 的 CPU 配额已生效"}},
    {QueueNotFull,
     {"only {inflight} of {iodepth} requests were outstanding on average",
      "平均只有 {inflight} 个未完成请求，应为 {iodepth} 个"}},
    {CgroupLimit,
     {"this process's cgroup allows {limit:rate}", "本进程所在 cgroup 只允许 {limit:rate}"}},
    {InstanceCap, {"the instance type allows {cap:rate}", "实例规格只允许 {cap:rate}"}},
    {PageCacheBelow, {"a page cache lies below this device", "该设备之下有页缓存"}},
    {ZeroBlocks,
     {"{share:ratio} of the blocks hold only zeros, which no disk need be asked for",
      "{share:ratio} 的数据块全为零，读取它们可能并不经过磁盘"}},
    {FewerDeviceBytes,
     {"the device served {device:Bps} of the {own:Bps} that were read",
      "读取了 {own:Bps}，其中设备只提供了 {device:Bps}"}},
    {Foreign,
     {"others used {value:rate} of the disk meanwhile, {percent:percent} of this test",
      "同时有其他程序占用 {value:rate}，为本测试的 {percent:percent}"}},
    {RequestsSplit,
     {"the device saw {ratio} requests for each one sent", "每发出一个请求，设备收到 {ratio} 个"}},
    {LatencyImpossible,
     {"a latency of {latency_us:us} and {inflight} outstanding requests cannot both "
      "be right: they imply {implied_us:us}",
      "时延 {latency_us:us} 与 {inflight} 个未完成请求不能同时成立：应为 "
      "{implied_us:us}"}},
    {FirstTouch,
     {"the same blocks gave {first:rate} at their first touch and {second:rate} at the second",
      "相同数据块首次访问为 {first:rate}，第二次为 {second:rate}"}},
    {CopyOnWrite,
     {"the file system writes every block to a new place",
      "该文件系统每次都写到新的位置（写时复制）"}},
    {Plateau,
     {"judged from {begin} s to {end} s: {percent:percent}",
      "判定区间为 {begin} 至 {end} 秒：{percent:percent}"}},
    {Step,
     {"a step at {at} s from {before:percent} to {after:percent}",
      "{at} 秒处由 {before:percent} 变为 {after:percent}"}},
    {WarmUp,
     {"the first {at} s at {before:percent} were warm-up (later {after:percent})",
      "前 {at} 秒为预热（{before:percent}，之后 {after:percent}）"}},
    {BurstEnded,
     {"a burst of {burst:percent} ended at {at} s, after about {bucket:amount} beyond the level of "
      "{level:percent} that followed",
      "突发性能（{burst:percent}）在 {at} 秒结束，之后为 "
      "{level:percent}；突发期间超出该水平的总量约 {bucket:amount}"}},
    {BurstRemaining,
     {"the declared burst may last {seconds:time} longer",
      "公布的突发可能还将持续 {seconds:time}"}},
    {Alternating,
     {"it alternated between {low:percent} and {high:percent}",
      "速率在 {low:percent} 与 {high:percent} 之间交替"}},
    {Trend, {"it changed by {percent:percent} over the window", "窗口内变化了 {percent:percent}"}},
    {Stall, {"nothing completed for {seconds} s", "有 {seconds} 秒没有任何请求完成"}},
    {SawTooth,
     {"it swings by {swing:percent} every {period} s", "每 {period} 秒波动 {swing:percent}"}},
    {OutlierSeconds,
     {"{count} seconds stood out, the worst at {worst:percent}",
      "有 {count} 秒明显偏离，最差为 {worst:percent}"}},
    {Spread,
     {"the seconds vary by {percent:percent} (coefficient of variation)",
      "各秒的变异系数为 {percent:percent}"}},
    {Decline,
     {"it began at {first:percent} and ended at {last:percent}",
      "开始时为 {first:percent}，结束时为 {last:percent}"}},
    {Availability,
     {"{share:percent} of {seconds} seconds reached {promised:percent} of the quota "
      "(proven: {proven:percent}); longest bad run {longest} s",
      "{seconds} 秒中有 {share:percent} 达到公布性能的 {promised:percent}（可证明："
      "{proven:percent}）；最长不达标 {longest} 秒"}},
    {NotDemonstrable,
     {"the promise for {promised:percent} of the time is not shown by this window: that takes "
      "{needed} s without a bad one",
      "厂商承诺 {promised:percent} 的时间达标，本次窗口不足以证明：需要 {needed} 秒无一秒不达标"}},
    {OverQuota,
     {"{percent:percent} of the quota: a burst, a cache, another size, or mixed up units",
      "为公布性能的 {percent:percent}：可能是突发、缓存、容量填写有误或单位混淆"}},
    {UnitMixUp,
     {"off by a factor of {ratio}, as when MB and MiB, or GB and GiB, are mixed up",
      "相差 {ratio} 倍，像是混淆了 MB 与 MiB 或 GB 与 GiB"}},
    {OtherSize,
     {"the rates fit a disk of {gib} GiB ({percent:percent} of its quota)",
      "测得速率与 {gib} GiB 的磁盘相符（为其公布性能的 {percent:percent}）"}},
    {OtherProfile,
     {"the rates fit {subject} of this size ({percent:percent} of its quota)",
      "测得速率与同容量的 {subject} 相符（为其公布性能的 {percent:percent}）"}},
    {SaturationLatency,
     {"latency at saturation is depth / rate = {latency_us:us}, whatever the disk",
      "饱和时的时延 = 队列深度 / 速率 = {latency_us:us}，与磁盘本身无关"}},
    {Disputed,
     {"the vendor's documents disagree: by {subject} the quota is {target:rate}, of which this is "
      "{percent:percent}, and the verdict would be another",
      "厂商文档说法不一：按 {subject}，公布性能为 {target:rate}，达成率为 "
      "{percent:percent}，结论会不同"}},
};

constexpr bool is_complete() {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const Phrase& phrase = table[i].phrase;
    if (table[i].code != static_cast<ReasonCode>(i)) return false;
    if (phrase.en.empty() || phrase.zh.empty()) return false;
    if (std::ranges::count(phrase.en, '{') != std::ranges::count(phrase.zh, '{')) return false;
  }
  return std::size(table) == std::tuple_size_v<decltype(reason_names)>;
}

static_assert(is_complete(), "a reason lacks words, a language, or is out of order");

std::string in_unit(double value, std::string_view kind, Metric metric, RateUnit unit,
                    Language language) {
  if (kind == "rate") return figure(metric, value, unit);
  if (kind == "percent") return format_number(value, 1) + " %";
  if (kind == "ratio") return format_number(value * 100, 1) + " %";
  if (kind == "us") return latency_text(value);
  if (kind == "amount" && metric == Metric::Iops) {
    return format_number(value, 0) + (language == Language::Chinese ? " 次 I/O" : " I/Os");
  }
  if (kind == "bytes" || kind == "amount")
    return format_size({static_cast<std::uint64_t>(std::clamp(value, 0.0, 0x1p63))});
  if (kind == "Bps") return format_throughput({value}, unit);
  if (kind == "time") {
    return value < 120 ? format_number(value, 0) + " s" : format_number(value / 60, 0) + " min";
  }
  return format_number(value, 2);
}

}  // namespace

std::string sentence_of(const Reason& reason, Metric metric, RateUnit unit, Language language) {
  const std::string_view words = table[static_cast<std::size_t>(reason.code)].phrase.in(language);
  std::string sentence;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t open = std::min(words.find('{', at), words.size());
    sentence += words.substr(at, open - at);
    if (open == words.size()) break;
    const std::size_t close = words.find('}', open);
    const std::string_view place = words.substr(open + 1, close - open - 1);
    const std::size_t colon = std::min(place.find(':'), place.size());
    const std::string_view name = place.substr(0, colon);
    const auto value =
        std::ranges::find(reason.values, name, &std::pair<std::string, double>::first);
    if (name == "subject") {
      sentence += reason.subject;
    } else if (value == reason.values.end()) {
      sentence += '?';
    } else {
      const std::string_view kind = colon < place.size() ? place.substr(colon + 1) : "";
      sentence += in_unit(value->second, kind, metric, unit, language);
    }
    at = close + 1;
  }
  return sentence;
}

}  // namespace diskaudit
