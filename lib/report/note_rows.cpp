#include "report/sentence_rows.hpp"

namespace diskaudit {
namespace {

constexpr SentenceRow table[] = {
    {{"size not given; the device's own {0} was taken", "未指定容量，按设备自身的 {0} 计算"}},
    {{"the quota is that of {0}, as said; the device has {1}",
      "公布性能按所给的 {0} 计算，而设备容量为 {1}"}},
    {{"{0}: iodepth {1} instead of {2}: the device's queue holds no more",
      "{0}：队列深度为 {1} 而非 {2}，设备队列容纳不下更多"}},
    {{"whether the disk holds data or was never written could not be sampled",
      "无法抽样判断磁盘上是否有数据"}},
    {{"test file of {0} instead of {1}: a reserve of {2} stays free",
      "测试文件为 {0} 而非 {1}：须保留 {2} 空闲空间"}},
    {{"the machine says that it is in the cloud {0}; the profile is {1}",
      "本机自称位于 {0} 云，而所选规格为 {1}"}},
    {{"what was on {0} is gone: it needs a new file system before it is used",
      "{0} 上原有的数据已不存在：使用前需重新创建文件系统"}},
    {{"{0}: measured for {1} s, until after the declared burst of {2} s",
      "{0}：测量 {1} 秒，直到公布的 {2} 秒突发结束之后"}},
    {{"{0}: the declared burst lasts up to {1} s, longer than the window; --until-baseline "
      "measures until after it",
      "{0}：公布的突发最长持续 {1} 秒，超过测量窗口；--until-baseline 可一直测到其结束之后"}},
    {{"{0}: spread over {1} instead of at least {2}: a decline may not show",
      "{0}：只分布在 {1} 而非至少 {2} 上，性能下降可能显现不出来"}},
    {{"judged again as {0} of {1} GiB, by the formula of {2}",
      "按 {1} GiB 的 {0}、以 {2} 的公式重新判定"}},
    {{"judged again as {0} of {1} GiB", "按 {1} GiB 的 {0} 重新判定"}},
    {{"redacted: paths, volume, machine and audit", "已隐去：路径、云硬盘、机器与报告的标识"}},
    {{"redacted: paths", "已隐去：路径"}},

    // A disk that could not be filled.
    {{"cannot {0} the test area: {1}; {2}", "无法{0}测试区域：{1}；{2}"}, 0b101},
    {{"cannot {0} the test area: {1}", "无法{0}测试区域：{1}"}, 0b001},
    {{"write at offset {0} of", "在偏移 {0} 处写入"}},
    {{"sync", "同步"}},
    {{"the space went to somebody else meanwhile: make room, or raise --reserve, and start again",
      "空间在此期间被其他程序占用：请腾出空间或调大 --reserve 后重新开始"}},
    {{"cannot fill the test area: {0} has not returned for {1} s",
      "无法填充测试区域：{0}在 {1} 秒内未返回"},
     0b01},
    {{"the write at offset {0}", "偏移 {0} 处的写入"}},
    {{"the sync", "同步操作"}},

    // What goes to stderr meanwhile.
    {{"record: {0}", "记录：{0}"}},
    {{"destroying what is on {0} ({1}): its first {2} are filled, then measured for about {3} min",
      "即将破坏 {0}（{1}）上的数据：先写满其开头 {2}，再测量约 {3} 分钟"}},
    {{"writing before measuring, {0} of {1}", "测量前写入，{0} / {1}"}},
    {{"{0} written before measuring", "测量前已写入 {0}"}},
    {{", about {0} s left", "，约剩 {0} 秒"}},
    {{"cannot give up privileges: {0}", "无法放弃特权：{0}"}},
    {{"cannot write the report to stdout: {0}", "无法向 stdout 写报告：{0}"}},

    // A dry run.
    {{"dry run: nothing was written or measured", "试运行：未写入，也未测量"}},
    {{"profile", "规格"}},
    {{"disk", "磁盘"}},
    {{"target", "测试对象"}},
    {{"{0}, an unnamed test file of {1}", "{0}，{1} 的无名测试文件"}},
    {{"{0}, the first of {1}", "{0}，开头 {1}"}},
    {{"traffic", "读写量"}},
    {{"as much as the disk delivers in that time", "取决于磁盘在该时间内的速率"}},
    {{"about {0} read, {1} written, if it meets its quota", "若达到公布性能，约读 {0}、写 {1}"}},
    {{"time", "用时"}},
    {{"about {0} s, more if a verdict is hard to settle", "约 {0} 秒，结论难以确定时更长"}},
    {{"scenarios", "测试项"}},
    {{"not tested: {0}", "不测试：{0}"}},
    {{"no target", "无目标值"}},
    {{"target {0}, iodepth {1}", "目标 {0}，队列深度 {1}"}},
    {{"guard: what was made sure of before writing", "写入前的检查"}},
    {{"note", "注意"}},

    // The engine.
    {{"io_uring is not available, libaio used instead: {0}", "io_uring 不可用，改用 libaio：{0}"},
     0b1},
    {{"the sysctl kernel.io_uring_disabled is 2; set it to 0",
      "sysctl kernel.io_uring_disabled 为 2；请设为 0"}},
    {{"the sysctl kernel.io_uring_disabled is 1; run as root, join the group in "
      "kernel.io_uring_group, or set it to 0",
      "sysctl kernel.io_uring_disabled 为 1；请以 root 运行、加入 kernel.io_uring_group "
      "指定的组，或设为 0"}},
    {{"{0} forbids it; allow io_uring_setup, io_uring_enter and io_uring_register",
      "被{0}禁止；请放行 io_uring_setup、io_uring_enter 和 io_uring_register"},
     0b1},
    {{"a seccomp filter", " seccomp 过滤器"}},
    {{"a security module (LSM)", "安全模块（LSM）"}},
    {{"a seccomp filter hides it; allow io_uring_setup, io_uring_enter and io_uring_register",
      "被 seccomp 过滤器屏蔽；请放行 io_uring_setup、io_uring_enter 和 io_uring_register"}},
    {{"the kernel {0} does not have it; 5.1 brought it", "内核 {0} 尚不支持；自 5.1 起提供"}},
    {{"the limit of locked memory is {0} KiB; raise it with ulimit -l",
      "锁定内存上限为 {0} KiB；请用 ulimit -l 调大"}},
};

static_assert(is_complete(table), "a note lacks a language, or a place in it");

}  // namespace

std::span<const SentenceRow> note_rows() { return table; }

}  // namespace diskaudit
