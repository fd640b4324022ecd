#pragma once
/// Keeps the record of an audit in the state directory.

#include <filesystem>

#include "audit/audit.hpp"
#include "error.hpp"

namespace diskaudit {

class Keeper {
 public:
  /// Finds out before the run whether a record can be kept; keeps none where `off`.
  static Result<Keeper> open(bool off, const Audit& audit);

  /// Writes the record, in place of the same audit's earlier one.
  Result<void> keep(const Audit& audit);

  /// Where it is kept; empty where none is.
  std::filesystem::path folder() const { return file_.parent_path(); }

  /// The record's path, as the last line on stderr.
  void say_where() const;

 private:
  std::filesystem::path file_{};
  bool kept_ = false;
};

}  // namespace diskaudit
