#pragma once
/// Decides whether a block device may be overwritten: a row of checks over facts that were gathered
/// before, each with a name and a finding, so that a report can list what was made sure of.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "error.hpp"

namespace diskaudit {

/// What the user agreed to.
struct Consent {
  std::string identity{};                    ///< --destroy-data-on
  bool overwrite_unrecognised_data = false;  ///< --overwrite-unrecognised-data
  std::optional<Bytes> size{};               ///< --size, where it was given
};

/// Something that libblkid knows, found on the disk or on one of its partitions.
struct Signature {
  std::string device{};  ///< "vdb1"
  std::string type{};    ///< "ext4", "LVM2_member", "gpt"
  std::string label{};
  std::string uuid{};
  bool is_partition_table = false;
};

/// Sentences about `disk`, its partitions and, of a partition, its whole disk. Empty: nothing
/// found.
struct GuardFacts {
  Disk disk{};
  std::vector<std::string> by_ids{};  ///< all its names below /dev/disk/by-id
  std::vector<std::string> twins{};   ///< other disks that state the same serial
  std::vector<std::string> system{};  ///< "/ is on it"
  std::string lock_problem{};         ///< why the whole disk could not be locked
  std::string open_problem{};         ///< why it could not be opened for this process alone
  std::vector<std::string> mounts{};  ///< "vdb1 is mounted on /data"
  std::vector<std::string> swaps{};
  std::vector<std::string> holders{};     ///< "vdb1 is part of dm-0 (vg-data)"
  std::vector<std::string> members{};     ///< of a loop device or a mounted btrfs
  std::vector<std::string> references{};  ///< "/etc/fstab line 3 names it by UUID=…"
  bool removable = false;
  std::vector<Signature> signatures{};
  std::string probe_problem{};             ///< why signatures or data could not be looked for
  std::optional<std::uint64_t> data_at{};  ///< where a sampled block is not zero
  std::string change{};                    ///< how the device differs from the one inspected first
};

struct GuardCheck {
  std::string name{};  ///< a stable key: "mounts"
  bool passed = false;
  std::string finding{};  ///< what was found, or that nothing was
  std::string remedy{};   ///< of one that did not pass
};

struct GuardReport {
  std::vector<GuardCheck> checks{};

  bool passed() const;
  /// One line with all findings that stand against it, and what to do about the first.
  Error refusal(const Disk& disk) const;
};

GuardReport guard(const GuardFacts& facts, const Consent& consent);

/// What to say after --destroy-data-on for this disk: volume ID, serial or by-id name, whichever it
/// has, else "diskseq:N".
std::string name_for_consent(const GuardFacts& facts);

}  // namespace diskaudit
