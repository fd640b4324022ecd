#include "man_page.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "version.hpp"

namespace diskaudit {
namespace {

// Backslashes, hyphens and leading dots mean something to troff.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string option_entry(const CLI::Option& option) {
  const std::string value = option.get_type_size() == 0 ? "" : " " + option.get_type_name();
  const std::string name =
      option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  return fmt::format(".TP\n.B {}{}\n{}\n", escaped(name), escaped(value),
                     escaped(option.get_description()));
}

void add_command(std::string& page, const CLI::App& command, const std::string& name) {
  page += fmt::format(".SS {}\n{}.\n", escaped(name), escaped(command.get_description()));
  for (const CLI::Option* option : command.get_options()) page += option_entry(*option);
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    add_command(page, *inner, name + " " + inner->get_name());
  }
}

constexpr const char* exit_codes = R"(.SH EXIT STATUS
.TP
.B 0
pass
.TP
.B 1
fail: the disk is below its quota, or returns errors
.TP
.B 2
wrong usage, profile or input file; nothing was written to the disk
.TP
.B 3
inconclusive
.TP
.B 4
refused for safety, or the environment cannot run it or keep its result
.TP
.B 128+n
ended by signal n, after clean\-up
)";

constexpr const char* environment = R"(.SH ENVIRONMENT
.TP
.B DISKAUDIT_PROFILES
folders of own profiles, separated by colons, searched after the shipped ones
.TP
.B XDG_STATE_HOME
records are kept in its folder diskaudit; without it in /var/lib/diskaudit for root, else in
~/.local/state/diskaudit
.TP
.B NO_COLOR, CLICOLOR_FORCE
as usual; \-\-color wins
)";

}  // namespace

std::string man_page(const CLI::App& root) {
  std::string page = fmt::format(
      ".TH DISKAUDIT 1 \"\" \"diskaudit {}\" \"User Commands\"\n.SH NAME\ndiskaudit \\- {}\n"
      ".SH SYNOPSIS\n.B diskaudit \\-\\-profile\n.I ID\n.B \\-\\-size\n.I GIB\n[\n.B \\-\\-disk\n"
      ".I PATH\n]\n.br\n.B diskaudit\n.I COMMAND\n[\n.I OPTION ...\n]\n.SH COMMANDS\n",
      version, "verify that a cloud disk delivers what its vendor promises");
  for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
    add_command(page, *command, command->get_name());
  }
  return page + exit_codes + environment;
}

}  // namespace diskaudit
