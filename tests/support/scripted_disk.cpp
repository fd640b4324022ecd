#include "support/scripted_disk.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "support/catch.hpp"
#include "support/scripted_disk_cgroup.hpp"

namespace diskaudit {
namespace {

using namespace std::chrono_literals;

ProcessOptions held_by_its_input() {
  ProcessOptions options;
  options.keep_input_open = true;
  // It notices our death by its input, and needs its life to clean up.
  options.killed_with_parent = false;
  return options;
}

std::vector<std::string> command_line(const Script& script) {
  require_scripted_disk();
  std::vector<std::string> words{SCRIPTED_DISK_BINARY};
  std::string text = format_script(script);
  for (size_t end = text.find(' '); end != std::string::npos; end = text.find(' ')) {
    words.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  return words;
}

}  // namespace

void require_scripted_disk() {
  if (std::string_view(SCRIPTED_DISK_BINARY).empty()) skip("built without libfuse3");
  if (geteuid() != 0) skip("needs root to attach a loop device");
  for (const char* path : {"/dev/fuse", "/dev/loop-control"}) {
    if (access(path, R_OK | W_OK) != 0) skip(std::string("cannot open ") + path);
  }
}

void require_throttling_cgroup() {
  if (throttling_cgroup("").empty()) skip("no cgroup controller for block I/O");
}

ScriptedDisk::ScriptedDisk(const Script& script)
    : process_(command_line(script), held_by_its_input()) {
  if (!process_.wait_for_output("}\n", 30s)) {
    close();
    throw std::runtime_error("the scripted disk did not start: " + process_.err());
  }
  const auto facts = nlohmann::json::parse(process_.out());
  device_ = facts.at("device").get<std::string>();
  directory_ = facts.at("directory").get<std::string>();
  cgroup_ = facts.at("cgroup").get<std::string>();
  server_ = facts.at("server").get<pid_t>();
  log_.emplace(DiskLog::open(facts.at("log").get<std::string>()));
}

ScriptedDisk::~ScriptedDisk() { close(); }

void ScriptedDisk::set(const std::string& key, const std::string& value) {
  Script scratch;
  if (const auto valid = set_script(scratch, key, value); !valid) {
    throw std::runtime_error(valid.error().message);
  }
  const auto before = log_->changes();
  process_.write_input(key + "=" + value + "\n");
  for (int i = 0; log_->changes() == before; ++i) {
    if (i == 10'000) throw std::runtime_error("the scripted disk does not listen");
    std::this_thread::sleep_for(1ms);
  }
}

std::function<void()> ScriptedDisk::join_cgroup() const {
  return [path = cgroup_ + "/cgroup.procs"] {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "0", 1) != 1) _exit(126);
    ::close(fd);
  };
}

bool ScriptedDisk::close() { return process_.wait(30s).exit_code == 0; }

ServedWindow ScriptedDisk::served(std::int64_t from, std::int64_t to) const {
  ServedWindow window;
  const auto all = log_->entries();
  const auto first = std::lower_bound(
      all.begin(), all.end(), from,
      [](const LogEntry& entry, std::int64_t time) { return entry.completion < time; });
  for (auto entry = first; entry != all.end() && entry->completion < to; ++entry) {
    if (entry->direction > DiskDirection::Write) continue;
    auto& side = entry->direction == DiskDirection::Read ? window.reads : window.writes;
    if (entry->error != 0) {
      ++side.errors;
    } else {
      ++side.ios;
      side.bytes += entry->length;
    }
  }
  return window;
}

std::vector<LogEntry> ScriptedDisk::log() const {
  const auto all = log_->entries();
  std::vector<LogEntry> result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result),
               [&](const LogEntry& entry) { return entry.completion >= log_->start(); });
  return result;
}

}  // namespace diskaudit
