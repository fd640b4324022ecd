#include "device/guard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/cloud.hpp"

namespace diskaudit {

namespace {

std::string joined(const std::vector<std::string>& sentences) {
  return fmt::format("{}", fmt::join(sentences, ", "));
}

GuardCheck pass(std::string name, std::string finding) {
  return {.name = std::move(name), .passed = true, .finding = std::move(finding)};
}

GuardCheck stop(std::string name, std::string finding, std::string remedy) {
  return {.name = std::move(name), .finding = std::move(finding), .remedy = std::move(remedy)};
}

/// Passes where nothing was found.
GuardCheck none_of(std::string name, const std::vector<std::string>& found, std::string nothing,
                   std::string remedy) {
  if (found.empty()) return pass(std::move(name), std::move(nothing));
  return stop(std::move(name), joined(found), std::move(remedy));
}

/// Whether `identity` is one of the disk's names that do not move between disks.
bool names_this_disk(const std::string& identity, const GuardFacts& facts) {
  const BlockDevice& device = facts.disk.device;
  if (identity == volume_id(device) || identity == device.serial) return true;
  // virtio-blk cuts a serial at 20 characters; vendors use the beginning of a longer volume ID.
  constexpr std::size_t cut = 20;
  if (device.driver == "virtio_blk" && device.serial.size() == cut &&
      identity.starts_with(device.serial))
    return true;
  return std::find(facts.by_ids.begin(), facts.by_ids.end(), identity) != facts.by_ids.end();
}

bool has_lasting_name(const GuardFacts& facts) {
  return !facts.disk.device.serial.empty() || !facts.by_ids.empty();
}

GuardCheck check_consent(const GuardFacts& facts, const std::string& identity) {
  const std::string say = fmt::format("say --destroy-data-on {}", name_for_consent(facts));
  if (identity.empty())
    return stop("consent", "writing would destroy the data on it, and nobody consented", say);
  if (identity.starts_with("/"))
    return stop("consent",
                fmt::format("{} is a path, which may lead to another disk tomorrow", identity),
                say);
  const std::uint64_t number = facts.disk.device.diskseq;
  const bool by_number =
      number != 0 && !has_lasting_name(facts) && identity == fmt::format("diskseq:{}", number);
  if (!by_number && !names_this_disk(identity, facts))
    return stop("consent",
                fmt::format("consent was given for {}, which is not this disk", identity), say);
  if (identity == facts.disk.device.serial && !facts.twins.empty())
    return stop("consent", fmt::format("{} has the same serial", joined(facts.twins)),
                fmt::format("name it by its link in /dev/disk/by-id ({})",
                            facts.by_ids.empty() ? "it has none" : facts.by_ids.front()));
  return pass("consent", fmt::format("given for {}", identity));
}

GuardCheck check_size(const GuardFacts& facts, const std::optional<Bytes>& size) {
  const std::uint64_t real = facts.disk.device.size.value;
  if (!size) return pass("size", fmt::format("{}, not compared", format_size(Bytes{real})));
  // Room for what a vendor rounds, never for another of his sizes.
  const std::uint64_t room = std::min(GiB, size->value / 100);
  const std::uint64_t apart = real > size->value ? real - size->value : size->value - real;
  if (apart <= room && apart < GiB) return pass("size", format_size(Bytes{real}));
  return stop("size",
              fmt::format("it has {}, not {}", format_size(Bytes{real}), format_size(*size)),
              "check that this is the right disk, and --size");
}

std::string removal_of(const Signature& signature) {
  const std::string path = "/dev/" + signature.device;
  if (signature.type == "LVM2_member") return "pvremove " + path;
  if (signature.type == "linux_raid_member") return "mdadm --zero-superblock " + path;
  if (signature.type == "zfs_member") return "zpool labelclear " + path;
  return "wipefs --all " + path;
}

GuardCheck check_signatures(const GuardFacts& facts) {
  if (facts.signatures.empty())
    return facts.probe_problem.empty()
               ? pass("signatures", "no known signature")
               : stop("signatures", facts.probe_problem, "make sure that the disk can be read");
  std::vector<std::string> found;
  std::vector<std::string> commands;
  for (const Signature& signature : facts.signatures) {
    found.push_back(
        fmt::format("{} holds {}{}", signature.device, signature.type,
                    signature.label.empty() ? "" : fmt::format(" \"{}\"", signature.label)));
    const std::string command = removal_of(signature);
    if (std::find(commands.begin(), commands.end(), command) == commands.end())
      commands.push_back(command);
  }
  // Partitions go before the table that says where they are.
  std::reverse(commands.begin(), commands.end());
  return stop("signatures", joined(found),
              fmt::format("if it can go: {}", fmt::join(commands, " && ")));
}

GuardCheck check_data(const GuardFacts& facts, bool may_overwrite) {
  if (!facts.probe_problem.empty())
    return stop("data", facts.probe_problem, "make sure that the disk can be read");
  if (!facts.data_at) return pass("data", "all sampled blocks are zero");
  const std::string found = fmt::format("it holds data, for example at byte {}", *facts.data_at);
  if (may_overwrite) return pass("data", found + ", which may be overwritten");
  return stop("data", found, "if it can go, add --overwrite-unrecognised-data");
}

GuardCheck check_problem(std::string name, const std::string& problem, std::string fine,
                         std::string remedy) {
  if (problem.empty()) return pass(std::move(name), std::move(fine));
  return stop(std::move(name), problem, std::move(remedy));
}

}  // namespace

GuardReport guard(const GuardFacts& facts, const Consent& consent) {
  const BlockDevice& device = facts.disk.device;
  GuardReport report;
  const auto add = [&report](GuardCheck check) { report.checks.push_back(std::move(check)); };
  add(none_of("system_disk", facts.system, "the system is on another disk",
              "no option allows this; attach a disk of its own"));
  add(check_consent(facts, consent.identity));
  add(check_problem("lock", facts.lock_problem, "locked", "end the program that holds it"));
  add(none_of("mounts", facts.mounts, "not mounted in any namespace", "unmount it"));
  add(none_of("swap", facts.swaps, "no swap space", "run swapoff"));
  add(none_of("holders", facts.holders, "not part of another device", "take it out of there"));
  add(none_of("members", facts.members, "below no loop device and in no mounted file system",
              "take it out of there"));
  add(check_problem("exclusive_open", facts.open_problem, "open for this process alone",
                    "end what uses it"));
  add(none_of("boot_references", facts.references, "not named in fstab or crypttab",
              "remove the line, or the next start of the machine fails"));
  add(device.read_only ? stop("read_only", "it is read-only", "attach it for writing")
                       : pass("read_only", "writable"));
  add(facts.removable ? stop("removable", "it is removable", "use a disk that is not")
                      : pass("removable", "not removable"));
  add(check_size(facts, consent.size));
  add(check_signatures(facts));
  add(check_data(facts, consent.overwrite_unrecognised_data));
  add(check_problem("unchanged", facts.change, "still the disk that was inspected", "start again"));
  return report;
}

bool GuardReport::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const auto& check) { return check.passed; });
}

Error GuardReport::refusal(const Disk& disk) const {
  std::vector<std::string> findings;
  std::string remedy;
  for (const GuardCheck& check : checks) {
    if (check.passed) continue;
    if (findings.empty()) remedy = check.remedy;
    if (std::find(findings.begin(), findings.end(), check.finding) == findings.end())
      findings.push_back(check.finding);
  }
  return {ExitCode::Refused,
          fmt::format("will not write on {}: {}; {}", disk.path, joined(findings), remedy)};
}

std::string name_for_consent(const GuardFacts& facts) {
  const BlockDevice& device = facts.disk.device;
  const std::string id = volume_id(device);
  if (!id.empty()) return id;
  if (!device.serial.empty() && facts.twins.empty()) return device.serial;
  if (!facts.by_ids.empty()) return facts.by_ids.front();
  return fmt::format("diskseq:{}", device.diskseq);
}

}  // namespace diskaudit
