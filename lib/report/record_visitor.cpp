#include "report/record_visitor.hpp"

#include "device/cloud.hpp"
#include "report/record_values.hpp"

namespace diskaudit {
namespace record {
namespace {

void visit_device(Visitor& v, BlockDevice& device) {
  visit_group(v, "device", [&] {
    visit(v, "name", device.name);
    visit(v, "number", device.number);
    visit(v, "model", device.model);
    visit(v, "serial", device.serial);
    visit(v, "by_id", device.by_id);
    v.derived("volume_id", volume_id(device));
    visit(v, "driver", device.driver);
    visit(v, "size_bytes", device.size);
    visit(v, "diskseq", device.diskseq);
    visit(v, "logical_block_size", device.logical_block_size);
    visit(v, "physical_block_size", device.physical_block_size);
    visit(v, "scheduler", device.scheduler);
    visit(v, "nr_requests", device.nr_requests);
    visit(v, "hardware_queues", device.hardware_queues);
    visit(v, "lun_queue_depth", device.lun_queue_depth);
    visit(v, "max_sectors_kb", device.max_sectors_kb);
    visit(v, "max_segments", device.max_segments);
    visit(v, "write_cache", device.write_cache);
    visit(v, "rotational", device.rotational);
    visit(v, "read_only", device.read_only);
    visit(v, "page_cache_below", device.page_cache_below);
    visit(v, "zero_share", device.zero_share);
    v.strings("lower", device.lower);
    if (!v.optional("queue", true)) return;
    visit_group(v, "queue", [&] {
      visit(v, "writeback_throttle_us", device.writeback_throttle_us);
      visit(v, "io_timeout_ms", device.io_timeout_ms);
      visit(v, "nomerges", device.nomerges);
      visit(v, "counts_ios", device.counts_ios);
    });
  });
}

/// null where nothing was written before the scenarios.
void visit_filling(Visitor& v, std::optional<Filling>& filling) {
  visit_optional_group(v, "filling", filling, [&](Filling& x) {
    visit(v, "bytes", x.bytes);
    visit(v, "request_bytes", x.request);
    visit(v, "seconds", x.seconds);
    visit(v, "end_ns", x.end_ns);
  });
}

void visit_disk(Visitor& v, Audit& audit) {
  Disk& disk = audit.disk;
  visit_group(v, "disk", [&] {
    visit(v, "path", disk.path);
    visit(v, "number", disk.number);
    visit(v, "kind", disk.kind);
    visit(v, "span_bytes", audit.span);
    visit(v, "partition_start", disk.partition_start);
    visit(v, "filesystem", disk.filesystem);
    visit(v, "mount_point", disk.mount_point);
    visit(v, "mount_options", disk.mount_options);
    visit(v, "total_bytes", disk.total);
    visit(v, "available_bytes", disk.available);
    visit(v, "copy_on_write", disk.copy_on_write);
    visit(v, "compressing", disk.compressing);
    visit_device(v, disk.device);
    visit_filling(v, audit.filling);
  });
}

/// null where nothing was written on a device.
void visit_guard(Visitor& v, std::vector<GuardCheck>& guard) {
  if (!v.optional("guard", !guard.empty())) return guard.clear();
  visit_list(v, "guard", guard, [&](GuardCheck& check) {
    visit(v, "name", check.name);
    visit(v, "passed", check.passed);
    visit(v, "finding", check.finding);
    visit(v, "remedy", check.remedy);
  });
}

void visit_environment(Visitor& v, Environment& environment) {
  visit_group(v, "environment", [&] {
    visit(v, "kernel", environment.kernel);
    visit(v, "distribution", environment.distribution);
    visit(v, "machine_vendor", environment.machine_vendor);
    visit(v, "machine_product", environment.machine_product);
    visit(v, "machine_asset_tag", environment.machine_asset_tag);
    visit(v, "cpu_model", environment.cpu_model);
    visit(v, "cpus", environment.cpus);
    visit(v, "clocksource", environment.clocksource);
    visit_optional_group(v, "local_clock", environment.local_clock, [&](LocalClock& clock) {
      visit(v, "zone", clock.zone);
      visit(v, "utc_offset_seconds", clock.utc_offset_seconds);
      visit(v, "synchronised", clock.synchronised);
    });
    visit(v, "cgroup_read_iops", environment.cgroup_read_iops);
    visit(v, "cgroup_write_iops", environment.cgroup_write_iops);
    visit(v, "cgroup_read_bytes_per_second", environment.cgroup_read_throughput);
    visit(v, "cgroup_write_bytes_per_second", environment.cgroup_write_throughput);
  });
}

std::string engine_of(const Audit& audit) {
  for (const ScenarioAudit& scenario : audit.scenarios) {
    if (scenario.evidence.judged) return scenario.evidence.judged->engine;
  }
  return "";
}

void visit_settings(Visitor& v, const Audit& audit, PlanOptions& options) {
  visit_group(v, "settings", [&] {
    visit(v, "min_percent", options.tolerance.min_percent);
    visit(v, "min_percent_source", options.tolerance.source);
    visit(v, "runtime", options.runtime_seconds);
    visit(v, "ramp", options.ramp_seconds);
    v.derived("engine", engine_of(audit));
    visit(v, "read_only", options.read_only);
    visit(v, "until_baseline", options.until_baseline);
    visit(v, "iodepth", options.iodepth);
    visit(v, "threads", options.threads);
    visit(v, "seed", options.seed);
    visit(v, "cpus", options.cpus);
    visit(v, "instance_iops", options.instance.iops);
    visit(v, "instance_bytes_per_second", options.instance.throughput);
  });
}

/// null where none is known.
void visit_alternatives(Visitor& v, std::vector<Alternative>& alternatives) {
  if (!v.optional("alternatives", !alternatives.empty())) return alternatives.clear();
  visit_list(v, "alternatives", alternatives, [&](Alternative& alternative) {
    visit(v, "id", alternative.id);
    v.figures("targets", alternative.targets);
  });
}

/// null where there are none.
void visit_hints(Visitor& v, std::vector<Reason>& hints) {
  if (!v.optional("hints", !hints.empty())) return hints.clear();
  visit_reasons(v, "hints", hints);
}

/// The plan's jobs are those of the scenarios, then those that were not reached.
void visit_scenarios(Visitor& v, Audit& audit) {
  std::vector<Job> not_reached;
  if (audit.plan.jobs.size() > audit.scenarios.size()) {
    not_reached.assign(audit.plan.jobs.begin() + static_cast<long>(audit.scenarios.size()),
                       audit.plan.jobs.end());
  }
  visit_list(v, "scenarios", audit.scenarios,
             [&](ScenarioAudit& scenario) { visit_scenario(v, scenario); });
  visit_list(v, "not_reached", not_reached, [&](Job& job) { visit_job(v, job); });

  audit.plan.jobs.clear();
  for (const ScenarioAudit& scenario : audit.scenarios) audit.plan.jobs.push_back(scenario.job);
  audit.plan.jobs.insert(audit.plan.jobs.end(), not_reached.begin(), not_reached.end());
  audit.plan.options.scenarios.clear();
  for (const Job& job : audit.plan.jobs) audit.plan.options.scenarios.push_back(job.scenario);
}

}  // namespace
}  // namespace record

void visit_record(RecordVisitor& v, Audit& audit) {
  using namespace record;
  visit(v, "id", audit.id);
  visit_group(v, "tool", [&] {
    v.derived("name", "diskaudit");
    visit(v, "version", audit.tool_version);
    visit(v, "commit", audit.tool_commit);
  });
  visit(v, "started", audit.started);
  visit(v, "ended", audit.ended);
  visit(v, "outcome", audit.outcome);
  visit(v, "cause", audit.cause);
  v.derived("exit_code", exit_code_of(audit));
  visit(v, "signal", audit.signal);
  visit(v, "refused", audit.refused);
  v.strings("command_line", audit.command_line);
  v.profile(audit.plan);
  visit_alternatives(v, audit.plan.alternatives);
  visit_settings(v, audit, audit.plan.options);
  visit_disk(v, audit);
  visit_guard(v, audit.guard);
  visit_environment(v, audit.environment);
  visit_scenarios(v, audit);
  visit_hints(v, audit.hints);
  v.strings("notes", audit.notes);
}

}  // namespace diskaudit
