#include "support/scripted_disk_server.hpp"

#define FUSE_USE_VERSION 314
#include <fcntl.h>
#include <fmt/format.h>
#include <fuse_lowlevel.h>
#include <linux/falloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

// One thread takes requests from the kernel and gives the answers whose time has come; requests
// that wait are entries of the scheduler, not threads. The data lives in anonymous memory, which
// costs pages only where something was written.

namespace diskaudit {

Nanoseconds monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

struct DiskServer::State {
  Script script;
  DiskLog& log;
  int control;
  void (*on_orphaned)(void*);
  void* context;
  std::string file{};
  fuse_session* session = nullptr;
  char* data = nullptr;
  DiskScheduler scheduler{};
  bool serving = true;
  Nanoseconds deadline = LLONG_MAX;
};

namespace {

using State = DiskServer::State;
constexpr fuse_ino_t file_inode = 2;
constexpr double forever = 1e9;
constexpr unsigned largest_request = 1 << 20;

State& state_of(fuse_req_t request) { return *static_cast<State*>(fuse_req_userdata(request)); }

struct stat attributes(const State& state, fuse_ino_t inode) {
  struct stat result {};
  result.st_ino = inode;
  result.st_nlink = inode == FUSE_ROOT_ID ? 2 : 1;
  result.st_mode = inode == FUSE_ROOT_ID ? S_IFDIR | 0700 : S_IFREG | 0600;
  result.st_size = inode == FUSE_ROOT_ID ? 0 : static_cast<off_t>(state.script.size);
  return result;
}

void on_init(void*, fuse_conn_info* connection) {
  connection->max_write = largest_request;
  connection->max_background = 65535;
  connection->congestion_threshold = 65535;
  connection->want &=
      ~static_cast<unsigned>(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE);
  connection->want |= FUSE_CAP_ASYNC_DIO;
}

void on_lookup(fuse_req_t request, fuse_ino_t parent, const char* name) {
  if (parent != FUSE_ROOT_ID || name != state_of(request).file) {
    fuse_reply_err(request, ENOENT);
    return;
  }
  fuse_entry_param entry{};
  entry.ino = file_inode;
  entry.attr = attributes(state_of(request), file_inode);
  entry.attr_timeout = entry.entry_timeout = forever;
  fuse_reply_entry(request, &entry);
}

void on_getattr(fuse_req_t request, fuse_ino_t inode, fuse_file_info*) {
  const auto result = attributes(state_of(request), inode);
  fuse_reply_attr(request, &result, forever);
}

void on_open(fuse_req_t request, fuse_ino_t, fuse_file_info* file) {
  file->direct_io = 1;
  fuse_reply_open(request, file);
}

void on_statfs(fuse_req_t request, fuse_ino_t) {
  struct statvfs result {};
  result.f_bsize = result.f_frsize = 4096;
  result.f_blocks = state_of(request).script.size / 4096;
  fuse_reply_statfs(request, &result);
}

void submit(fuse_req_t request, DiskDirection direction, off_t offset, size_t length) {
  state_of(request).scheduler.submit({reinterpret_cast<std::uint64_t>(request), direction,
                                      static_cast<std::uint64_t>(offset),
                                      static_cast<std::uint32_t>(length), monotonic_now()});
}

/// Requests never cross the end: the kernel cuts them at the file's size.
bool is_inside(const State& state, off_t offset, size_t length) {
  return offset >= 0 && static_cast<std::uint64_t>(offset) + length <= state.script.size;
}

void on_read(fuse_req_t request, fuse_ino_t, size_t length, off_t offset, fuse_file_info*) {
  if (!is_inside(state_of(request), offset, length)) {
    fuse_reply_err(request, EINVAL);
    return;
  }
  submit(request, DiskDirection::Read, offset, length);
}

void on_write(fuse_req_t request, fuse_ino_t, const char* bytes, size_t length, off_t offset,
              fuse_file_info*) {
  auto& state = state_of(request);
  if (!is_inside(state, offset, length)) {
    fuse_reply_err(request, ENOSPC);
    return;
  }
  std::memcpy(state.data + offset, bytes, length);
  submit(request, DiskDirection::Write, offset, length);
}

void on_fallocate(fuse_req_t request, fuse_ino_t, int mode, off_t offset, off_t length,
                  fuse_file_info*) {
  auto& state = state_of(request);
  if ((mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) == 0) {
    fuse_reply_err(request, EOPNOTSUPP);
    return;
  }
  const off_t end = std::min(offset + length, static_cast<off_t>(state.script.size));
  const off_t first = std::min((offset + 4095) / 4096 * 4096, end);
  const off_t last = std::max(end / 4096 * 4096, first);
  std::memset(state.data + offset, 0, static_cast<size_t>(first - offset));
  madvise(state.data + first, static_cast<size_t>(last - first), MADV_DONTNEED);
  std::memset(state.data + last, 0, static_cast<size_t>(end - last));
  submit(request, DiskDirection::Discard, offset, static_cast<size_t>(length));
}

void on_fsync(fuse_req_t request, fuse_ino_t, int, fuse_file_info*) {
  submit(request, DiskDirection::Flush, 0, 0);
}

fuse_lowlevel_ops operations() {
  fuse_lowlevel_ops result{};
  result.init = on_init;
  result.lookup = on_lookup;
  result.getattr = on_getattr;
  result.open = on_open;
  result.statfs = on_statfs;
  result.read = on_read;
  result.write = on_write;
  result.fallocate = on_fallocate;
  result.fsync = on_fsync;
  return result;
}

void give(State& state, const DiskAnswer& answer) {
  const auto& request = answer.request;
  const auto handle = reinterpret_cast<fuse_req_t>(request.tag);
  // Logged first: whoever has seen a request complete finds it in the log.
  state.log.append({monotonic_now(), request.arrival, request.offset, request.length,
                    request.direction, static_cast<std::uint8_t>(answer.error), 0});
  if (answer.error != 0 || request.direction > DiskDirection::Write) {
    fuse_reply_err(handle, answer.error);
  } else if (request.direction == DiskDirection::Read) {
    fuse_reply_buf(handle, state.data + request.offset, request.length);
  } else {
    fuse_reply_write(handle, request.length);
  }
}

/// Takes what the kernel has for us; false when it had nothing.
bool receive(State& state, fuse_buf& buffer) {
  bool any = false;
  for (int i = 0; i < 64 && state.serving; ++i) {
    const int size = fuse_session_receive_buf(state.session, &buffer);
    if (size == -EAGAIN || size == -EINTR) return any;
    if (size <= 0) {
      state.serving = false;
      return any;
    }
    fuse_session_process_buf(state.session, &buffer);
    any = true;
  }
  return any;
}

void obey(State& state) {
  char message[4096];
  const ssize_t size = recv(state.control, message, sizeof message, MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) {
    state.control = -1;
    state.scheduler.stop(monotonic_now());
    state.on_orphaned(state.context);
    return;
  }
  const std::string_view text(message, static_cast<size_t>(size));
  if (text == "stop") {
    state.scheduler.stop(monotonic_now());
  } else if (text == "start") {
    const auto now = monotonic_now();
    state.scheduler.start(state.script, now);
    state.log.set_start(now);
    send(state.control, "started", 7, MSG_NOSIGNAL);
  } else {
    const auto equals = std::min(text.find('='), text.size() - 1);
    const auto changed =
        state.scheduler.change(text.substr(0, equals), text.substr(equals + 1), monotonic_now());
    if (!changed) fmt::print(stderr, "scripted_disk: {}\n", changed.error().message);
    state.log.count_change();
  }
}

void wait_for_event(State& state) {
  const auto now = monotonic_now();
  const auto next = std::min(state.scheduler.next_event().value_or(LLONG_MAX), state.deadline);
  const auto wait = std::clamp<Nanoseconds>(next - now, 0, 3'600'000'000'000);
  const timespec limit{wait / 1'000'000'000, wait % 1'000'000'000};
  pollfd fds[] = {{fuse_session_fd(state.session), POLLIN, 0}, {state.control, POLLIN, 0}};
  ppoll(fds, 2, &limit, nullptr);
  if (fds[1].revents != 0) obey(state);
  if (monotonic_now() >= state.deadline) state.serving = false;
}

}  // namespace

DiskServer::DiskServer(const Script& script, DiskLog& log, int control, void (*on_orphaned)(void*),
                       void* context)
    : state_(new State{script, log, control, on_orphaned, context}) {}

DiskServer::~DiskServer() {
  if (state_->data != nullptr) munmap(state_->data, state_->script.size);
  if (state_->session != nullptr) fuse_session_destroy(state_->session);
}

Result<void> DiskServer::mount(const std::string& folder, const std::string& file) {
  auto& state = *state_;
  void* memory = mmap(nullptr, state.script.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return refusal(fmt::format("cannot reserve the disk's memory: {}", std::strerror(errno)));
  }
  // A huge page for one written block would turn a sparse disk into a full one.
  madvise(memory, state.script.size, MADV_NOHUGEPAGE);
  state.data = static_cast<char*>(memory);
  state.file = file;

  char name[] = "scripted_disk", option[] = "-o", options[] = "fsname=scripted_disk";
  char* argv[] = {name, option, options, nullptr};
  fuse_args arguments = FUSE_ARGS_INIT(3, argv);
  const auto table = operations();
  state.session = fuse_session_new(&arguments, &table, sizeof table, &state);
  fuse_opt_free_args(&arguments);
  if (state.session == nullptr) return refusal("cannot make a FUSE session");
  if (fuse_session_mount(state.session, folder.c_str()) != 0) {
    return refusal(fmt::format("cannot mount FUSE on {}", folder));
  }
  fcntl(fd(), F_SETFL, fcntl(fd(), F_GETFL) | O_NONBLOCK);
  const auto number = std::to_string(getpid());
  send(state.control, number.data(), number.size(), MSG_NOSIGNAL);
  return {};
}

void DiskServer::run() {
  auto& state = *state_;
  fuse_buf buffer{};
  unsigned rounds = 0;
  while (state.serving && fuse_session_exited(state.session) == 0) {
    bool busy = receive(state, buffer);
    while (const auto answer = state.scheduler.next_answer(monotonic_now())) {
      give(state, *answer);
      busy = true;
    }
    // Under load too, the supervisor is heard.
    if (!busy || ++rounds % 64 == 0) wait_for_event(state);
  }
  std::free(buffer.mem);
}

int DiskServer::fd() const { return fuse_session_fd(state_->session); }

void DiskServer::end_by(Nanoseconds deadline) { state_->deadline = deadline; }

}  // namespace diskaudit
