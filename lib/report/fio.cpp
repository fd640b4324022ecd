#include "report/fio.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats.hpp"
#include "units.hpp"

namespace diskaudit {
namespace {

std::string engine_of(const Audit& audit) {
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (scenario.evidence.judged) return scenario.evidence.judged->engine;
  }
  return "io_uring";
}

/// fio separates file names by colons and expands ${…}.
std::string fio_path(const std::string& path) {
  std::string escaped;
  for (const char c : path) {
    if (c == ':' || c == '\\' || c == '$') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string target_of(const Audit& audit) {
  if (audit.disk.kind == DiskKind::BlockDevice) return fio_path(audit.disk.path);
  return fio_path(audit.disk.path + (audit.disk.path.ends_with('/') ? "" : "/") +
                  "diskaudit-fio.tmp");
}

std::string mode_of(const Scenario& scenario) {
  const std::string prefix = scenario.pattern == Pattern::Random ? "rand" : "";
  if (scenario.direction == Direction::Mixed) return prefix + "rw";
  return prefix + (scenario.direction == Direction::Read ? "read" : "write");
}

std::string whole_seconds(double seconds) { return fmt::format("{:.0f}", std::max(1.0, seconds)); }

bool destroys_data(const Audit& audit, const ScenarioAudit& scenario) {
  return audit.disk.kind == DiskKind::BlockDevice &&
         scenario.job.scenario.direction != Direction::Read;
}

}  // namespace

FioOptions fio_common(const Audit& audit) {
  FioOptions options = {{"ioengine", engine_of(audit)}, {"direct", "1"},
                        {"filename", target_of(audit)}, {"time_based", "1"},
                        {"group_reporting", "1"},       {"randrepeat", "0"},
                        {"norandommap", "1"},           {"refill_buffers", "1"}};
  // Blocks that were never written are read from nowhere, so the whole file is written first.
  if (audit.disk.kind == DiskKind::File) options.emplace_back("overwrite", "1");
  return options;
}

FioOptions fio_workload(const Audit& audit, const ScenarioAudit& scenario) {
  const Job& job = scenario.job;
  const auto& judged = scenario.evidence.judged;
  const unsigned iodepth = judged ? judged->iodepth : job.iodepth;
  const unsigned threads = std::max(1u, judged ? judged->threads : job.threads);
  const bool in_slices = threads > 1 && job.scenario.pattern == Pattern::Sequential;
  const std::uint64_t size = in_slices ? audit.span.value / threads : audit.span.value;
  FioOptions options = {{"rw", mode_of(job.scenario)},
                        {"bs", std::to_string(job.scenario.block_size.value)},
                        {"iodepth", std::to_string(std::max(1u, iodepth / threads))},
                        {"numjobs", std::to_string(threads)},
                        {"size", std::to_string(size)},
                        {"ramp_time", whole_seconds(job.ramp_seconds)},
                        {"runtime", whole_seconds(judged ? judged->seconds : job.runtime_seconds)}};
  if (in_slices) options.emplace_back("offset_increment", std::to_string(size));
  if (job.scenario.direction == Direction::Mixed) {
    options.emplace_back("rwmixread", std::to_string(job.scenario.read_percent));
  }
  return options;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string fio_words(const FioOptions& options) {
  std::string words;
  for (const auto& [name, value] : options) {
    // fio expands ${…} in job files alone: on a command line nothing keeps it from a dollar sign.
    std::string plain;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.substr(i, 2) == "\\$")
        ++i;
      else if (value[i] == '\\')
        plain += value[i++];
      if (i < value.size()) plain += value[i];
    }
    words += fmt::format(" --{}={}", name, shell_word(plain));
  }
  return words;
}

std::string fio_command(const Audit& audit, const ScenarioAudit& scenario) {
  return "fio --name=" + scenario.job.scenario.name + fio_words(fio_common(audit)) +
         fio_words(fio_workload(audit, scenario));
}

std::string render_fio(const Audit& audit, const ReportStyle&) {
  std::string text =
      fmt::format("; The scenarios of diskaudit {} as a fio job file: fio FILE\n", audit.id);
  if (audit.disk.kind == DiskKind::File) {
    text += "; It writes a test file of its own and leaves it behind: remove it afterwards.\n";
  }
  text += "[global]\n";
  for (const auto& [name, value] : fio_common(audit)) text += fmt::format("{}={}\n", name, value);
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (!scenario.job.not_tested.empty()) continue;
    const char* comment = "";
    text += "\n";
    if (destroys_data(audit, scenario)) {
      comment = "; ";
      text += "; DESTROYS ALL DATA on the device; remove the semicolons to run it.\n";
    }
    text += fmt::format("{}[{}]\n{}stonewall\n", comment, scenario.job.scenario.name, comment);
    for (const auto& [name, value] : fio_workload(audit, scenario)) {
      text += fmt::format("{}{}={}\n", comment, name, value);
    }
  }
  return text;
}

}  // namespace diskaudit
