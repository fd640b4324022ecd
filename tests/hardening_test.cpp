// What the built programs owe to the compiler and the linker, read from the files themselves.

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "support/catch.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;

namespace {

class Elf {
 public:
  explicit Elf(const std::string& path) : bytes_(read_file(path)), header_(at<Elf64_Ehdr>(0)) {
    REQUIRE(std::memcmp(header_.e_ident, ELFMAG "\x02", SELFMAG + 1) == 0);
    for (unsigned i = 0; i < header_.e_phnum; ++i)
      segments_.push_back(at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)));
  }

  unsigned type() const { return header_.e_type; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  const Elf64_Phdr* segment(unsigned type) const {
    const auto found = std::find_if(segments_.begin(), segments_.end(),
                                    [type](const auto& one) { return one.p_type == type; });
    return found == segments_.end() ? nullptr : &*found;
  }

  /// 0 where it is missing.
  std::uint64_t dynamic(std::int64_t tag) const {
    const Elf64_Phdr* table = segment(PT_DYNAMIC);
    for (std::uint64_t i = 0; table && i < table->p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(table->p_offset + i * sizeof(Elf64_Dyn));
      if (entry.d_tag == tag) return entry.d_un.d_val;
    }
    return 0;
  }

  /// Names of the functions that it has or calls, as far as its tables tell.
  std::set<std::string> symbols() const {
    std::set<std::string> names;
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      const auto section = this->section(i);
      if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
      const auto text = this->section(section.sh_link).sh_offset;
      for (std::uint64_t at = 0; at < section.sh_size; at += sizeof(Elf64_Sym))
        names.insert(bytes_.c_str() + text + this->at<Elf64_Sym>(section.sh_offset + at).st_name);
    }
    return names;
  }

 private:
  template <typename T>
  T at(std::uint64_t offset) const {
    T value;
    REQUIRE(offset + sizeof value <= bytes_.size());
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  Elf64_Shdr section(unsigned index) const {
    return at<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }

  std::string bytes_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Phdr> segments_;
};

bool is_sanitized() { return *STATIC_BINARY == '\0'; }

}  // namespace

TEST_CASE("the programs are built so that a mistake in a parser is hard to make use of") {
  const std::string path = GENERATE(std::string(DISKAUDIT_BINARY), std::string(STATIC_BINARY));
  if (path.empty()) return;
  INFO(path);
  const Elf elf(path);
  CHECK(elf.type() == ET_DYN);  // at another address each time
  CHECK((elf.dynamic(DT_FLAGS_1) & DF_1_PIE) != 0);
  CHECK((elf.dynamic(DT_FLAGS_1) & DF_1_NOW) != 0);
  CHECK(elf.segment(PT_GNU_RELRO) != nullptr);
  const Elf64_Phdr* stack = elf.segment(PT_GNU_STACK);
  REQUIRE(stack != nullptr);
  CHECK((stack->p_flags & PF_X) == 0);
  for (const Elf64_Phdr& segment : elf.segments())
    CHECK_FALSE((segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 &&
                 (segment.p_flags & PF_X) != 0));
  const std::set<std::string> symbols = elf.symbols();
  const auto calls = [&symbols](const std::string& name) {
    return std::any_of(symbols.begin(), symbols.end(),
                       [&name](const auto& symbol) { return symbol.starts_with(name); });
  };
  CHECK(calls("__stack_chk_fail"));
  if (!is_sanitized()) CHECK(calls("__memcpy_chk"));
}

TEST_CASE("the program has no rights of its own, loads nothing from odd places, calls nobody") {
  struct stat facts {};
  REQUIRE(stat(DISKAUDIT_BINARY, &facts) == 0);
  CHECK((facts.st_mode & (S_ISUID | S_ISGID)) == 0);
  const Elf elf(DISKAUDIT_BINARY);
  CHECK(elf.dynamic(DT_RPATH) == 0);
  CHECK(elf.dynamic(DT_RUNPATH) == 0);
  if (is_sanitized()) return;
  for (const std::string& symbol : elf.symbols())
    for (const char* call : {"connect", "getaddrinfo", "gethostbyname", "sendto", "sendmsg"})
      CHECK_FALSE((symbol == call || symbol.starts_with(std::string(call) + "@")));
}
