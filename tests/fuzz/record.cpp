#include "report/record.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/targets.hpp"
#include "report/report.hpp"

namespace diskaudit::fuzz {

namespace {

using Json = nlohmann::ordered_json;

const Json& good_record() {
  static const Json record = [] {
    std::ifstream file(TESTS_FOLDER "/golden/record.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    require(read_record(text).has_value(), "the good record is one");
    return Json::parse(text);
  }();
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
  for (const Language language : {Language::English, Language::Chinese})
    for (const ReportFormat& format : report_formats())
      require_harmless(format.render(*audit, {.language = language, .language_asked = true}));
  judge_again(*audit);
  const std::string judged = json.render(*audit, {});
  judge_again(*audit);
  require(json.render(*audit, {}) == judged, "judging twice gives the same");
  for (const ReportFormat& format : report_formats()) (void)format.render(*audit, {});
}

}  // namespace

void record(std::string_view input) {
  use(input);
  if (const auto changed = changed_record(input)) use(*changed);
}

}  // namespace diskaudit::fuzz
