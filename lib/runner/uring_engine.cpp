#include "runner/uring_engine.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace diskaudit {

namespace {

constexpr std::array<std::pair<UringFeature, const char*>, 6> names{{
    {deferred_taskrun, "deferred_taskrun"},
    {coop_taskrun, "coop_taskrun"},
    {submit_all, "submit_all"},
    {registered_ring, "registered_ring"},
    {registered_buffers, "registered_buffers"},
    {registered_file, "registered_file"},
}};

unsigned setup_flags(unsigned features) {
  unsigned flags = 0;
  if (features & deferred_taskrun) flags |= IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
  if (features & coop_taskrun) flags |= IORING_SETUP_COOP_TASKRUN;
  if (features & submit_all) flags |= IORING_SETUP_SUBMIT_ALL;
  return flags;
}

}  // namespace

std::vector<std::string> names_of_uring_features(unsigned bits) {
  std::vector<std::string> list;
  for (const auto& [bit, name] : names) {
    if (bits & bit) list.emplace_back(name);
  }
  return list;
}

unsigned uring_features_named(const std::vector<std::string>& wanted) {
  unsigned bits = 0;
  for (const auto& [bit, name] : names) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) bits |= bit;
  }
  return bits;
}

int set_up_ring(io_uring& ring, unsigned entries, unsigned wanted, unsigned& accepted) {
  constexpr std::array<unsigned, 4> ladder{deferred_taskrun | coop_taskrun | submit_all,
                                           coop_taskrun | submit_all, submit_all, 0};
  int error = -EINVAL;
  for (const unsigned rung : ladder) {
    io_uring_params params{};
    params.flags = setup_flags(rung & wanted) | IORING_SETUP_CLAMP;
    error = io_uring_queue_init_params(entries, &ring, &params);
    accepted = rung & wanted;
    if (error != -EINVAL) break;
  }
  return error;
}

UringEngine::~UringEngine() {
  if (open_) io_uring_queue_exit(&ring_);
}

int UringEngine::open(int fd, unsigned depth, const Buffers& buffers, unsigned wanted) {
  fd_ = fd;
  buffers_ = &buffers;
  const int error = set_up_ring(ring_, depth, wanted, features_);
  if (error != 0) return error;
  open_ = true;

  // Each of these saves work per request; where one is refused (old kernel, locked-memory limit)
  // the plain way stays.
  if ((wanted & registered_ring) && io_uring_register_ring_fd(&ring_) == 1) {
    features_ |= registered_ring;
  }
  const iovec region{buffers.region().data(), buffers.region().size()};
  if ((wanted & registered_buffers) && io_uring_register_buffers(&ring_, &region, 1) == 0) {
    features_ |= registered_buffers;
  }
  if ((wanted & registered_file) && io_uring_register_files(&ring_, &fd, 1) == 0) {
    features_ |= registered_file;
    fd_ = 0;  // its index
  }
  return 0;
}

void UringEngine::prepare(unsigned slot, bool write, std::size_t buffer, std::uint64_t offset) {
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  std::byte* memory = buffers_->at(buffer);
  const auto size = static_cast<unsigned>(buffers_->block_size());
  const bool fixed = has(registered_buffers);
  const int operation = write ? (fixed ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE)
                              : (fixed ? IORING_OP_READ_FIXED : IORING_OP_READ);
  io_uring_prep_rw(operation, sqe, fd_, memory, size, offset);
  if (has(registered_file)) sqe->flags |= IOSQE_FIXED_FILE;
  sqe->user_data = slot;
}

int UringEngine::submit_and_wait(unsigned wait_nr) {
  const int result = io_uring_submit_and_wait(&ring_, wait_nr);
  // Busy and again mean that completions must be reaped first; what was prepared stays queued.
  if (result >= 0 || result == -EINTR || result == -EAGAIN || result == -EBUSY) return 0;
  return result;
}

}  // namespace diskaudit
