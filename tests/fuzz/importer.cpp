#include "fuzz/targets.hpp"
#include "profile/import.hpp"
#include "profile/profile.hpp"

namespace diskaudit::fuzz {

void importer(std::string_view input) {
  for (const std::string& kind : import_kinds()) {
    const auto yaml = import_profile(kind, input, {.file = "limits", .today = "2026-11-30"});
    if (!yaml) {
      require(yaml.error().code == ExitCode::Usage, "what cannot be imported is wrong usage");
      continue;
    }
    require_harmless(*yaml);
    require(parse_profile(*yaml, "imported.yaml").has_value(), "what is imported is a profile");
  }
}

}  // namespace diskaudit::fuzz
