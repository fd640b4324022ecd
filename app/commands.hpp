#pragma once
/// What each command does, from its options to the exit code.

#include "cli.hpp"
#include "error.hpp"

namespace diskaudit {

/// The exit code, or the one-line error that the command ends with.
Result<int> run_command(const Options& options);

Result<int> run_audit_command(const Options& options);
Result<int> run_profiles_command(const Options& options);
Result<int> run_profiles_import(const Options& options);
Result<int> run_judge_command(const Options& options);
Result<int> run_report_command(const Options& options);
Result<int> run_compare_command(const Options& options);
Result<int> run_verify_command(const Options& options);
Result<int> run_bundle_command(const Options& options);

}  // namespace diskaudit
