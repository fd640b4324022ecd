#include "report/clean.hpp"

#include "report/visit_strings.hpp"
#include "text.hpp"

namespace diskaudit {

Audit cleaned(Audit audit) {
  visit_strings(audit, [](std::string& text) { text = sanitised(text); });
  return audit;
}

}  // namespace diskaudit
