#include <fmt/format.h>

#include "profile/read_parts.hpp"

namespace diskaudit {
namespace {

/// `document` holds `value`, or `read`, `write` and `total`; its other keys are the caller's.
Ceilings read_ceilings(Reader& reader, const Document& document, const Domain& domain) {
  Ceilings ceilings;
  const Document* value = document.find("value");
  const Document* read = document.find("read");
  const Document* write = document.find("write");
  const Document* total = document.find("total");
  if (value && (read || write || total))
    reader.fault_at_key(*value,
                        "'value' is one figure for reads, writes and both together; give it "
                        "or 'read', 'write' and 'total'");
  if (!value && !read && !write && !total)
    reader.fault(document, "no figure given; add 'value', or 'read' and 'write', or 'total'");
  if (value) ceilings.read = ceilings.write = ceilings.total = reader.formula(*value, domain);
  if (read) ceilings.read = reader.formula(*read, domain);
  if (write) ceilings.write = reader.formula(*write, domain);
  if (total) ceilings.total = reader.formula(*total, domain);
  ceilings.is_single = value != nullptr;
  return ceilings;
}

Ceilings read_iops(Reader& reader, const Document& document, const Domain& domain) {
  if (document.kind == Document::Kind::Scalar) {
    Ceilings ceilings;
    ceilings.read = ceilings.write = ceilings.total = reader.formula(document, domain);
    ceilings.is_single = true;
    return ceilings;
  }
  if (!reader.mapping(document, "iops", {{"value"}, {"read"}, {"write"}, {"total"}})) return {};
  return read_ceilings(reader, document, domain);
}

BurstRule read_burst_rule(Reader& reader, const Document& document, const Domain& domain) {
  BurstRule rule;
  rule.value = reader.formula(*document.find("value"), domain).value_or(Formula());
  const auto part = [&](std::string_view key) -> std::optional<Formula> {
    const Document* formula = document.find(key);
    return formula ? reader.formula(*formula, domain) : std::nullopt;
  };
  rule.bucket = part("bucket");
  rule.refill = part("refill");
  rule.initial = part("initial");
  rule.seconds = part("seconds");
  if (const Document* seconds = document.find("seconds"); seconds && document.find("bucket"))
    reader.fault_at_key(*seconds, "a burst ends by 'bucket' or by 'seconds', not by both");
  if (!document.find("bucket") && (document.find("refill") || document.find("initial")))
    reader.fault(document, "'refill' and 'initial' need 'bucket'");
  return rule;
}

LatencyRange read_latency_range(Reader& reader, const Document& document, double us) {
  LatencyRange range;
  if (const Document* min = document.find("min")) range.min_us = reader.positive_number(*min) * us;
  const Document* max = document.find("max");
  if (!max) reader.fault(document, "latency lacks the key 'max'");
  if (!max || reader.failed()) return range;
  range.max_us = reader.positive_number(*max) * us;
  if (range.max_us < range.min_us) reader.fault(*max, "latency max is below min");
  return range;
}

double read_percent(Reader& reader, const Document& document) {
  const double percent = reader.positive_number(document);
  if (percent > 100) reader.fault(document, "expected a percentage of at most 100");
  return percent;
}

Bytes read_unit_size(Reader& reader, const Document& document) {
  const Result<Bytes> size = parse_size(reader.text(document), 0);
  if (!size)
    reader.fault(document,
                 fmt::format("expected a size with its unit, as 256KiB, not '{}'", document.text));
  return size.value_or(Bytes{});
}

}  // namespace

Figures read_figures(Reader& reader, const Document& document, const Domain& domain) {
  Figures figures;
  if (const Document* iops = document.find("iops")) figures.iops = read_iops(reader, *iops, domain);
  if (const Document* throughput = document.find("throughput");
      throughput && reader.mapping(*throughput, "throughput",
                                   {{"value"}, {"read"}, {"write"}, {"total"}, {"unit", true}})) {
    figures.throughput = read_ceilings(reader, *throughput, domain);
    figures.unit = reader.rate_unit(*throughput->find("unit"));
  }
  if (const Document* combine = document.find("combine")) {
    if (reader.one_of(*combine, {"min", "serial"}) == "serial") figures.combine = Combine::Serial;
    if (!document.find("iops") || !document.find("throughput"))
      reader.fault_at_key(*combine, "'combine' needs both iops and throughput");
  }
  return figures;
}

BurstRules read_burst(Reader& reader, const Document& document, const Domain& domain) {
  BurstRules rules;
  if (!reader.mapping(document, "burst", {{"iops"}, {"throughput"}, {"note"}})) return rules;
  const Document* iops = document.find("iops");
  const Document* throughput = document.find("throughput");
  if (!iops && !throughput) reader.fault(document, "burst states neither iops nor throughput");
  if (iops && reader.mapping(*iops, "burst of iops",
                             {{"value", true}, {"bucket"}, {"refill"}, {"initial"}, {"seconds"}}))
    rules.iops = read_burst_rule(reader, *iops, domain);
  if (throughput &&
      reader.mapping(
          *throughput, "burst of throughput",
          {{"value", true}, {"unit", true}, {"bucket"}, {"refill"}, {"initial"}, {"seconds"}})) {
    rules.throughput = read_burst_rule(reader, *throughput, domain);
    rules.unit = reader.rate_unit(*throughput->find("unit"));
  }
  if (const Document* note = document.find("note")) rules.note = reader.local_text(*note);
  return rules;
}

void read_latency(Reader& reader, const Document& document, Profile& profile) {
  if (!reader.mapping(document, "latency",
                      {{"min"}, {"max"}, {"read"}, {"write"}, {"unit", true}, {"note"}}))
    return;
  const double us = reader.one_of(*document.find("unit"), {"ms", "us"}) == "ms" ? 1000 : 1;
  if (const Document* note = document.find("note")) profile.latency_note = reader.local_text(*note);
  const Document* read = document.find("read");
  const Document* write = document.find("write");
  if (!read && !write) {
    profile.read_latency = profile.write_latency = read_latency_range(reader, document, us);
    return;
  }
  if (document.find("min") || document.find("max"))
    reader.fault(document, "latency has a range of its own and also one for reads or writes");
  if (read && reader.mapping(*read, "latency of reads", {{"min"}, {"max", true}}))
    profile.read_latency = read_latency_range(reader, *read, us);
  if (write && reader.mapping(*write, "latency of writes", {{"min"}, {"max", true}}))
    profile.write_latency = read_latency_range(reader, *write, us);
}

Promise read_promise(Reader& reader, const Document& document) {
  Promise promise;
  if (document.kind == Document::Kind::Scalar) {
    reader.one_of(document, {"none"});
    promise.none = true;
    return promise;
  }
  if (!reader.mapping(document, "promise", {{"percent", true}, {"time_percent"}, {"note"}}))
    return promise;
  promise.percent = read_percent(reader, *document.find("percent"));
  if (const Document* time = document.find("time_percent"))
    promise.time_percent = read_percent(reader, *time);
  if (const Document* note = document.find("note")) promise.note = reader.local_text(*note);
  return promise;
}

IoUnit read_io_unit(Reader& reader, const Document& document) {
  IoUnit unit;
  if (document.kind == Document::Kind::Scalar) {
    unit.size = read_unit_size(reader, document);
    return unit;
  }
  if (!reader.mapping(document, "io_unit", {{"size", true}, {"rounding"}, {"full_charge"}}))
    return unit;
  unit.size = read_unit_size(reader, *document.find("size"));
  if (const Document* rounding = document.find("rounding"))
    unit.rounds_up = reader.one_of(*rounding, {"up", "exact"}) == "up";
  if (const Document* charge = document.find("full_charge"))
    unit.full_charge = reader.flag(*charge);
  return unit;
}

}  // namespace diskaudit
