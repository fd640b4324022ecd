// Replays what the fuzzers work from and what they found: tests/fuzz/corpus/TARGET. A broken
// promise aborts the program; the file's name stands in the message.

#include "fuzz/targets.hpp"
#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
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

/// Small, with something in every list that a record may have.
Audit varied_audit() {
  using namespace test;
  Audit audit =
      audit_of({{"rand-mixed-4k", 2500},
                {"seq-write-256k", 61e6, Outcome::Fail, Cause::BurstThenBelow},
                {"rand-read-4k", 900, Outcome::Inconclusive, Cause::ClientLimited}},
               {.seconds = 1,
                .planned = {"rand-mixed-4k", "seq-write-256k", "rand-read-4k", "rand-write-4k"}});
  Evidence& evidence = audit.scenarios[1].evidence;
  evidence.attempts.push_back(*evidence.judged);
  evidence.judged->faults = {{.at_seconds = 0.5, .offset = 4096, .length = 4096, .error = 5}};
  audit.guard = {{.name = "mounts", .passed = true, .finding = "not mounted in any namespace"}};
  audit.notes = {"test file made smaller"};
  audit.scenarios[1].verdict.flags = {"over"};
  return audit;
}

}  // namespace

TEST_CASE("the record that the fuzzer changes is one that this version writes") {
  test::check_golden("record.json", (*find_format("json"))->render(varied_audit(), {}));
}

TEST_CASE("formulas of anybody keep their promises") { replay("formula", fuzz::formula); }

TEST_CASE("profiles of anybody keep their promises") { replay("profile", fuzz::profile); }

TEST_CASE("limits of anybody keep their promises") { replay("importer", fuzz::importer); }

TEST_CASE("records of anybody keep their promises") { replay("record", fuzz::record); }
