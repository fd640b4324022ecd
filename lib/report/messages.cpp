#include "report/messages.hpp"

namespace diskaudit {
namespace {

struct Row {
  Message message;
  Phrase phrase;
};

using enum Message;

constexpr Row table[] = {
    {AllPass,
     {"all {0} scenarios reach at least {1} % of the published quota",
      "全部 {0} 项测试均达到公布性能的 {1} % 以上"}},
    {OnePasses,
     {"the scenario reaches at least {1} % of the published quota",
      "该项测试达到公布性能的 {1} % 以上"}},
    {SomeFail,
     {"{0} of {1} scenarios are below {2} % of the published quota",
      "{1} 项测试中有 {0} 项低于公布性能的 {2} %"}},
    {OneFails,
     {"1 of {1} scenarios is below {2} % of the published quota",
      "{1} 项测试中有 1 项低于公布性能的 {2} %"}},
    {NoVerdict,
     {"{0} of {1} scenarios could not be judged: {2}", "{1} 项测试中有 {0} 项无法判定：{2}"}},
    {NothingJudged, {"no scenario was judged", "没有任何测试项得到判定"}},
    {MeasuredOnly,
     {"no profile was given, so nothing is judged", "未指定云硬盘规格，仅测量，不作判定"}},
    {InterruptedAfter,
     {"ended by signal {0} with {1} of {2} scenarios finished",
      "被信号 {0} 中断，{2} 项测试完成了 {1} 项"}},

    {Bought, {"Bought", "所购规格"}},
    {Promised, {"Promised", "公布性能"}},
    {Source, {"Source", "来源"}},
    {SourceDated, {"dated {0}", "发布于 {0}"}},
    {SourceRead, {"read {0}", "查阅于 {0}"}},
    {TestedDisk, {"Tested", "被测磁盘"}},
    {Instance, {"Instance", "实例上限"}},
    {InstanceCap,
     {"capped at {0} (--instance-*); the smaller of both is the target",
      "{0}（--instance-*）；以两者中较小者为准"}},
    {Note, {"Note", "注意"}},
    {Next, {"Next", "下一步"}},
    {Units, {"Units", "单位"}},
    {UnitsMBps,
     {"1 MB/s = 1,000,000 bytes/s; 1 GiB = 1,073,741,824 bytes",
      "1 MB/s = 1,000,000 字节/秒；1 GiB = 1,073,741,824 字节"}},
    {UnitsMiBps,
     {"1 MiB/s = 1,048,576 bytes/s; 1 GiB = 1,073,741,824 bytes",
      "1 MiB/s = 1,048,576 字节/秒；1 GiB = 1,073,741,824 字节"}},
    {Threshold, {"Passes at", "达标线"}},
    {ThresholdByProfile,
     {"{0} % or more of the quota, the share that the vendor itself promises",
      "不低于公布性能的 {0} %（厂商自己承诺的比例）"}},
    {ThresholdByUser,
     {"{0} % or more of the quota, as set with --min-percent",
      "不低于公布性能的 {0} %（由 --min-percent 指定）"}},
    {ThresholdByDefault,
     {"{0} % or more of the quota (default; this vendor promises no share)",
      "不低于公布性能的 {0} %（默认值；该厂商未承诺比例）"}},
    {Scenario, {"scenario", "测试项"}},
    {QuotaColumn, {"quota", "公布性能"}},
    {MeasuredColumn, {"measured", "实测"}},
    {Percent, {"percent", "达成率"}},
    {VerdictColumn, {"verdict", "结论"}},
    {RateColumn, {"IOPS", "IOPS"}},
    {ThroughputColumn, {"throughput", "吞吐量"}},
    {MeanLatency, {"mean latency", "平均时延"}},
    {P99Latency, {"p99 latency", "p99 时延"}},

    {Pass, {"pass", "达标"}},
    {Fail, {"FAIL", "不达标"}},
    {Unclear, {"unclear", "无法判定"}},
    {NotTested, {"not tested", "未测试"}},
    {Over, {"over quota", "超出公布值"}},
    {MoreScenarios, {"and {0} further scenarios, all passed", "其余 {0} 项全部达标"}},
    {NotReached, {"not reached", "未执行到"}},
    {PassHeadline, {"PASS", "达标"}},
    {FailHeadline, {"FAIL", "不达标"}},
    {UnclearHeadline, {"NO VERDICT", "无法判定"}},
    {MeasuredHeadline, {"MEASURED", "测量完成"}},

    {ReadOnly, {"read only", "只读测试"}},
    {NotPublished, {"none published", "厂商未公布"}},
    {NotAsked, {"not asked for", "未要求"}},

    {Read, {"read", "读"}},
    {Write, {"write", "写"}},
    {Mixed, {"{0}/{1} mix", "{0}/{1} 读写混合"}},
    {Sequential, {"sequential {0} {1}", "{1} 顺序{0}"}},
    {Random, {"random {0} {1}", "{1} 随机{0}"}},
    {LatencyOf, {"{0}, latency", "{0}，时延"}},
    {Sustained, {"sustained {0}", "持续 {0}"}},
    {IopsCeiling, {"IOPS quota", "IOPS 上限"}},
    {ThroughputCeiling, {"throughput quota", "吞吐量上限"}},
    {InstanceIopsCeiling, {"IOPS cap of the instance", "实例的 IOPS 上限"}},
    {InstanceThroughputCeiling, {"throughput cap of the instance", "实例的吞吐量上限"}},

    {Serial, {"serial {0}", "序列号 {0}"}},
    {TestFileOn, {"{0} test file on {1} at {2}", "{2}（{1}）上的 {0} 测试文件"}},
    {WholeDisk, {"{0} of the raw device", "裸设备的 {0}"}},
    {ReadOnlyTest, {"read only", "只读"}},

    {KeepRecord, {"nothing to do; keep the record as evidence", "无需处理；请保存记录作为凭证"}},
    {OverCandidates,
     {"clearly above quota: a burst, a cache, another size or type than stated, or mixed "
      "up units; check --profile and --size",
      "明显超出公布值：可能是突发性能、缓存、规格或容量填写有误，或单位混淆；请核对 "
      "--profile 与 --size"}},
    {AskVendor,
     {"make a ticket for the vendor: diskaudit report RECORD --format ticket",
      "生成提交厂商的工单：diskaudit report RECORD --format ticket"}},
    {GiveProfile,
     {"to judge these numbers: diskaudit judge RECORD --profile ID --size GIB",
      "若要判定这些数值：diskaudit judge RECORD --profile ID --size GIB"}},
    {RunAgain, {"run it again to the end", "请重新完整运行一次"}},

    {IntervalColumn, {"interval", "置信区间"}},
    {Findings, {"Findings", "判定依据"}},

    {PleaseCheck,
     {"Please check this disk: it does not deliver its published performance.",
      "请核查该云硬盘：实测性能未达到公布值。"}},
    {ForInformation,
     {"Measured with diskaudit; the verdict is below.", "以下为 diskaudit 的测量与结论。"}},
    {ToFillIn, {"(to be filled in)", "（待填写）"}},
    {SectionDisk, {"1. Disk and instance", "1. 云硬盘与实例"}},
    {SectionClaim, {"2. Published performance", "2. 公布性能"}},
    {SectionResults, {"3. Results", "3. 测试结果"}},
    {SectionMonitor, {"4. Times to look up in your monitor (UTC)", "4. 监控核对时段（UTC）"}},
    {SectionRepeat, {"5. The same with fio", "5. 用 fio 复现"}},
    {SectionEvidence, {"6. Environment and evidence", "6. 环境与凭证"}},
    {FieldVolume, {"Volume ID or serial", "云硬盘 ID 或序列号"}},
    {FieldRegion, {"Region and zone", "地域与可用区"}},
    {FieldAccount, {"Account", "账号"}},
    {FieldInstance, {"Instance ID", "实例 ID"}},
    {FieldInstanceType, {"Instance type", "实例规格"}},
    {FieldOrigin, {"Encrypted / multi-attach / from a snapshot", "加密 / 多挂载 / 由快照创建"}},
    {FieldDevice, {"Device", "设备"}},
    {FieldQueue, {"Queue", "队列"}},
    {FieldPartition, {"Partition start", "分区起始"}},
    {FieldAligned, {"{0} bytes, aligned to 4 KiB", "{0} 字节，已按 4 KiB 对齐"}},
    {FieldMisaligned, {"{0} bytes, NOT aligned to 4 KiB", "{0} 字节，未按 4 KiB 对齐"}},
    {FieldFileSystem, {"File system", "文件系统"}},
    {FieldRawDevice, {"none, raw device", "无（裸设备）"}},
    {FieldSystem, {"System", "操作系统"}},
    {FieldEngine, {"Engine", "I/O 引擎"}},
    {FieldCpu, {"CPU", "CPU"}},
    {FieldCgroup, {"cgroup limits of this process", "本进程的 cgroup 限制"}},
    {FieldNone, {"none", "无"}},
    {FieldRecord, {"Record", "记录"}},
    {FieldGuard, {"Checked before writing", "写入前的检查"}},
    {FieldCommand, {"Command line", "命令行"}},
    {FieldSpan, {"Bytes tested", "测试范围"}},
    {ResultLine,
     {"{0}: {1} of {2} = {3} (interval {4}): {5}",
      "{0}：实测 {1}，公布 {2}，达成率 {3}（置信区间 {4}）：{5}"}},
    {DepthLine,
     {"{0} outstanding I/Os in {1} thread(s), direct I/O, {2} s measured, {3} errors",
      "并发 I/O {0}，线程 {1}，直接 I/O，测量 {2} 秒，错误 {3} 个"}},
    {LatencyLine,
     {"latency mean {0}, p50 {1}, p95 {2}, p99 {3}, p99.9 {4}, max {5}",
      "时延：平均 {0}，p50 {1}，p95 {2}，p99 {3}，p99.9 {4}，最大 {5}"}},
    {WindowLine,
     {"{0}: {1} to {2}; whole minutes {3} to {4}", "{0}：{1} 至 {2}；整分钟 {3} 至 {4}"}},
    {NoWholeMinute,
     {"{0}: {1} to {2}; no whole minute, so a monitor's minute shows less",
      "{0}：{1} 至 {2}；不足一个整分钟，监控的分钟值会偏低"}},
    {MonitorQuery, {"Query: {0}", "查询：{0}"}},
    {MoreInRecord, {"(shortened; the rest is in the record)", "（已缩短；其余见记录）"}},

    {PageTitle, {"Disk audit report", "云硬盘性能核验报告"}},
    {ClaimTitle, {"What was promised", "公布性能"}},
    {CurveIops, {"IOPS quota by disk size", "IOPS 上限与容量的关系"}},
    {CurveThroughput, {"Throughput quota by disk size, {0}", "吞吐量上限与容量的关系，{0}"}},
    {CurveLegend, {"the published formula", "公布的公式"}},
    {CurvePoint, {"this disk: {0} GiB, {1}", "本盘：{0} GiB，{1}"}},
    {RateOverTime, {"Rate over time, {0}", "速率随时间变化，{0}"}},
    {LatencyOverTime, {"Latency over time, {0}", "时延随时间变化，{0}"}},
    {LegendMeasured, {"measured, each {0} s", "实测，每 {0} 秒"}},
    {LegendTarget, {"quota {0}", "公布性能 {0}"}},
    {LegendThreshold, {"passes at {0}", "达标线 {0}"}},
    {LegendJudged, {"judged, {0} to {1} s", "判定区间，{0} 至 {1} 秒"}},
    {LegendInterval, {"interval {0}", "置信区间 {0}"}},
    {LegendChange, {"change", "变化点"}},
    {LegendLatency,
     {"means of {0} s, darker where more I/Os; the line is the longest",
      "每 {0} 秒的平均值，颜色越深 I/O 越多；折线为最长时延"}},
    {Seconds, {"seconds", "秒"}},
    {RunColumn, {"run", "测量"}},
    {RunJudged, {"judged", "判定所用"}},
    {RunAttempt, {"earlier attempt", "此前的测量"}},
    {RunHalfDepth, {"half depth", "深度减半"}},
    {DepthColumn, {"outstanding", "并发 I/O"}},
    {SecondsColumn, {"seconds", "秒"}},
    {ErrorsColumn, {"errors", "错误"}},
    {LimiterTitle, {"Who was the limiter", "瓶颈判据"}},
    {LimiterInflight, {"requests outstanding, mean", "未完成请求，平均"}},
    {LimiterWorker, {"busiest worker, of one CPU", "最忙线程占一个 CPU"}},
    {LimiterSteal, {"CPU time kept by the hypervisor", "虚拟化层占用的 CPU 时间"}},
    {LimiterGap, {"longest time without a completion", "最长无请求完成时间"}},
    {LimiterDevice, {"the kernel counted for the device", "内核统计的设备 I/O"}},
    {LimiterOwn, {"this program counted", "本程序统计"}},
    {CountsText, {"{0} I/Os, {1}", "{0} 次 I/O，{1}"}},
    {TouchedTitle, {"What was touched", "对磁盘的影响"}},
    {TouchedFile,
     {"An unnamed test file of {0}, gone when the audit ended; no other file was written.",
      "一个 {0} 的无名测试文件，测试结束即消失；未写入其他文件。"}},
    {TouchedNothing, {"Nothing was written.", "未写入任何数据。"}},
    {TouchedDevice,
     {"The raw device was written over {0}: what it held is gone.",
      "裸设备的 {0} 已被写入：原有数据已不存在。"}},
    {EnvironmentTitle, {"Environment", "环境"}},
    {MethodTitle, {"Method", "方法"}},
    {MethodText,
     {"Each scenario keeps a fixed number of requests outstanding with direct I/O. After a ramp of "
      "{0} "
      "s, requests are counted by the time of their completion. A scenario passes when the whole "
      "confidence interval reaches {1} % of the quota; it fails when the whole interval is below "
      "and "
      "the disk was shown to be saturated; all else is not judged. The claim is about the measured "
      "window: rare dips outside it cannot be seen.",
      "每项测试以直接 I/O 保持固定数量的未完成请求。预热 {0} "
      "秒后，按完成时刻统计请求。置信区间整体达到"
      "公布性能的 {1} % "
      "为达标；整体低于该值且已证明磁盘饱和为不达标；其余不作判定。结论只针对测量窗口，"
      "窗口之外的偶发下降无法看到。"}},
    {RepeatTitle, {"Repeat it", "复现"}},
    {DigestTitle, {"Digest of the record", "记录摘要"}},
    {DigestText,
     {"Check the record against it with: diskaudit verify RECORD",
      "用以下命令核对记录：diskaudit verify RECORD"}},
    {FieldClock, {"Clock source", "时钟源"}},
    {FieldMachine, {"Machine", "机器"}},
    {WindowTitle, {"Measured window", "测量窗口"}},

    {CompareTitle, {"Comparison of audits", "测试对比"}},
    {OtherDisks, {"The records are of different disks.", "这些记录来自不同的磁盘。"}},
    {Before, {"first", "第一次"}},
    {After, {"second", "第二次"}},
    {ChangeColumn, {"change (99 % interval)", "变化（99 % 区间）"}},
    {ChangeHigher, {"higher", "提高"}},
    {ChangeLower, {"LOWER", "降低"}},
    {ChangeNone, {"no real difference", "无实质差异"}},
    {ChangeUnknown, {"too short to tell", "时间过短，无法判断"}},
    {RecordsColumn, {"records", "记录数"}},
    {Lowest, {"lowest", "最低"}},
    {Highest, {"highest", "最高"}},
    {SpreadColumn, {"(max−min)/max", "(最高−最低)/最高"}},
    {MeasuredAt, {"measured at (UTC)", "测量时刻（UTC）"}},
    {HourOfDay, {"hour of the day, UTC", "一天中的时刻，UTC"}},
};

constexpr bool rows_are_complete() {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    if (table[i].message != static_cast<Message>(i) || !is_complete(table[i].phrase)) return false;
  }
  return true;
}

static_assert(std::size(table) == static_cast<std::size_t>(Message::Count),
              "a message lacks words");
static_assert(rows_are_complete(), "a message is out of order or lacks a language");

}  // namespace

std::string_view words(Message message, Language language) {
  return table[static_cast<std::size_t>(message)].phrase.in(language);
}

}  // namespace diskaudit
