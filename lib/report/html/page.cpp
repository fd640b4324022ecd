// One self-contained page: no script, nothing fetched. Both languages are in it, and two radio
// buttons before <main> choose which one the style sheet shows.

#include "report/html/page.hpp"

namespace diskaudit::html {
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

std::string page(const std::string& title, const std::string& body, Language language) {
  const bool chinese = language == Language::Chinese;
  const char* checked = " checked=\"checked\"";
  return fmt::format(fmt::runtime(head), chinese ? "zh-CN" : "en", escaped_xml(title),
                     style_sheet(), chinese ? "" : checked, chinese ? checked : "") +
         body + "</main>\n</body>\n</html>\n";
}

}  // namespace diskaudit::html
