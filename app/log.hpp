#pragma once
/// Diagnostics: one line each on stderr and, with --log, in a file.

#include <string>

#include "cli.hpp"
#include "error.hpp"

namespace diskaudit {

/// Levels and sinks as the options want them; an unwritable log file is a refusal.
Result<void> set_up_log(const Options& options);

/// A sentence of a record's in the language that the options ask for, as all messages here are.
std::string said(const std::string& message);

void log_error(const std::string& message);
void log_warning(const std::string& message);
/// What is being done; silenced by --quiet.
void log_notice(const std::string& message);
/// Why and how; shown by --verbose, always in the log file.
void log_detail(const std::string& message);

}  // namespace diskaudit
