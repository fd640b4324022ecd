#include "report/sentence_rows.hpp"

namespace diskaudit {
namespace {

constexpr SentenceRow table[] = {
    // A target that is no disk, or not this program's to test.
    {{"cannot find {0}: {1}; name a folder or a block device with --disk",
      "找不到 {0}：{1}；请用 --disk 指定目录或块设备"}},
    {{"cannot inspect {0}: {1}", "无法查看 {0}：{1}"}},
    {{"{0} is neither a folder nor a block device; name the folder that it is in with --disk",
      "{0} 既不是目录也不是块设备；请用 --disk 指定其所在目录"}},
    {{"cannot read the file system of {0}: {1}", "无法读取 {0} 所在的文件系统：{1}"}},
    {{"cannot find the mount of {0} in /proc/self/mountinfo",
      "在 /proc/self/mountinfo 中找不到 {0} 的挂载点"}},
    {{"{0} is on {1}, which {2}; {3}", "{0} 位于 {1}，{2}；{3}"}, 0b1100},
    {{"is memory, not a disk", "它是内存，不是磁盘"}},
    {{"is on the network, not on a disk of this machine", "它在网络上，不在本机的磁盘上"}},
    {{"is made of layers of other file systems, not a disk", "它由其他文件系统叠加而成，不是磁盘"}},
    {{"can only be read", "它只能读取"}},
    {{"is served by a program, not by a disk", "它由程序提供，不是磁盘"}},
    {{"cannot tell which disk {0} ({1} from {2}) is on; {3}",
      "无法确定 {0}（{1}，来自 {2}）位于哪块磁盘；{3}"},
     0b1000},
    {{"use --disk {0} ({1}, {2} free)", "请使用 --disk {0}（{1}，空闲 {2}）"}},
    {{"name a folder on a disk with --disk", "请用 --disk 指定磁盘上的目录"}},
    {{"{0} is on a {1} of several disks, and a file there may be on any of them; name a folder on "
      "one disk with --disk",
      "{0} 位于跨多块磁盘的 {1} 上，文件可能落在其中任意一块；请用 --disk 指定单块磁盘上的目录"}},
    {{"no disk stands behind {0} ({1}); it may have been detached",
      "{0}（{1}）背后没有磁盘；可能已被卸载"}},
    {{"{0} has no medium: its size is 0", "{0} 没有介质：容量为 0"}},
    {{"cannot audit /dev/{0} by {1}: {2} is a disk in the host, not a cloud disk; name another one "
      "with --disk, or use: diskaudit measure",
      "无法按 {1} 核验 /dev/{0}：{2} 是宿主机本地盘，不是云硬盘；请用 --disk 另指定一块，或使用："
      "diskaudit measure"}},
    {{"another diskaudit is at work on {0}; wait until it has ended",
      "另一个 diskaudit 正在测试 {0}；请等它结束"}},
    {{"cannot look whether the disk answers: out of memory", "无法检查磁盘是否响应：内存不足"}},
    {{"cannot use {0}: the disk has not answered for {1} s",
      "无法使用 {0}：磁盘在 {1} 秒内没有响应"}},

    // The test file, or the device.
    {{"not enough space in {0}: {1} free, {2} of it kept as reserve, {3} needed; make room, lower "
      "--test-size, lower --reserve, or name another place with --disk",
      "{0} 空间不足：空闲 {1}，其中须保留 {2}，需要 {3}；请腾出空间、调小 --test-size 或 "
      "--reserve，"
      "或用 --disk 另指定位置"}},
    {{"not enough space in {0}: {1} free, {2} of it kept as reserve, {3} needed; make room, lower "
      "--reserve, or name another place with --disk",
      "{0} 空间不足：空闲 {1}，其中须保留 {2}，需要 {3}；请腾出空间、调小 --reserve，或用 --disk "
      "另指定位置"}},
    {{"cannot use direct I/O in {0} ({1}, data=journal); name another place with --disk",
      "无法在 {0}（{1}，data=journal）使用直接 I/O；请用 --disk 另指定位置"}},
    {{"cannot use direct I/O in {0} ({1}); name another place with --disk",
      "无法在 {0}（{1}）使用直接 I/O；请用 --disk 另指定位置"}},
    {{"{0} is no longer on the file system that was inspected; start again",
      "{0} 已不在检查过的文件系统上；请重新开始"}},
    {{"{0} is no longer the device that was inspected; start again",
      "{0} 已不是检查过的设备；请重新开始"}},
    {{"cannot take the name off {0}/{1}: {2}; remove the file by hand",
      "无法去掉 {0}/{1} 的文件名：{2}；请手动删除该文件"}},
    {{"cannot open the folder {0}: {1}; {2}", "无法打开目录 {0}：{1}；{2}"}, 0b100},
    {{"cannot open the folder {0}: {1}", "无法打开目录 {0}：{1}"}},
    {{"cannot create a test file in {0}: {1}; {2}", "无法在 {0} 创建测试文件：{1}；{2}"}, 0b100},
    {{"cannot create a test file in {0}: {1}", "无法在 {0} 创建测试文件：{1}"}},
    {{"cannot read the free space of {0}: {1}; {2}", "无法读取 {0} 的空闲空间：{1}；{2}"}, 0b100},
    {{"cannot read the free space of {0}: {1}", "无法读取 {0} 的空闲空间：{1}"}},
    {{"cannot allocate a test file of {0} in {1}: {2}; {3}",
      "无法在 {1} 分配 {0} 的测试文件：{2}；{3}"},
     0b1000},
    {{"cannot allocate a test file of {0} in {1}: {2}", "无法在 {1} 分配 {0} 的测试文件：{2}"}},
    {{"cannot read the size of {0}: {1}; {2}", "无法读取 {0} 的容量：{1}；{2}"}, 0b100},
    {{"cannot read the size of {0}: {1}", "无法读取 {0} 的容量：{1}"}},
    {{"cannot open {0}: {1}; {2}", "无法打开 {0}：{1}；{2}"}, 0b100},
    {{"cannot open {0}: {1}", "无法打开 {0}：{1}"}},
    {{"run as a user who may write there, or name another place with --disk",
      "请以有写权限的用户运行，或用 --disk 另指定位置"}},
    {{"run as root or join group disk", "请以 root 运行或加入 disk 组"}},
    {{"it is mounted read-only: name another place with --disk",
      "它以只读方式挂载：请用 --disk 另指定位置"}},
    {{"make room, or ask for less with --test-size", "请腾出空间，或用 --test-size 减小测试文件"}},
    {{"the user's quota there is used up: make room, or ask for less with --test-size",
      "该用户在此处的磁盘配额已用尽：请腾出空间，或用 --test-size 减小测试文件"}},
    {{"the disk does not answer: look at the kernel's log", "磁盘没有响应：请查看内核日志"}},
    {{"no file descriptor is left: raise ulimit -n", "文件描述符已用尽：请调大 ulimit -n"}},

    // The run itself.
    {{"cannot use io_uring: {0}", "无法使用 io_uring：{0}"}, 0b1},
    {{"cannot use libaio: {0}; raise the sysctl fs.aio-max-nr; {1}",
      "无法使用 libaio：{0}；请调大 sysctl fs.aio-max-nr；{1}"},
     0b10},
    {{"cannot use libaio: {0}; raise the sysctl fs.aio-max-nr",
      "无法使用 libaio：{0}；请调大 sysctl fs.aio-max-nr"}},
    {{"cannot use libaio: {0}; {1}", "无法使用 libaio：{0}；{1}"}, 0b10},
    {{"cannot use libaio: {0}", "无法使用 libaio：{0}"}},
    {{"cannot run {0}: {1} outstanding do not go over {2} threads",
      "无法运行 {0}：{1} 个并发 I/O 不足以分给 {2} 个线程"}},
    {{"cannot run {0}: the disk takes multiples of {1} bytes, not {2}",
      "无法运行 {0}：磁盘只接受 {1} 字节的整数倍，而非 {2} 字节"}},
    {{"cannot run {0}: {1} bytes are too few for {2} threads of {3} bytes",
      "无法运行 {0}：{1} 字节不够 {2} 个线程各用 {3} 字节"}},
    {{"cannot go on with {0}: a request at offset {1} came back with: {2}",
      "无法继续 {0}：偏移 {1} 处的请求返回：{2}"}},
    {{"cannot allocate {0} MiB for the accounts of {1}: {2}; shorten --runtime",
      "无法为 {1} 的统计分配 {0} MiB 内存：{2}；请缩短 --runtime"}},
    {{"cannot start the workers: {0}", "无法启动工作进程：{0}"}},
    {{"cannot measure {0}: the worker process was ended by signal {1}",
      "无法测量 {0}：工作进程被信号 {1} 终止"}},
    {{"cannot measure {0}: the worker process ended with status {1}",
      "无法测量 {0}：工作进程以状态 {1} 退出"}},
    {{"cannot allocate buffers for {0}: {1}", "无法为 {0} 分配缓冲区：{1}"}},
    {{"cannot set up the queue for {0}: {1}", "无法为 {0} 建立 I/O 队列：{1}"}},
    {{"cannot submit requests for {0}: {1}", "无法为 {0} 提交请求：{1}"}},

    // The record.
    {{"cannot keep a record: neither XDG_STATE_HOME nor HOME names a folder; set one, or say "
      "--no-save",
      "无法保存记录：XDG_STATE_HOME 与 HOME 均未指明目录；请设置其一，或使用 --no-save"}},
    {{"cannot create state folder {0}: {1}; set XDG_STATE_HOME, or say --no-save",
      "无法创建状态目录 {0}：{1}；请设置 XDG_STATE_HOME，或使用 --no-save"}},
    {{"cannot write into {0}: {1}", "无法写入目录 {0}：{1}"}},
    {{"cannot write {0}: no folder {1}; create it first",
      "无法写入 {0}：目录 {1} 不存在；请先创建"}},
    {{"cannot write {0}: it is a symbolic link; name the file itself",
      "无法写入 {0}：它是符号链接；请给出文件本身"}},
    {{"cannot write {0}: it is not a regular file", "无法写入 {0}：它不是普通文件"}},
    {{"cannot write {0}: {1}", "无法写入 {0}：{1}"}},
    {{"cannot create {0}: {1}", "无法创建 {0}：{1}"}},
};

static_assert(is_complete(table), "a refusal lacks a language, or a place in it");

}  // namespace

std::span<const SentenceRow> refusal_rows() { return table; }

}  // namespace diskaudit
