#include "report/sentence_rows.hpp"

namespace diskaudit {
namespace {

// As strerror(3) of glibc and musl says them.
constexpr SentenceRow table[] = {
    {{"Operation not permitted", "操作不被允许"}},
    {{"Permission denied", "权限不足"}},
    {{"No such file or directory", "文件或目录不存在"}},
    {{"Interrupted system call", "系统调用被中断"}},
    {{"Input/output error", "输入/输出错误"}},
    {{"I/O error", "输入/输出错误"}},
    {{"No such device or address", "设备或地址不存在"}},
    {{"No such device", "设备不存在"}},
    {{"Bad file descriptor", "文件描述符无效"}},
    {{"Resource temporarily unavailable", "资源暂时不可用"}},
    {{"Cannot allocate memory", "无法分配内存"}},
    {{"Out of memory", "内存不足"}},
    {{"Device or resource busy", "设备或资源忙"}},
    {{"Resource busy", "资源忙"}},
    {{"File exists", "文件已存在"}},
    {{"Not a directory", "不是目录"}},
    {{"Is a directory", "是目录"}},
    {{"Invalid argument", "参数无效"}},
    {{"Too many open files", "打开的文件过多"}},
    {{"Too many open files in system", "系统中打开的文件过多"}},
    {{"No file descriptors available", "没有可用的文件描述符"}},
    {{"File too large", "文件过大"}},
    {{"No space left on device", "设备上没有剩余空间"}},
    {{"Read-only file system", "文件系统只读"}},
    {{"Function not implemented", "内核未实现该功能"}},
    {{"Too many levels of symbolic links", "符号链接层数过多"}},
    {{"File name too long", "文件名过长"}},
    {{"Filename too long", "文件名过长"}},
    {{"Connection timed out", "超时"}},
    {{"Operation timed out", "超时"}},
    {{"Timer expired", "超时"}},
    {{"Disk quota exceeded", "超出磁盘配额"}},
    {{"Quota exceeded", "超出磁盘配额"}},
    {{"Operation not supported", "不支持该操作"}},
    {{"Not supported", "不支持该操作"}},
    {{"No medium found", "没有介质"}},
    {{"Remote I/O error", "远端 I/O 错误"}},
    {{"Link has been severed", "链路已断开"}},
    {{"No data available", "没有数据"}},
    {{"Invalid exchange", "交换无效"}},
    {{"Invalid or incomplete multibyte or wide character", "数据校验失败（EILSEQ）"}},
    {{"Illegal byte sequence", "数据校验失败（EILSEQ）"}},
    {{"Stale file handle", "文件句柄失效"}},
    {{"Text file busy", "文件正被执行"}},
    {{"Structure needs cleaning", "文件系统需要修复"}},
    {{"Success", "成功"}},
};

static_assert(is_complete(table), "an error of the system lacks a language");

}  // namespace

std::span<const SentenceRow> system_rows() { return table; }

}  // namespace diskaudit
