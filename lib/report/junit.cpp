// JUnit XML with the elements and attributes that Jenkins and GitLab read. Below quota is a
// failure, no verdict an error (a gate must show it red), not tested skipped. Names are the key
// under which those servers keep trends, so they hold no numbers that differ from run to run.

#include <algorithm>

#include "report/escape.hpp"
#include "report/formats.hpp"
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

/// "1800 IOPS of 2600 IOPS (69.2 %): below quota; …what to do"
std::string message(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  const Verdict& verdict = scenario.verdict;
  std::string text = verdict_text(scenario, language);
  if (scenario.job.target && verdict.percent) {
    const Metric metric = scenario.job.target->metric;
    text +=
        fmt::format("; {} / {} = {}", figure(metric, measured_value(scenario), rate_unit(audit)),
                    figure(metric, scenario.job.target->value, rate_unit(audit)),
                    percent_text(*verdict.percent, audit.plan.options.tolerance.min_percent));
  }
  if (verdict.cause) text += fmt::format("; {}", words_of(*verdict.cause).user.in(language));
  return text;
}

std::string testcase(const Audit& audit, const ScenarioAudit& scenario, Language language) {
  const Verdict& verdict = scenario.verdict;
  const std::string profile = audit.plan.profile ? audit.plan.profile->id : "measure";
  std::string text = fmt::format(
      "    <testcase classname=\"diskaudit.{}\" name=\"{}\" time=\"{:.3f}\">\n",
      escaped_xml(profile), escaped_xml(scenario.job.scenario.name), seconds_of(scenario));
  const std::string type(verdict.cause ? name_of(*verdict.cause) : name_of(verdict.outcome));
  const std::string says = escaped_xml(message(audit, scenario, language));
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

std::string not_reached(const Audit& audit, const Job& job, Language language) {
  const std::string profile = audit.plan.profile ? audit.plan.profile->id : "measure";
  return fmt::format(
      "    <testcase classname=\"diskaudit.{}\" name=\"{}\" time=\"0.000\">\n"
      "      <error type=\"not_reached\" message=\"{}\"/>\n    </testcase>\n",
      escaped_xml(profile), escaped_xml(job.scenario.name),
      escaped_xml(say(Message::NotReached, language)));
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
  const std::size_t reached = audit.scenarios.size();
  const std::size_t tests = std::max(reached, audit.plan.jobs.size());
  for (std::size_t i = reached; i < tests; ++i) {
    cases += not_reached(audit, audit.plan.jobs[i], style.language);
  }
  const auto count = [&](Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count_if(
        audit.scenarios,
        [outcome](const ScenarioAudit& scenario) { return scenario.verdict.outcome == outcome; }));
  };
  const std::size_t skipped = audit.plan.profile ? count(Outcome::NotTested) : 0;
  const std::string totals =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, count(Outcome::Fail),
                  count(Outcome::Inconclusive) + tests - reached);
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
