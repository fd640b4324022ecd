// One self-contained page under 1 MB: no script, nothing fetched. Both languages are in it, and two
// radio buttons before <main> choose which one the style sheet shows.

#include "report/clean.hpp"
#include "report/formats.hpp"
#include "report/html/page.hpp"
#include "report/phrases.hpp"
#include "report/record.hpp"

namespace diskaudit {
namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="{0}">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{1}</title>
<style>{2}</style>
</head>
<body>
<input type="radio" name="language" id="to-en"{3}/><label for="to-en" lang="en">English</label>
<input type="radio" name="language" id="to-zh"{4}/><label for="to-zh" lang="zh-CN">中文</label>
<main>
)";

}  // namespace

std::string render_html(const Audit& original, const ReportStyle& style) {
  const std::string digest = digest_of(original);
  const Audit audit = cleaned(original);
  const bool chinese = style.language == Language::Chinese;
  const std::string title = fmt::format("{}: {} {}", headline_word(audit, style.language),
                                        audit.plan.profile ? audit.plan.profile->id : "diskaudit",
                                        audit.disk.device.name);
  std::string page = fmt::format(fmt::runtime(head), chinese ? "zh-CN" : "en", escaped_xml(title),
                                 html::style_sheet(), chinese ? "" : " checked=\"checked\"",
                                 chinese ? " checked=\"checked\"" : "");
  page += html::summary(audit);
  page += html::claim(audit);
  for (std::size_t i = 0; i < audit.scenarios.size(); ++i) {
    page += html::scenario_section(audit, audit.scenarios[i], i + 1);
  }
  page += html::surroundings(audit, digest);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace diskaudit
