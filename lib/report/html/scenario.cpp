#include "report/html/page.hpp"
#include "report/note_words.hpp"
#include "report/phrases.hpp"
#include "report/reason_words.hpp"

namespace diskaudit::html {
namespace {

std::string findings(const Audit& audit, const ScenarioAudit& scenario) {
  const Verdict& verdict = scenario.verdict;
  std::string items;
  if (verdict.cause) {
    items += fmt::format("<li>{}</li>\n", both([&](Language language) {
                           return words_of(*verdict.cause).user.in(language);
                         }));
  }
  for (const Reason& reason : verdict.reasons) {
    items += fmt::format("<li>{}</li>\n", both([&](Language language) {
                           return sentence_of(reason, scenario.job.scenario.metric,
                                              rate_unit(audit), language);
                         }));
  }
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string run_row(const Audit& audit, const std::string& name, const Measurement& m) {
  const LatencySummary& latency = m.all.latency;
  return row({name, std::to_string(m.iodepth), format_number(m.seconds, 1), format_iops({iops(m)}),
              format_throughput({bytes_per_second(m)}, rate_unit(audit)),
              latency_text(latency.mean), latency_text(latency.p50), latency_text(latency.p95),
              latency_text(latency.p99), latency_text(latency.p999), latency_text(latency.max),
              std::to_string(m.all.errors)});
}

Message name_of_probe(Purpose purpose) {
  if (purpose == Purpose::Latency) return Message::RunLatency;
  return purpose == Purpose::SecondPass ? Message::RunSecondPass : Message::RunHalfDepth;
}

/// Every run of the scenario with the figures that the charts show as lines.
std::string runs(const Audit& audit, const ScenarioAudit& scenario) {
  using enum Message;
  std::string text =
      "<div class=\"wide\"><table class=\"numbers runs\"><thead>" +
      head_row({both_say(RunColumn), both_say(DepthColumn), both_say(SecondsColumn), "IOPS",
                both_say(ThroughputColumn), both_say(MeanLatency), "p50", "p95", "p99", "p99.9",
                both_say(LongestColumn), both_say(ErrorsColumn)}) +
      "</thead><tbody>\n";
  for (const Measurement& attempt : scenario.evidence.attempts) {
    text += run_row(audit, both_say(RunAttempt), attempt);
  }
  text += run_row(audit, both_say(RunJudged), *scenario.evidence.judged);
  for (const Probe& probe : scenario.evidence.probes) {
    const Message name = name_of_probe(probe.purpose);
    text += run_row(audit, both_say(name), probe.measurement);
  }
  return text + "</tbody></table></div>\n";
}

std::string percent_of_one(double share) { return format_number(share * 100, 1) + " %"; }

std::string limiter(const ScenarioAudit& scenario) {
  using enum Message;
  const Measurement& m = *scenario.evidence.judged;
  const Witness& witness = m.witness;
  const auto counts = [&](std::uint64_t ios, std::uint64_t bytes) {
    return both_say(CountsText, ios, format_size({bytes}));
  };
  const std::vector<std::string> cells = {
      both_say(LimiterInflight),
      fmt::format("{} / {}", format_number(m.inflight_mean, 1), m.iodepth),
      both_say(LimiterOwn),
      counts(m.all.ios, m.all.bytes),
      both_say(LimiterWorker),
      percent_of_one(m.client.busiest_worker_share),
      both_say(LimiterDevice),
      witness.known
          ? counts(witness.read_ios + witness.write_ios, witness.read_bytes + witness.write_bytes)
          : "–",
      both_say(LimiterSteal),
      percent_of_one(m.client.steal_share),
      both_say(LimiterGap),
      format_number(m.longest_gap_seconds, 3) + " s",
      both_say(WindowTitle),
      fmt::format("{} – {}", escaped_xml(m.started), escaped_xml(m.ended)),
      both_say(FieldEngine),
      escaped_xml(fmt::format("{} ({})", m.engine, fmt::join(m.engine_features, ", ")))};
  std::string rows;
  for (std::size_t i = 0; i + 3 < cells.size(); i += 4) {
    rows += fmt::format("<tr><th>{}</th><td>{}</td><th>{}</th><td>{}</td></tr>\n", cells[i],
                        cells[i + 1], cells[i + 2], cells[i + 3]);
  }
  std::string text =
      fmt::format("<h3>{}</h3>\n<table class=\"pairs\"><tbody>\n{}</tbody></table>\n",
                  both_say(LimiterTitle), rows);
  if (m.engine_warning.empty()) return text;
  return text + fmt::format("<p>{}</p>\n", both([&](Language language) {
                              return note_in(m.engine_warning, language);
                            }));
}

}  // namespace

std::string scenario_section(const Audit& audit, const ScenarioAudit& scenario,
                             std::size_t number) {
  std::string text = fmt::format(
      "<section class=\"scenario\"><h2><span class=\"{}\">{}</span> {} <span "
      "class=\"mono\">{}</span></h2>\n",
      name_of(scenario.verdict.outcome), symbol_of(scenario.verdict.outcome),
      both([&](Language language) { return label_of(scenario.job.scenario, language); }),
      escaped_xml(scenario.job.scenario.name));
  text += fmt::format("<p><span class=\"{}\">{}</span></p>\n", name_of(scenario.verdict.outcome),
                      both([&](Language language) { return verdict_text(scenario, language); }));
  text += findings(audit, scenario);
  text += scenario_charts(audit, scenario, number);
  if (scenario.evidence.judged) text += runs(audit, scenario) + limiter(scenario);
  return text + "</section>\n";
}

}  // namespace diskaudit::html
