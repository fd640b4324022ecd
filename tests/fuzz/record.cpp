#include "report/record.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/targets.hpp"
#include "report/compare.hpp"
#include "report/gzip.hpp"
#include "report/redact.hpp"
#include "report/report.hpp"
#include "report/verify.hpp"
#include "support/audit_builder.hpp"

namespace diskaudit::fuzz {

namespace {

using Json = nlohmann::ordered_json;

/// Small, with something in every list that a record may have.
Audit varied_audit() {
  using namespace test;
  Audit audit =
      audit_of({{"rand-mixed-4k", 2500},
                {"seq-write-256k", 61e6, Outcome::Fail, Cause::BurstThenBelow},
                {"rand-read-4k", 900, Outcome::Inconclusive, Cause::ClientLimited}},
               {.seconds = 1,
                .planned = {"rand-mixed-4k", "seq-write-256k", "rand-read-4k", "rand-write-4k"}});
  Evidence& evidence = audit.scenarios[1].evidence;
  evidence.attempts.push_back(*evidence.judged);
  evidence.judged->faults = {{.at_seconds = 0.5, .offset = 4096, .length = 4096, .error = 5}};
  audit.guard = {{.name = "mounts", .passed = true, .finding = "not mounted in any namespace"}};
  audit.notes = {"test file made smaller"};
  audit.scenarios[1].verdict.flags = {"over"};
  return audit;
}

const Json& good_record() {
  static const Json record = Json::parse((*find_format("json"))->render(varied_audit(), {}));
  return record;
}

/// A random text is hardly ever a record; with this a small one reaches each of its members.
std::optional<std::string> changed_record(std::string_view input) {
  const Json changes = Json::parse(input, nullptr, false);
  if (!changes.is_object() || changes.size() > 100) return std::nullopt;
  Json record = good_record();
  bool changed = false;
  for (const auto& [place, value] : changes.items()) {
    try {
      record.at(Json::json_pointer(place)) = value;
      changed = true;
    } catch (const Json::exception&) {
    }
  }
  if (!changed) return std::nullopt;
  return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What the commands beside `report` and `judge` make of it.
void use_otherwise(const Audit& audit, std::string_view text, const ReportStyle& style) {
  (void)verify_record(text);
  static const Audit other = varied_audit();
  const Audit both[] = {audit, other};
  if (const auto comparison = compare(both, Redaction::Ticket)) {
    for (const auto render :
         {comparison_as_text, comparison_as_markdown, comparison_as_html, comparison_as_json})
      require_harmless(render(*comparison, style));
  }
  const std::string hidden = (*find_format("json"))->render(redacted(audit, Redaction::Public), {});
  require(read_record(hidden).has_value(), "a redacted record is a record");
}

void use(std::string_view text) {
  auto audit = read_record(text);
  if (!audit) {
    require(audit.error().code == ExitCode::Usage, "what is no record is wrong usage");
    return;
  }
  const ReportFormat& json = **find_format("json");
  const std::string written = json.render(*audit, {});
  const auto again = read_record(written);
  require(again && json.render(*again, {}) == written, "a record is written as it was read");
  const bool is_even = text.size() % 2 == 0;
  const ReportStyle style{.language = is_even ? Language::English : Language::Chinese,
                          .language_asked = true};
  std::size_t turn = text.size();
  for (const ReportFormat& format : report_formats()) {
    if (++turn % 3 != 0) continue;  // all in each input would leave time for few inputs
    const std::string report = format.render(*audit, style);
    if (format.name != "github") require_harmless(report);  // which consists of commands
  }
  if (text.size() % 4 == 0) use_otherwise(*audit, text, style);
  judge_again(*audit);
  const std::string judged = json.render(*audit, {});
  judge_again(*audit);
  require(json.render(*audit, {}) == judged, "judging twice gives the same");
}

}  // namespace

void record(std::string_view input) {
  use(input);
  constexpr std::size_t most = std::size_t{1} << 20;
  if (const auto plain = gunzipped(input, most)) use(*plain);
  if (const auto changed = changed_record(input)) use(*changed);
}

}  // namespace diskaudit::fuzz
