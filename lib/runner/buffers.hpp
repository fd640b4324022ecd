#pragma once
/// The memory that requests read into and write from, and what makes each written block unique.

#include <cstddef>
#include <cstdint>
#include <span>

#include "runner/offsets.hpp"

namespace diskaudit {

/// One region in huge pages where the kernel gives them: contiguous memory keeps a large request
/// from being split by the device's segment limit.
class Buffers {
 public:
  Buffers(std::size_t count, std::size_t block_size);
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers();

  /// False: there was no memory.
  explicit operator bool() const { return mapped_ != nullptr; }
  std::span<std::byte> region() const { return region_; }
  std::size_t block_size() const { return block_size_; }
  std::byte* at(std::size_t index) const { return region_.data() + index * block_size_; }
  void fill(Random& random);

 private:
  void* mapped_ = nullptr;
  std::size_t mapped_size_ = 0;
  std::size_t block_size_;
  std::span<std::byte> region_;
};

/// Marks blocks so that no 512 bytes that were ever written equal any others: the numbers count up,
/// and a bijection spreads them.
class Stamp {
 public:
  Stamp(std::uint64_t seed, unsigned worker)
      : seed_(seed), next_(static_cast<std::uint64_t>(worker) << 48) {}

  void apply(std::byte* block, std::size_t size);

 private:
  std::uint64_t seed_;
  std::uint64_t next_;
};

}  // namespace diskaudit
