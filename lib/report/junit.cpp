// JUnit XML with the elements and attributes that Jenkins and GitLab read. Below quota is a
// failure, no verdict an error (a gate must show it red), not tested skipped. Names are the key
// under which those servers keep trends, so they hold no numbers that differ from run to run.

#include <algorithm>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"
#include "report/reason_words.hpp"

namespace diskaudit {
namespace {

double seconds_of(const ScenarioAudit& scenario) {
  const Evidence& evidence = scenario.evidence;
  double seconds = evidence.judged ? evidence.judged->seconds + scenario.job.ramp_seconds : 0;
  for (const Measurement& attempt : evidence.attempts) seconds += attempt.seconds;
  for (const Probe& probe : evidence.probes) seconds += probe.measurement.seconds;
  return seconds;
}

std::string details(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  std::string text;
  for (const Reason& reason : scenario.verdict.reasons) {
    text += sentence_of(reason, scenario.job.scenario.metric, rate_unit(audit), language) + "\n";
  }
  return text;
}

std::string testcase(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  const Verdict& verdict = scenario.verdict;
  const std::string profile = audit.plan.profile ? audit.plan.profile->id : "measure";
  std::string text = fmt::format(
      "    <testcase classname=\"diskaudit.{}\" name=\"{}\" time=\"{:.3f}\">\n",
      escaped_xml(profile), escaped_xml(scenario.job.scenario.name), seconds_of(scenario));
  const std::string type(verdict.cause ? name_of(*verdict.cause) : name_of(verdict.outcome));
  const std::string says = escaped_xml(outcome_text(audit, scenario, language));
  const std::string body = escaped_xml(details(audit, scenario, language));
  const bool is_measured = !audit.plan.profile && scenario.evidence.judged;
  if (verdict.outcome == Outcome::Fail) {
    text +=
        fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", type, says, body);
  } else if (verdict.outcome == Outcome::Inconclusive) {
    text += fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n", type, says, body);
  } else if (verdict.outcome == Outcome::NotTested && !is_measured) {
    text += fmt::format("      <skipped message=\"{}\"/>\n", says);
  } else {
    text += fmt::format("      <system-out>{}</system-out>\n", says + "\n" + body);
  }
  return text + "    </testcase>\n";
}

std::string not_reached(const Audit& audit, const std::string& name, Language language) {
  const std::string profile = audit.plan.profile ? audit.plan.profile->id : "measure";
  return fmt::format(
      "    <testcase classname=\"diskaudit.{}\" name=\"{}\" time=\"0.000\">\n"
      "      <error type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
      escaped_xml(profile), escaped_xml(name), audit.refused ? "refused" : "not_reached",
      escaped_xml(audit.refused ? note_in(*audit.refused, language)
                                : say(Message::NotReached, language)));
}

/// Refused before there was a plan, an audit is a case of its own: a server must show it red.
std::vector<std::string> names_not_reached(const Audit& audit) {
  std::vector<std::string> names;
  for (std::size_t i = audit.scenarios.size(); i < audit.plan.jobs.size(); ++i) {
    names.push_back(audit.plan.jobs[i].scenario.name);
  }
  if (audit.refused && names.empty()) names.push_back("audit");
  return names;
}

std::string properties(const Audit& audit) {
  const std::pair<const char*, std::string> all[] = {
      {"id", audit.id},
      {"outcome", std::string(name_of(audit.outcome))},
      {"cause", audit.cause ? std::string(name_of(*audit.cause)) : ""},
      {"version", audit.tool_version},
      {"device", audit.disk.device.name},
      {"serial", audit.disk.device.serial},
      {"min_percent", format_number(audit.plan.options.tolerance.min_percent, 2)},
      {"kernel", audit.environment.kernel}};
  std::string text = "    <properties>\n";
  for (const auto& [name, value] : all) {
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, escaped_xml(value));
  }
  return text + "    </properties>\n";
}

}  // namespace

std::string render_junit(const Audit& audit, const ReportStyle& style) {
  std::string cases;
  double seconds = 0;
  for (const ScenarioAudit& scenario : audit.scenarios) {
    cases += testcase(audit, scenario, style.language);
    seconds += seconds_of(scenario);
  }
  const std::vector<std::string> unreached = names_not_reached(audit);
  for (const std::string& name : unreached) cases += not_reached(audit, name, style.language);
  const std::size_t tests = audit.scenarios.size() + unreached.size();
  const auto count = [&](Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count_if(
        audit.scenarios,
        [outcome](const ScenarioAudit& scenario) { return scenario.verdict.outcome == outcome; }));
  };
  const std::size_t skipped = audit.plan.profile ? count(Outcome::NotTested) : 0;
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, count(Outcome::Fail),
                  count(Outcome::Inconclusive) + unreached.size());
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"diskaudit\" {} "
      "time=\"{:.3f}\">\n"
      "  <testsuite name=\"diskaudit\" {} skipped=\"{}\" time=\"{:.3f}\" timestamp=\"{}\" "
      "id=\"{}\">\n"
      "{}{}  </testsuite>\n</testsuites>\n",
      totals, seconds, totals, skipped, seconds, escaped_xml(audit.started.substr(0, 19)),
      escaped_xml(audit.id), properties(audit), cases);
}

}  // namespace diskaudit
