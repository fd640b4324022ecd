#include "commands.hpp"

namespace diskaudit {

Result<int> run_command(const Options& options) {
  switch (options.command) {
    case Command::Audit:
    case Command::Measure:
      return run_audit_command(options);
    case Command::ProfilesList:
    case Command::ProfilesShow:
    case Command::ProfilesCheck:
    case Command::ProfilesAdvise:
      return run_profiles_command(options);
    case Command::ProfilesImport:
      return run_profiles_import(options);
    case Command::Judge:
    case Command::Report:
      return run_record_command(options);
  }
  return usage_error("unknown command");
}

}  // namespace diskaudit
