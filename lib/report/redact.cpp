#include "report/redact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "device/cloud.hpp"
#include "report/visit_strings.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

class StandIns {
 public:
  void hide(const std::string& original, std::string_view kind) {
    // One or two characters would be found in half of all words.
    if (original.size() < 3 || original == "/dev") return;
    for (const auto& [known, _] : all_) {
      if (known == original) return;
    }
    all_.emplace_back(original, fmt::format("{}-{}", kind, all_.size() + 1));
  }

  /// Longest first, so that a path below another is not hidden in part.
  void sort() {
    std::ranges::stable_sort(
        all_, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  }

  void replace_in(std::string& text) const {
    for (const auto& [original, stand_in] : all_) {
      for (std::size_t at = 0; (at = text.find(original, at)) != std::string::npos;) {
        text.replace(at, original.size(), stand_in);
        at += stand_in.size();
      }
    }
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

/// The part of an argument that is a path: "--log=/home/me/x" has one behind the equals sign, and
/// "json:/home/me/x" behind the colon.
std::string path_in(const std::string& argument) {
  const std::size_t slash = argument.find('/');
  if (slash == std::string::npos) return "";
  const std::size_t before = argument.find_last_of("=:", slash);
  return argument.substr(before == std::string::npos ? 0 : before + 1);
}

void hide_paths(StandIns& stand_ins, const Audit& audit) {
  const auto hide = [&](const std::string& path) {
    // A device's name says nothing of its owner.
    if (!path.starts_with("/dev/")) stand_ins.hide(path, "path");
  };
  hide(audit.disk.path);
  hide(audit.disk.mount_point);
  for (const std::string& argument : audit.command_line) hide(path_in(argument));
}

}  // namespace

Result<Redaction> parse_redaction(std::string_view name) {
  if (name == "none") return Redaction::None;
  if (name == "ticket") return Redaction::Ticket;
  if (name == "public") return Redaction::Public;
  return usage_error(
      fmt::format("unknown redaction '{}'; known: none, ticket, public", sanitised(name, 64)));
}

Audit redacted(Audit audit, Redaction level) {
  if (level == Redaction::None) return audit;
  StandIns stand_ins;
  hide_paths(stand_ins, audit);
  if (level == Redaction::Public) {
    stand_ins.hide(audit.disk.device.by_id, "volume");
    stand_ins.hide(volume_id(audit.disk.device), "volume");
    stand_ins.hide(audit.disk.device.serial, "volume");
    stand_ins.hide(audit.environment.machine_asset_tag, "machine");
    stand_ins.hide(audit.id, "audit");
  }
  stand_ins.sort();
  // What a vendor publishes gives nobody away, and must be found as it was published.
  auto profile = audit.plan.profile;
  auto quota = audit.plan.quota;
  visit_strings(audit, [&](std::string& text) { stand_ins.replace_in(text); });
  audit.plan.profile = std::move(profile);
  audit.plan.quota = std::move(quota);
  audit.notes.push_back(level == Redaction::Public ? "redacted: paths, volume, machine and audit"
                                                   : "redacted: paths");
  return audit;
}

}  // namespace diskaudit
