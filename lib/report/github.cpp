// Annotations of GitHub Actions: one for the verdict and one for each scenario that did not pass. A
// step shows ten of a kind.

#include "report/github.hpp"

#include <algorithm>

#include "report/formats.hpp"
#include "report/phrases.hpp"

namespace diskaudit {
namespace {

/// actions/toolkit, core/src/command.ts: what a property may not hold as it is.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

std::string_view level_of(Outcome outcome) {
  if (outcome == Outcome::Fail) return "error";
  return outcome == Outcome::Inconclusive ? "warning" : "notice";
}

std::string annotation(std::string_view level, std::string_view title, std::string_view message) {
  return fmt::format("::{} title={}::{}\n", level, escaped(title, true), escaped(message, false));
}

}  // namespace

std::string render_github(const Audit& audit, const ReportStyle& style) {
  const Language language = style.language;
  const std::string_view level = audit.refused ? "error" : level_of(audit.outcome);
  std::string text = annotation(level, "diskaudit: " + headline_word(audit, language),
                                headline_sentence(audit, language));
  constexpr int most = 8;
  int shown = 0;
  for (const ScenarioAudit& scenario : audit.scenarios) {
    const Outcome outcome = scenario.verdict.outcome;
    if (outcome != Outcome::Fail && outcome != Outcome::Inconclusive) continue;
    if (++shown > most) break;
    text += annotation(level_of(outcome), label_of(scenario.job.scenario, language),
                       outcome_text(audit, scenario, language));
  }
  return text;
}

std::string safe_in_github_log(std::string_view text) {
  std::string out;
  bool begun = false;  // the line has something other than blanks
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if ((!begun && rest.starts_with("::")) || rest.starts_with("##[")) {
      out += text[i++];
      out += ' ';
    }
    out += text[i];
    begun = text[i] != '\n' && (begun || text[i] != ' ');
  }
  return out;
}

}  // namespace diskaudit
