// Holds the sources to the layout that the README's map promises.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

namespace fs = std::filesystem;

// From what a vendor publishes to what a person reads; includes point back along this line.
constexpr std::array modules = {"profile", "device", "plan",  "measure",
                                "runner",  "judge",  "audit", "report"};

struct Include {
  std::string file;
  std::string module;    // of the file; empty for the vocabulary in lib/ itself
  std::string included;  // as written between quotes or angle brackets
};

std::vector<Include> includes_in(const fs::path& folder) {
  static const std::regex line_of_include(R"(^\s*#include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    const fs::path relative = fs::relative(entry.path(), folder);
    const std::string module =
        relative.has_parent_path() ? relative.begin()->string() : std::string();
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, line_of_include)) continue;
      found.push_back({relative.string(), module, match[1]});
    }
  }
  return found;
}

const fs::path lib = fs::path(SOURCE_FOLDER) / "lib";

long rank_of(const std::string& module) {
  return std::ranges::find(modules, module) - modules.begin();
}

bool is_io(const Include& include) {
  return include.module == "runner" || include.file.starts_with("device/inspect");
}

}  // namespace

TEST_CASE("every folder of lib is a module with a place in the line") {
  for (const auto& entry : fs::directory_iterator(lib)) {
    if (!entry.is_directory()) continue;
    INFO(entry.path());
    CHECK(rank_of(entry.path().filename()) < std::ssize(modules));
  }
}

TEST_CASE("includes point back from report to profile, never forward") {
  std::size_t checked = 0;
  for (const Include& include : includes_in(lib)) {
    const std::string target = include.included.substr(0, include.included.find('/'));
    if (rank_of(target) == std::ssize(modules)) continue;
    INFO(include.file << " includes " << include.included);
    CHECK(rank_of(target) <= rank_of(include.module));
    CHECK_FALSE(include.module.empty());
    ++checked;
  }
  CHECK(checked > 20);
}

TEST_CASE("only the app includes the runner, and only the app prints or reads arguments") {
  for (const Include& include : includes_in(lib)) {
    INFO(include.file << " includes " << include.included);
    if (include.module != "runner") CHECK_FALSE(include.included.starts_with("runner/"));
    CHECK_FALSE(include.included.starts_with("CLI/"));
    CHECK_FALSE(include.included.starts_with("spdlog/"));
    CHECK(include.included != "iostream");
  }
}

TEST_CASE("the core makes no system call") {
  constexpr std::array kernel_headers = {"sys/",     "linux/",  "unistd.h", "fcntl.h", "liburing.h",
                                         "libaio.h", "sched.h", "mntent.h", "csignal", "thread"};
  for (const Include& include : includes_in(lib)) {
    if (is_io(include)) continue;
    for (const char* header : kernel_headers) {
      INFO(include.file << " includes " << include.included);
      CHECK_FALSE(include.included.starts_with(header));
    }
  }
}

TEST_CASE("a header opens with what its module is for and fits on a page") {
  std::size_t checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(lib)) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    INFO(entry.path());
    REQUIRE(lines.size() > 2);
    CHECK(lines[0] == "#pragma once");
    CHECK(lines[1].starts_with("/// "));
    CHECK(lines.size() <= 120);
    ++checked;
  }
  CHECK(checked > 10);
}
