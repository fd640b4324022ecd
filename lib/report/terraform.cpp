// What Terraform's `external` data source takes: one flat object whose values are all strings.

#include <nlohmann/json.hpp>

#include "report/escape.hpp"
#include "report/formats.hpp"
#include "report/phrases.hpp"

namespace diskaudit {

std::string render_terraform(const Audit& audit, const ReportStyle&) {
  nlohmann::ordered_json map;
  map["verdict"] = audit.refused ? "refused" : name_of(audit.outcome);
  map["cause"] = audit.cause ? name_of(*audit.cause) : "";
  map["exit_code"] = std::to_string(exit_code_of(audit));
  map["id"] = audit.id;
  map["version"] = audit.tool_version;
  map["started"] = audit.started;
  map["ended"] = audit.ended;
  map["profile"] = audit.plan.profile ? audit.plan.profile->id : "";
  for (const auto& [name, value] : audit.plan.inputs) {
    map["input_" + identifier(name)] = format_number(value, 6);
  }
  map["min_percent"] = format_number(audit.plan.options.tolerance.min_percent, 2);
  map["device"] = audit.disk.device.name;
  map["serial"] = audit.disk.device.serial;
  map["path"] = audit.disk.path;
  for (const ScenarioAudit& scenario : audit.scenarios) {
    const std::string name = identifier(scenario.job.scenario.name);
    const Verdict& verdict = scenario.verdict;
    map[name + "_verdict"] = name_of(verdict.outcome);
    map[name + "_cause"] = verdict.cause ? name_of(*verdict.cause) : "";
    map[name + "_ratio"] = verdict.percent ? format_number(*verdict.percent / 100, 4) : "";
    const auto& target = scenario.job.target;
    map[name + "_target"] = target ? format_number(target->value, 3) : "";
    map[name + "_measured"] =
        scenario.evidence.judged ? format_number(measured_value(scenario), 3) : "";
    map[name + "_metric"] = name_of(scenario.job.scenario.metric);
  }
  return map.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace diskaudit
