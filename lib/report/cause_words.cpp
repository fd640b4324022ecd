#include <iterator>

#include "report/messages.hpp"

namespace diskaudit {
namespace {

struct Row {
  Cause cause;
  CauseWords words;
};

using enum Cause;

constexpr Row table[] = {
    {BelowQuota,
     {{"below quota", "低于公布值"},
      {"the disk was saturated and stayed below its quota; make a ticket for the vendor with "
       "diskaudit report RECORD --format ticket",
       "磁盘已饱和仍低于公布性能；请用 diskaudit report RECORD --format ticket 生成工单提交厂商"},
      {"The disk was saturated (more outstanding I/O did not raise the rate) and delivered less "
       "than "
       "published.",
       "磁盘已饱和（增加并发 I/O 后速率不再提高），实测仍低于公布性能。"}}},
    {BurstThenBelow,
     {{"sank below", "突发后回落"},
      {"it began fast, then sank below its quota and stayed there; plan with the later rate and "
       "ask "
       "the vendor",
       "开始较快，随后回落到公布性能以下并保持；请按回落后的速率规划，并向厂商咨询"},
      {"After an initial burst the rate fell below the published value and stayed there.",
       "初始突发之后，速率回落到公布性能以下并保持。"}}},
    {LatencyAboveRange,
     {{"latency high", "时延过高"},
      {"single requests take longer than the vendor states; make a ticket with the record",
       "单个请求的时延超出厂商公布范围；请附上记录提交工单"},
      {"Completion latency at one outstanding request is above the published range.",
       "单队列深度下的完成时延超出公布范围。"}}},
    {IoError,
     {{"I/O errors", "I/O 错误"},
      {"the disk returned errors; save your data first, then read the kernel log and ask the "
       "vendor",
       "磁盘返回了 I/O 错误；请先备份数据，再查看内核日志并联系厂商"},
      {"The device failed requests during the test; offsets and error numbers are in the record.",
       "测试期间设备返回请求失败；偏移与错误码见记录。"}}},
    {ClientLimited,
     {{"client limit", "客户端受限"},
      {"this machine was the limit, not the disk: free its CPUs or take a larger instance, then "
       "run "
       "again",
       "受限的是本机而非磁盘：请释放 CPU 或换用更大的实例后重测"},
      {"The client's CPU was the limit; no claim is made about the disk.",
       "受限于客户端 CPU，不对磁盘下结论。"}}},
    {DepthLimited,
     {{"depth limit", "队列深度受限"},
      {"more outstanding I/O would have given more; raise --iodepth or the device's nr_requests "
       "and "
       "run again",
       "增加并发 I/O 还能提高速率；请调大 --iodepth 或设备的 nr_requests 后重测"},
      {"The queue was too shallow to saturate the disk; no claim is made about the disk.",
       "队列深度不足以使磁盘饱和，不对磁盘下结论。"}}},
    {InstanceLimited,
     {{"instance cap", "实例受限"},
      {"the instance type's own cap was reached before the disk's; test on a larger instance type",
       "先达到了实例规格自身的上限；请在更大的实例规格上测试"},
      {"The instance type's cap was reached; no claim is made about the disk.",
       "已达到实例规格的上限，不对磁盘下结论。"}}},
    {CgroupLimited,
     {{"cgroup limit", "cgroup 受限"},
      {"an I/O limit of this process's own cgroup was reached; run outside that container or slice",
       "达到了本进程所在 cgroup 的 I/O 限制；请在该容器或 slice 之外运行"},
      {"A cgroup limit on the client was reached; no claim is made about the disk.",
       "已达到客户端 cgroup 的限制，不对磁盘下结论。"}}},
    {FilesystemLimited,
     {{"file system", "文件系统受限"},
      {"the file system stood between test and disk; test the block device (--disk /dev/… "
       "--read-only) or another file system",
       "文件系统影响了结果；请直接测试块设备（--disk /dev/… --read-only）或换用其他文件系统"},
      {"The file system on the client was the limit; no claim is made about the disk.",
       "受限于客户端文件系统，不对磁盘下结论。"}}},
    {Contaminated,
     {{"other I/O", "其他 I/O 干扰"},
      {"something else used the disk and that decides the verdict; stop it and run again",
       "有其他程序在使用磁盘，且足以左右结论；请停止后重测"},
      {"Other I/O on the device overlapped the test; no claim is made.",
       "测试期间设备上有其他 I/O，不下结论。"}}},
    {Initialising,
     {{"initialising", "正在初始化"},
      {"blocks are slower at their first touch, as on a disk made from a snapshot; read the disk "
       "once, then run again",
       "数据块首次访问较慢（例如由快照创建的磁盘）；请先完整读取一遍磁盘再重测"},
      {"A second pass over the same blocks was faster: the volume seems to load lazily from a "
       "snapshot.",
       "对相同数据块的第二次访问更快：该盘似乎仍在从快照延迟加载。"}}},
    {BurstOnly,
     {{"burst only", "仅测得突发"},
      {"only the burst was seen, not the baseline; run longer with --runtime",
       "只测到突发性能，未测到基线；请用 --runtime 延长测试"},
      {"The test ended before the declared burst did; the baseline was not reached.",
       "测试在突发额度用尽前结束，未测到基线性能。"}}},
    {Unsteady,
     {{"unsteady", "不稳定"},
      {"the rate never settled; run again at other times of day and compare the records",
       "速率始终不稳定；请在一天中的不同时段重测并用 compare 对比记录"},
      {"The rate did not settle within the measured window; the series is attached.",
       "测量窗口内速率未趋于稳定，附有时间序列。"}}},
    {Borderline,
     {{"borderline", "临界"},
      {"too close to the threshold to tell; run longer, such as --runtime 300",
       "与达标线过近，无法区分；请延长测试，例如 --runtime 300"},
      {"The interval of the measurement contains the threshold; no claim is made.",
       "测量值的置信区间跨越达标线，不下结论。"}}},
    {CacheServed,
     {{"cache", "缓存命中"},
      {"a cache served these reads, not the disk; use a larger --test-size or another disk path",
       "这些读取来自缓存而非磁盘；请增大 --test-size 或更换测试路径"},
      {"The reads did not reach the device; no claim is made.", "读取未到达设备，不下结论。"}}},
    {Interrupted,
     {{"interrupted", "已中断"},
      {"it was stopped before its time; run it again to the end",
       "测试提前终止；请重新完整运行一次"},
      {"The test was stopped early; no claim is made.", "测试提前终止，不下结论。"}}},
};

constexpr bool rows_are_complete() {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const CauseWords& words = table[i].words;
    if (table[i].cause != static_cast<Cause>(i)) return false;
    if (!is_complete(words.name) || !is_complete(words.user) || !is_complete(words.vendor)) {
      return false;
    }
  }
  return std::size(table) == static_cast<std::size_t>(Interrupted) + 1;
}

static_assert(rows_are_complete(), "a cause lacks words, or the rows are out of order");

}  // namespace

const CauseWords& words_of(Cause cause) { return table[static_cast<std::size_t>(cause)].words; }

}  // namespace diskaudit
