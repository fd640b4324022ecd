// Replays what the fuzzers work from and what they found: tests/fuzz/corpus/TARGET. A broken
// promise aborts the program; the file's name stands in the message.

#include "fuzz/targets.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;

namespace {

void replay(const std::string& target, void (*run)(std::string_view)) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SOURCE_FOLDER "/tests/fuzz/corpus/" + target)) {
    INFO(entry.path().string());
    const std::string input = read_file(entry.path());
    // Once more cut in the middle, as a file may be.
    for (const std::size_t length : {input.size(), input.size() / 2})
      run(std::string_view(input).substr(0, length));
    ++files;
  }
  CHECK(files > 2);
}

}  // namespace

TEST_CASE("formulas of anybody keep their promises") { replay("formula", fuzz::formula); }

TEST_CASE("profiles of anybody keep their promises") { replay("profile", fuzz::profile); }

TEST_CASE("limits of anybody keep their promises") { replay("importer", fuzz::importer); }

TEST_CASE("records of anybody keep their promises") { replay("record", fuzz::record); }
