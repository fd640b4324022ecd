#include <fmt/format.h>

#include <optional>
#include <string>

#include "profile/import_settings.hpp"
#include "text.hpp"

// The rules are those of util/throttle.c in QEMU; libvirt checks the same before it passes limits
// on, and Cinder's own arithmetic for limits per GB is in _parse_connection_options() of
// cinder/volume/manager.py.

namespace diskaudit {
namespace {

struct Found {
  std::uint64_t value = 0;
  const Setting* at = nullptr;
};

class Throttle {
 public:
  Throttle(const Slots& known, const std::string& file) : known_(known), file_(file) {}

  Result<void> take(const Setting& setting) {
    const auto slot = known_.find(setting.key);
    if (slot == known_.end()) return unknown_key(file_, setting, known_);
    if (slot->second.part == Part::Ignored) return {};
    if (!setting.has_value || setting.value.empty())
      return key_fault(file_, setting, fmt::format("{} has no value", setting.key));
    if (const Found* other = find(slot->second))
      return key_fault(file_, setting,
                       fmt::format("{} is given twice; {} is in line {}", setting.key,
                                   other->at->key, other->at->line));
    Found& found = found_[slot->second];
    found.at = &setting;
    if (slot->second.part == Part::Group) return {};
    const Result<std::uint64_t> number = whole_number(file_, setting);
    if (!number) return std::unexpected(number.error());
    found.value = *number;
    return {};
  }

  Result<ImportedLimits> limits() {
    for (const Quantity quantity : {Quantity::Iops, Quantity::Bytes}) {
      ImportedCeilings& ceilings = quantity == Quantity::Iops ? limits_.iops : limits_.bytes;
      for (const Direction direction : {Direction::Read, Direction::Write, Direction::Total}) {
        if (auto taken = take_rate(ceilings, quantity, direction); !taken)
          return std::unexpected(taken.error());
        if (auto taken = take_burst(ceilings, quantity, direction); !taken)
          return std::unexpected(taken.error());
      }
      if (auto checked = check_exclusive(ceilings, quantity); !checked)
        return std::unexpected(checked.error());
    }
    if (auto taken = take_io_size(); !taken) return std::unexpected(taken.error());
    take_group();
    return std::move(limits_);
  }

 private:
  const Found* find(const Slot& slot) const {
    const auto found = found_.find(slot);
    return found == found_.end() ? nullptr : &found->second;
  }

  /// What is set and not 0, which means "no limit" everywhere here.
  const Found* in_force(const Slot& slot) const {
    const Found* found = find(slot);
    return found && found->value > 0 ? found : nullptr;
  }

  Result<void> take_rate(ImportedCeilings& ceilings, Quantity quantity, Direction direction) {
    const Found* fixed = find({Part::Rate, quantity, direction});
    const Found* per_gib = find({Part::PerGib, quantity, direction});
    const Found* floor = find({Part::PerGibFloor, quantity, direction});
    if (floor && !per_gib)
      return key_fault(file_, *floor->at,
                       fmt::format("{} has no effect without a limit per GB", floor->at->key));
    if (fixed && per_gib)
      return key_fault(file_, *fixed->at,
                       fmt::format("{} has no effect beside {}, which replaces it; remove one",
                                   fixed->at->key, per_gib->at->key));
    if (fixed && fixed->value > 0) ceilings.rates[direction] = {.value = fixed->value};
    if (!per_gib) return {};
    ImportedRate rate{.value = per_gib->value, .per_gib = true};
    if (floor) rate.floor = floor->value;
    if (const Found* cap = find({Part::Burst, quantity, direction})) {
      if (cap->value == 0)
        return value_fault(file_, *cap->at,
                           fmt::format("{} of 0 caps {} at 0, which means no limit; remove it",
                                       cap->at->key, per_gib->at->key));
      rate.cap = cap->value;
    }
    if (rate.value == 0) rate = {.value = rate.at(0)};
    if (rate.value > 0) ceilings.rates[direction] = rate;
    return {};
  }

  Result<void> take_burst(ImportedCeilings& ceilings, Quantity quantity, Direction direction) {
    // Beside a limit per GB the key is that limit's cap and is not passed on as a burst.
    const bool is_cap = find({Part::PerGib, quantity, direction}) != nullptr;
    const Found* burst = is_cap ? nullptr : in_force({Part::Burst, quantity, direction});
    const Found* seconds = find({Part::BurstSeconds, quantity, direction});
    if (seconds && seconds->value == 0)
      return value_fault(file_, *seconds->at,
                         fmt::format("{} must be at least 1 s", seconds->at->key));
    if (seconds && seconds->value > 1 && !burst)
      return key_fault(file_, *seconds->at,
                       fmt::format("{} has no burst rate to go with", seconds->at->key));
    if (!burst) return {};
    const auto rate = ceilings.rates.find(direction);
    if (rate == ceilings.rates.end())
      return key_fault(file_, *burst->at,
                       fmt::format("{} needs the limit above which it is a burst", burst->at->key));
    if (burst->value < rate->second.value)
      return value_fault(file_, *burst->at,
                         fmt::format("{} of {} is below the limit of {}", burst->at->key,
                                     burst->value, rate->second.value));
    ceilings.bursts[direction] = {.rate = burst->value, .seconds = seconds ? seconds->value : 1};
    return {};
  }

  /// A total and a figure for reads or writes exclude each other. So do their bursts, which need
  /// them.
  Result<void> check_exclusive(const ImportedCeilings& ceilings, Quantity quantity) const {
    if (!ceilings.rates.contains(Direction::Total)) return {};
    const auto setting = [&](Direction direction) -> const Setting& {
      const Found* fixed = find({Part::Rate, quantity, direction});
      return *(fixed ? fixed : find({Part::PerGib, quantity, direction}))->at;
    };
    for (const Direction direction : {Direction::Read, Direction::Write}) {
      if (!ceilings.rates.contains(direction)) continue;
      return key_fault(file_, setting(direction),
                       fmt::format("{} and {} exclude each other; keep the total, or reads and "
                                   "writes",
                                   setting(Direction::Total).key, setting(direction).key));
    }
    return {};
  }

  Result<void> take_io_size() {
    const Found* size = in_force({Part::IoSize});
    if (!size) return {};
    if (limits_.iops.rates.empty())
      return key_fault(file_, *size->at,
                       fmt::format("{} has no effect without a limit of IOPS", size->at->key));
    limits_.io_size = size->value;
    return {};
  }

  void take_group() {
    const Found* group = find({Part::Group});
    if (!group) return;
    const std::string name = sanitised(group->at->value, 100);
    limits_.conditions.push_back(
        {fmt::format("the limits are shared by all disks of throttle group {}: the others must be "
                     "idle",
                     name),
         fmt::format("限速由限速组 {} 的所有磁盘共享：其他磁盘必须空闲", name)});
  }

  const Slots& known_;
  const std::string& file_;
  std::map<Slot, Found> found_;
  ImportedLimits limits_;
};

}  // namespace

Result<ImportedLimits> throttle_limits(const std::vector<Setting>& settings, const Slots& known,
                                       const std::string& file) {
  Throttle throttle(known, file);
  for (const Setting& setting : settings) {
    if (auto taken = throttle.take(setting); !taken) return std::unexpected(taken.error());
  }
  return throttle.limits();
}

}  // namespace diskaudit
