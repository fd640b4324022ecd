#include "runner/buffers.hpp"

#include <sys/mman.h>

#include <cstring>

namespace diskaudit {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
}

Buffers::Buffers(std::size_t count, std::size_t block_size) : block_size_(block_size) {
  const std::size_t size = count * block_size;
  const std::size_t slack = size >= huge_page ? huge_page : 0;
  void* mapped =
      ::mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return;
  mapped_ = mapped;
  mapped_size_ = size + slack;
  auto address = reinterpret_cast<std::uintptr_t>(mapped);
  if (slack != 0) address = (address + huge_page - 1) / huge_page * huge_page;
  region_ = {reinterpret_cast<std::byte*>(address), size};
  // Small regions stay in small pages: a whole huge page would count as locked memory.
  if (slack != 0) ::madvise(region_.data(), size, MADV_HUGEPAGE);
}

Buffers::~Buffers() {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_size_);
}

void Buffers::fill(Random& random) {
  for (std::size_t i = 0; i + 8 <= region_.size(); i += 8) {
    const std::uint64_t word = random.next();
    std::memcpy(region_.data() + i, &word, sizeof word);
  }
}

// The key makes every word differ from the last time this buffer was written, so that no chunk of a
// compressing or similarity-seeking store holds the same bytes twice; the mark makes sure of it.
void Stamp::apply(std::byte* block, std::size_t size) {
  constexpr std::size_t words = 512 / sizeof(std::uint64_t);
  const std::uint64_t key = mix(~next_ ^ seed_);
  for (std::size_t i = 0; i + 512 <= size; i += 512) {
    auto* sector = reinterpret_cast<std::uint64_t*>(block + i);
    for (std::size_t word = 0; word < words; ++word) sector[word] ^= key;
    sector[0] = mix(next_++) ^ seed_;
  }
}

}  // namespace diskaudit
