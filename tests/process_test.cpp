#include "support/process.hpp"

#include <csignal>

#include "support/catch.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
using namespace std::chrono_literals;

TEST_CASE("a program's exit code, output and errors are told apart") {
  const auto done = run({"sh", "-c", "cat; echo $NAME >&2; pwd; exit 7"},
                        {.environment = {"NAME=value"}, .input = "text\n", .folder = "/"});
  CHECK(done.exit_code == 7);
  CHECK(done.signal == 0);
  CHECK(done.out == "text\n/\n");
  CHECK(done.err == "value\n");
  CHECK_FALSE(done.timed_out);
}

TEST_CASE("a program that takes too long is killed, and what it said is kept") {
  const auto done = run({"sh", "-c", "echo first; sleep 60"}, {.time_limit = 300ms});
  CHECK(done.timed_out);
  CHECK(done.signal == SIGKILL);
  CHECK(done.out == "first\n");
}

TEST_CASE("input and output larger than a pipe pass whole") {
  const std::string text(3'000'000, 'x');
  CHECK(run({"cat"}, {.input = text}).out == text);
}

TEST_CASE("a started program is signalled and waited for") {
  Process process({"sh", "-c", "trap 'echo caught; exit 3' TERM; echo ready; sleep 60 & wait"},
                  {.keep_input_open = true});
  REQUIRE(process.wait_for_output("ready", 10s));
  CHECK(process.running());
  process.send(SIGTERM);
  const auto done = process.wait(10s);
  CHECK(done.exit_code == 3);
  CHECK(done.out == "ready\ncaught\n");
}

TEST_CASE("a program that cannot be started is an error") {
  CHECK_THROWS(run({"/no/such/program"}));
}

TEST_CASE("a temporary folder is removed with its content") {
  std::filesystem::path path;
  {
    const TempFolder folder;
    path = folder.path();
    write_file(folder / "a", "content");
    CHECK(read_file(folder / "a") == "content");
  }
  CHECK_FALSE(std::filesystem::exists(path));
}
