#include "commands.hpp"

#include "signals.hpp"

namespace diskaudit {

Result<int> run_command(const Options& options) {
  switch (options.command) {
    case Command::Audit:
    case Command::Measure:
      catch_signals();
      return run_audit_command(options);
    case Command::ProfilesList:
    case Command::ProfilesShow:
    case Command::ProfilesCheck:
    case Command::ProfilesAdvise:
      return run_profiles_command(options);
    case Command::ProfilesImport:
      return run_profiles_import(options);
    case Command::Judge:
      return run_judge_command(options);
    case Command::Report:
      return run_report_command(options);
    case Command::Compare:
      return run_compare_command(options);
    case Command::Verify:
      return run_verify_command(options);
    case Command::Bundle:
      return run_bundle_command(options);
  }
  return usage_error("unknown command");
}

}  // namespace diskaudit
