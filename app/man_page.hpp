#pragma once
/// The manual page, made from the one table of options.

#include <string>

namespace CLI {
class App;
}

namespace diskaudit {

/// diskaudit(1) as troff.
std::string man_page(const CLI::App& root);

}  // namespace diskaudit
