#pragma once
/// Keys and values with their places in a file, and what QEMU's throttling makes of them: Cinder
/// and libvirt hand theirs on to QEMU, so that its rules hold for all three.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "profile/document.hpp"
#include "profile/import_limits.hpp"

namespace diskaudit {

struct Setting {
  std::string key{};
  std::string value{};
  bool has_value = false;
  std::size_t line = 1;  ///< of the key, from 1
  std::size_t column = 1;
  std::size_t value_line = 1;
  std::size_t value_column = 1;
};

/// What a key sets.
enum class Part { Rate, Burst, BurstSeconds, PerGib, PerGibFloor, IoSize, Group, Ignored };
enum class Quantity { Iops, Bytes };

struct Slot {
  Part part = Part::Ignored;
  Quantity quantity = Quantity::Iops;
  Direction direction = Direction::Total;
  auto operator<=>(const Slot&) const = default;
};

/// Every key that a layer knows.
using Slots = std::map<std::string, Slot>;

/// The keys that Cinder and libvirt share: "read_iops_sec", its burst "read_iops_sec_max" and so on;
/// each of `suffixes` makes a further key of every limit.
Slots keys_per_second(const std::map<std::string, Part>& suffixes);

/// An error at the key, or at the value, of a setting.
std::unexpected<Error> key_fault(const std::string& file, const Setting& at, std::string_view what);
std::unexpected<Error> value_fault(const std::string& file, const Setting& at,
                                   std::string_view what);

/// An error that names the nearest of the known keys.
std::unexpected<Error> unknown_key(const std::string& file, const Setting& at, const Slots& known);

/// `key=value` between blanks and commas, the value perhaps in quotes; ",," is a comma of the word.
std::vector<Setting> words_of(std::string_view text);

/// The scalars of a mapping. Mappings in it that `nested` names are entered; their keys then begin
/// with the text given for them.
std::vector<Setting> settings_of(const Document& mapping,
                                 const std::map<std::string, std::string>& nested);

/// A whole number of at most 10^15, which is also QEMU's limit.
Result<std::uint64_t> whole_number(const std::string& file, const Setting& setting);

/// The limits that QEMU would enforce; 0 means none.
Result<ImportedLimits> throttle_limits(const std::vector<Setting>& settings, const Slots& known,
                                       const std::string& file);

}  // namespace diskaudit
