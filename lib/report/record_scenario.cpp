#include "report/record_values.hpp"

namespace diskaudit::record {
namespace {

void visit_latency(Visitor& v, LatencySummary& latency) {
  visit_group(v, "latency_us", [&] {
    visit(v, "mean", latency.mean);
    visit(v, "p50", latency.p50);
    visit(v, "p90", latency.p90);
    visit(v, "p95", latency.p95);
    visit(v, "p99", latency.p99);
    visit(v, "p999", latency.p999);
    visit(v, "max", latency.max);
  });
}

void visit_counts(Visitor& v, Flow& flow, double seconds) {
  const double per_second = seconds > 0 ? 1 / seconds : 0;
  v.derived("iops", static_cast<double>(flow.ios) * per_second);
  v.derived("bytes_per_second", static_cast<double>(flow.bytes) * per_second);
  visit(v, "ios", flow.ios);
  visit(v, "bytes", flow.bytes);
  visit(v, "errors", flow.errors);
  visit_latency(v, flow.latency);
}

void visit_series(Visitor& v, Series& series) {
  visit_group(v, "series", [&] {
    visit(v, "interval_seconds", series.interval_seconds);
    v.column("ios", series.ios);
    v.column("bytes", series.bytes);
    v.column("latency_mean_us", series.latency_mean_us);
    v.column("latency_max_us", series.latency_max_us);
    v.column("errors", series.errors);
  });
}

/// null where nothing completed, and in a record of an earlier version.
void visit_latency_map(Visitor& v, LatencyMap& map) {
  if (!v.optional("latency_map", !map.counts.empty())) {
    map = {};
    return;
  }
  visit_group(v, "latency_map", [&] {
    v.column("begin_seconds", map.begin_seconds);
    v.column("bounds_us", map.bounds_us);
    v.columns("counts", map.counts, LatencyMap::most_columns);
  });
}

void visit_faults(Visitor& v, std::vector<IoFault>& faults) {
  visit_list(v, "faults", faults, [&](IoFault& fault) {
    visit(v, "at_seconds", fault.at_seconds);
    visit(v, "offset", fault.offset);
    visit(v, "length", fault.length);
    visit(v, "error", fault.error);
    visit(v, "age_seconds", fault.age_seconds);
  });
}

void visit_voids(Visitor& v, std::vector<VoidSpan>& voids) {
  visit_list(v, "voids", voids, [&](VoidSpan& span) {
    visit(v, "begin_seconds", span.begin_seconds);
    visit(v, "end_seconds", span.end_seconds);
    visit(v, "cause", span.cause);
  });
}

void visit_measured(Visitor& v, Measurement& m) {
  visit_group(v, "measured", [&] {
    visit(v, "seconds", m.seconds);
    visit_counts(v, m.all, m.seconds);
    visit(v, "iodepth", m.iodepth);
    visit(v, "threads", m.threads);
    visit(v, "started", m.started);
    visit(v, "ended", m.ended);
    visit(v, "window_begin_ns", m.window_begin_ns);
    visit(v, "window_end_ns", m.window_end_ns);
    visit(v, "engine", m.engine);
    v.strings("engine_features", m.engine_features);
    visit(v, "engine_warning", m.engine_warning);
    visit(v, "interrupted", m.interrupted);
    visit(v, "hung", m.hung);
    visit_faults(v, m.faults);
    visit_voids(v, m.voids);
  });
}

void visit_lower(Visitor& v, std::vector<LowerCounts>& lower) {
  visit_list(v, "lower", lower, [&](LowerCounts& counts) {
    visit(v, "name", counts.name);
    visit(v, "ios", counts.ios);
    visit(v, "bytes", counts.bytes);
  });
}

void visit_log(Visitor& v, WitnessLog& log) {
  visit_group(v, "log", [&] {
    v.column("at_seconds", log.at_seconds);
    v.column("ios", log.ios);
    v.column("bytes", log.bytes);
    v.column("inflight", log.inflight);
  });
}

void visit_witness(Visitor& v, Witness& witness) {
  visit_group(v, "witness", [&] {
    visit(v, "known", witness.known);
    v.derived("device_ios", static_cast<double>(witness.read_ios + witness.write_ios));
    v.derived("device_bytes", static_cast<double>(witness.read_bytes + witness.write_bytes));
    visit(v, "read_ios", witness.read_ios);
    visit(v, "read_bytes", witness.read_bytes);
    visit(v, "write_ios", witness.write_ios);
    visit(v, "write_bytes", witness.write_bytes);
    visit(v, "merges", witness.merges);
    // What records of earlier versions do not have is read where it is there.
    if (v.optional("inflight_mean", true)) visit(v, "inflight_mean", witness.inflight_mean);
    if (v.optional("busy_share", true)) visit(v, "busy_share", witness.busy_share);
    if (v.optional("lower", true)) visit_lower(v, witness.lower);
    if (v.optional("log", true)) visit_log(v, witness.log);
  });
}

/// What Little's law says of the requests outstanding, to hold against `inflight_mean`.
double little_inflight(const Measurement& m) { return iops(m) * m.all.latency.mean / 1e6; }

void visit_limiter(Visitor& v, Measurement& m) {
  visit_group(v, "limiter", [&] {
    visit(v, "inflight_mean", m.inflight_mean);
    visit(v, "longest_gap_seconds", m.longest_gap_seconds);
    visit(v, "cpu_seconds", m.client.cpu_seconds);
    visit(v, "busiest_worker_share", m.client.busiest_worker_share);
    visit(v, "steal_share", m.client.steal_share);
    visit(v, "cpu_throttled", m.client.cpu_throttled);
    v.derived("inflight_by_little", little_inflight(m));
    if (!v.optional("machine", true)) return;
    visit_group(v, "machine", [&] {
      visit(v, "iowait_share", m.client.iowait_share);
      visit(v, "voluntary_switches", m.client.voluntary_switches);
      visit(v, "involuntary_switches", m.client.involuntary_switches);
    });
  });
}

void visit_measurement(Visitor& v, Measurement& m, Direction direction) {
  visit_measured(v, m);
  visit_series(v, m.all.series);
  visit_latency_map(v, m.latency_map);
  if (direction == Direction::Mixed) {
    for (auto [key, flow] : {std::pair{"read", &m.read}, std::pair{"write", &m.write}}) {
      visit_group(v, key, [&] {
        visit_group(v, "measured", [&] { visit_counts(v, *flow, m.seconds); });
        visit_series(v, flow->series);
      });
    }
  }
  visit_witness(v, m.witness);
  visit_limiter(v, m);
}

void visit_verdict(Visitor& v, Verdict& verdict) {
  visit(v, "outcome", verdict.outcome);
  visit(v, "cause", verdict.cause);
  v.strings("flags", verdict.flags);
  visit_reasons(v, "reasons", verdict.reasons);
  visit(v, "bound_by", verdict.bound_by);
  visit(v, "percent", verdict.percent);
  visit_optional_group(v, "interval", verdict.interval, [&](Interval& interval) {
    visit(v, "low", interval.low);
    visit(v, "high", interval.high);
    visit(v, "confidence", interval.confidence);
  });
  visit_optional_group(v, "plateau", verdict.plateau, [&](Plateau& plateau) {
    visit(v, "begin_seconds", plateau.begin_seconds);
    visit(v, "end_seconds", plateau.end_seconds);
  });
  visit_optional_group(v, "availability", verdict.availability, [&](Availability& availability) {
    visit(v, "promised_percent", availability.promised_percent);
    visit(v, "share_percent", availability.share_percent);
    visit(v, "proven_percent", availability.proven_percent);
    visit(v, "seconds", availability.seconds);
    visit(v, "longest_bad_seconds", availability.longest_bad_seconds);
    visit(v, "promised_time_percent", availability.promised_time_percent);
  });
}

void visit_evidence(Visitor& v, Evidence& evidence, Direction direction) {
  if (v.optional("measured", evidence.judged.has_value())) {
    if (!evidence.judged) evidence.judged.emplace();
    visit_measurement(v, *evidence.judged, direction);
  } else {
    evidence.judged.reset();
  }
  visit_list(v, "attempts", evidence.attempts,
             [&](Measurement& m) { visit_measurement(v, m, direction); });
  visit_list(v, "probes", evidence.probes, [&](Probe& probe) {
    visit(v, "purpose", probe.purpose);
    visit_measurement(v, probe.measurement, direction);
  });
}

}  // namespace

void visit_reasons(Visitor& v, std::string_view key, std::vector<Reason>& reasons) {
  visit_list(v, key, reasons, [&](Reason& reason) {
    visit(v, "code", reason.code);
    v.figures("values", reason.values);
    visit(v, "subject", reason.subject);
  });
}

void visit_job(Visitor& v, Job& job) {
  visit(v, "name", job.scenario.name);
  visit(v, "direction", job.scenario.direction);
  visit(v, "pattern", job.scenario.pattern);
  visit(v, "block_size", job.scenario.block_size);
  visit(v, "read_percent", job.scenario.read_percent);
  visit(v, "metric", job.scenario.metric);
  visit(v, "iodepth", job.iodepth);
  visit_optional_group(v, "target", job.target, [&](Target& target) {
    visit(v, "metric", target.metric);
    visit(v, "value", target.value);
    visit(v, "bound_by", target.bound_by);
  });
  visit(v, "iops_ceiling", job.iops_ceiling);
  visit_optional_group(v, "io_unit", job.io_unit, [&](IoUnit& unit) {
    visit(v, "bytes", unit.size);
    visit(v, "rounds_up", unit.rounds_up);
    visit(v, "full_charge", unit.full_charge);
  });
  visit(v, "not_tested", job.not_tested);
  visit_group(v, "job", [&] {
    visit(v, "published_iodepth", job.scenario.iodepth);
    visit(v, "min_runtime_seconds", job.scenario.min_runtime_seconds);
    visit(v, "min_span_bytes", job.scenario.min_span);
    visit(v, "max_iodepth", job.max_iodepth);
    visit(v, "threads", job.threads);
    visit(v, "ramp_seconds", job.ramp_seconds);
    visit(v, "runtime_seconds", job.runtime_seconds);
    visit(v, "max_runtime_seconds", job.max_runtime_seconds);
    visit(v, "seed", job.seed);
  });
}

void visit_scenario(Visitor& v, ScenarioAudit& scenario) {
  visit_job(v, scenario.job);
  visit_verdict(v, scenario.verdict);
  visit_evidence(v, scenario.evidence, scenario.job.scenario.direction);
}

}  // namespace diskaudit::record
