#pragma once
/// The record's keys, described once: what writes, reads or cleans a record walks this description.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/audit.hpp"

namespace diskaudit {

/// Called for each key of a record in its fixed order. A visitor that writes leaves the audit as it
/// is; one that reads fills it.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;

  virtual void value(std::string_view key, bool& value) = 0;
  virtual void value(std::string_view key, double& value) = 0;
  virtual void value(std::string_view key, std::uint64_t& value, std::uint64_t max) = 0;
  virtual void value(std::string_view key, std::string& value) = 0;
  virtual void strings(std::string_view key, std::vector<std::string>& values) = 0;
  virtual void column(std::string_view key, std::vector<std::uint64_t>& values) = 0;
  /// Microseconds; a record keeps a tenth.
  virtual void column(std::string_view key, std::vector<double>& values) = 0;
  /// Columns side by side, at most so many.
  virtual void columns(std::string_view key, std::vector<std::vector<std::uint64_t>>& values,
                       std::size_t most) = 0;
  virtual void figures(std::string_view key,
                       std::vector<std::pair<std::string, double>>& values) = 0;
  /// One of `names`, by its index.
  virtual void choice(std::string_view key, std::span<const std::string_view> names,
                      std::size_t& index) = 0;

  /// Whether a value follows for `key`; null stands in the record otherwise.
  virtual bool optional(std::string_view key, bool present) = 0;
  virtual void enter(std::string_view key) = 0;
  virtual void leave() = 0;
  /// How many items the list has; each is entered by index and left, then the list is left.
  virtual std::size_t enter_list(std::string_view key, std::size_t size) = 0;
  virtual void enter_item(std::size_t index) = 0;

  /// The `profile` and `quota` objects.
  virtual void profile(Plan& plan) = 0;

  /// What follows from other values: written for the reader's sake, not read back.
  virtual void derived(std::string_view, double) {}
  virtual void derived(std::string_view, const std::string&) {}
};

/// Visits every key of the record below its `schema`. Whoever only reads the audit hands in a copy:
/// the plan's jobs are put together anew from the scenarios and those not reached.
void visit_record(RecordVisitor& visitor, Audit& audit);

}  // namespace diskaudit
