#include "report/sentence_rows.hpp"

namespace diskaudit {
namespace {

constexpr SentenceRow table[] = {
    {{"will not write on {0}: {1} leads to another place than before; start again",
      "拒绝写入 {0}：{1} 现已指向别处；请重新开始"}},
    {{"will not write on {0}: {1}; {2}", "拒绝写入 {0}：{1}；{2}"}, 0b110},
    {{"{0}, or measure reads alone with --read-only", "{0}，或用 --read-only 只测读性能"}, 0b1},

    // What speaks for writing.
    {{"the system is on another disk", "系统不在此盘上"}},
    {{"given for {0}", "已针对 {0} 授权"}},
    {{"locked", "已加锁"}},
    {{"not mounted in any namespace", "未在任何命名空间中挂载"}},
    {{"no swap space", "不是交换空间"}},
    {{"not part of another device", "不属于其他设备"}},
    {{"below no loop device and in no mounted file system",
      "不在回环设备之下，也不在已挂载的文件系统中"}},
    {{"open for this process alone", "仅由本进程打开"}},
    {{"not named in fstab or crypttab", "fstab 与 crypttab 均未引用"}},
    {{"writable", "可写"}},
    {{"not removable", "不是可移动磁盘"}},
    {{"{0}, not compared", "{0}，未比对"}},
    {{"no known signature", "没有已知的签名"}},
    {{"all sampled blocks are zero", "抽样的数据块全为零"}},
    {{"it holds data, for example at byte {0}, which may be overwritten",
      "盘上有数据（例如第 {0} 字节处），已允许覆盖"}},
    {{"still the disk that was inspected", "仍是检查过的那块盘"}},

    // What speaks against it, and what to do then.
    {{"{0}, which the system needs, is on it", "系统所需的 {0} 位于此盘"}},
    {{"no option allows this; attach a disk of its own",
      "没有任何选项允许这样做；请另挂载一块专用数据盘"}},
    {{"writing would destroy the data on it, and nobody consented",
      "写入会破坏盘上的数据，且未获授权"}},
    {{"{0} is a path, which may lead to another disk tomorrow",
      "{0} 是路径，日后可能指向另一块盘"}},
    {{"consent was given for {0}, which is not this disk", "授权针对的是 {0}，并非此盘"}},
    {{"say --destroy-data-on {0}", "请指定 --destroy-data-on {0}"}},
    {{"{0} has the same serial", "{0} 的序列号相同"}},
    {{"name it by its link in /dev/disk/by-id ({0})",
      "请用其在 /dev/disk/by-id 中的链接名指定（{0}）"}},
    {{"it has none", "该盘没有"}},
    {{"cannot open {0} to lock it", "无法打开 {0} 以加锁"}},
    {{"another program has locked /dev/{0}", "其他程序已锁定 /dev/{0}"}},
    {{"end the program that holds it", "请结束占用它的程序"}},
    {{"{0} is mounted on {1} in another namespace", "{0} 在另一命名空间中挂载于 {1}"}},
    {{"{0} is mounted on {1}", "{0} 已挂载于 {1}"}},
    {{"unmount it", "请先卸载"}},
    {{"{0} is swap space in use", "{0} 是正在使用的交换空间"}},
    {{"run swapoff", "请运行 swapoff"}},
    {{"{0} is part of the mounted btrfs {1}", "{0} 属于已挂载的 btrfs {1}"}},
    {{"{0} is part of {1} ({2})", "{0} 属于 {1}（{2}）"}},
    {{"{0} is part of {1}", "{0} 属于 {1}"}},
    {{"{0} is below {1}", "{0} 位于 {1} 之下"}},
    {{"take it out of there", "请先将其移出"}},
    {{"{0} is in use", "{0} 正在使用中"}},
    {{"end what uses it", "请停止对它的使用"}},
    {{"{0} line {1} names it by {2}", "{0} 第 {1} 行以 {2} 引用了它"}},
    {{"remove the line, or the next start of the machine fails",
      "请删除该行，否则机器下次启动会失败"}},
    {{"it is read-only", "该盘只读"}},
    {{"attach it for writing", "请以可写方式挂载"}},
    {{"it is removable", "该盘是可移动磁盘"}},
    {{"use a disk that is not", "请换用不可移动的磁盘"}},
    {{"it has {0}, not {1}", "其容量为 {0}，而非 {1}"}},
    {{"check that this is the right disk, and --size", "请核对是否选对了盘，以及 --size"}},
    {{"{0} holds {1} \"{2}\"", "{0} 上有 {1}（{2}）"}},
    {{"{0} holds {1}", "{0} 上有 {1}"}},
    {{"if it can go: {0}", "若可以清除：{0}"}},
    {{"it holds data, for example at byte {0}", "盘上有数据（例如第 {0} 字节处）"}},
    {{"if it can go, add --overwrite-unrecognised-data",
      "若可以清除，请加上 --overwrite-unrecognised-data"}},
    {{"make sure that the disk can be read", "请确认该盘可读"}},
    {{"{0} leads to another device than before", "{0} 现已指向另一设备"}},
    {{"its size changed from {0} to {1}", "其容量由 {0} 变为 {1}"}},
    {{"another disk has taken the place of {0}", "{0} 已换成另一块盘"}},
    {{"start again", "请重新开始"}},

    // Why its content could not be looked at.
    {{"cannot read {0}", "无法读取 {0}"}},
    {{"cannot read at offset {0}: {1}", "无法读取偏移 {0} 处：{1}"}},
    {{"it ends there", "磁盘到此结束"}},
    {{"cannot sample the disk: out of memory", "无法对磁盘抽样：内存不足"}},
    {{"cannot look for signatures on {0}: {1}", "无法查找 {0} 上的签名：{1}"}},
    {{"cannot look for signatures on {0}", "无法查找 {0} 上的签名"}},
    {{"the answer is ambiguous", "结果不明确"}},
    {{"cannot look at what it holds: out of memory", "无法检查盘上内容：内存不足"}},
    {{"looking at what it holds was interrupted", "对盘上内容的检查被中断"}},
    {{"the disk has not answered for {0} s", "磁盘在 {0} 秒内没有响应"}},
    {{"the process that looked at what it holds came to grief", "检查盘上内容的进程异常退出"}},
};

static_assert(is_complete(table), "a finding lacks a language, or a place in it");

}  // namespace

std::span<const SentenceRow> guard_rows() { return table; }

}  // namespace diskaudit
