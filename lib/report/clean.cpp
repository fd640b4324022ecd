#include "report/clean.hpp"

#include "report/visit_strings.hpp"
#include "text.hpp"

namespace diskaudit {

Audit cleaned(Audit audit) {
  // The program writes a dozen at most; a record from elsewhere may hold as many as it has room
  // for.
  constexpr std::size_t most = 100;
  if (audit.notes.size() > most) audit.notes.resize(most);
  if (audit.guard.size() > most) audit.guard.resize(most);
  visit_strings(audit, [](std::string& text) { text = sanitised(text); });
  return audit;
}

}  // namespace diskaudit
