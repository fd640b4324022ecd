#pragma once
/// What the definitions of several commands share.

#include <CLI/CLI.hpp>
#include <string>

#include "cli.hpp"

namespace diskaudit {

CLI::App* add_command(CLI::App& parent, Options& options, Command command, const std::string& name,
                      const std::string& description);

// Groups of options.
void add_talk_options(CLI::App& command, Options& options);
void add_profile_options(CLI::App& command, Options& options);
void add_disk_options(CLI::App& command, Options& options);
void add_measuring_options(CLI::App& command, Options& options);
void add_language_option(CLI::App& command, Options& options);
void add_redact_option(CLI::App& command, Options& options);
void add_result_options(CLI::App& command, Options& options);

/// `diskaudit profiles …`
void add_profiles_commands(CLI::App& root, Options& options);

/// judge, report, compare, verify, bundle
void add_record_commands(CLI::App& root, Options& options);

}  // namespace diskaudit
