#include "report/clean.hpp"
#include "report/formats.hpp"
#include "report/html/page.hpp"
#include "report/phrases.hpp"
#include "report/record.hpp"

namespace diskaudit {
std::string render_html(const Audit& original, const ReportStyle& style) {
  const std::string digest = digest_of(original);
  const Audit audit = cleaned(original);
  const std::string title = fmt::format("{}: {} {}", headline_word(audit, style.language),
                                        audit.plan.profile ? audit.plan.profile->id : "diskaudit",
                                        audit.disk.device.name);
  std::string body = html::summary(audit);
  body += html::claim(audit);
  for (std::size_t i = 0; i < audit.scenarios.size(); ++i) {
    body += html::scenario_section(audit, audit.scenarios[i], i + 1);
  }
  body += html::surroundings(audit, digest);
  return html::page(title, body, style.language);
}

}  // namespace diskaudit
