#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "profile/profile_check.hpp"
#include "profile/reader.hpp"

// Reads a profile key by key. The keys of each mapping are listed where it is read, so that a new
// one is one more name in the list and one more line below it.

namespace diskaudit {
namespace {

using Ranges = std::map<std::string, Range>;

bool is_identifier(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && std::ranges::all_of(text, allowed) && text.front() != '-' &&
         text.back() != '-';
}

void read_names(Reader& reader, const Document& document, Profile& profile) {
  const Document& id = *document.find("id");
  profile.id = reader.text(id);
  if (!is_identifier(profile.id) || profile.id.find('-') == std::string::npos)
    reader.fault(id, fmt::format("id '{}' must be <vendor>-<type> in lower-case letters, digits "
                                 "and '-'",
                                 profile.id));
  if (const Document* aliases = document.find("aliases");
      aliases && reader.sequence(*aliases, "aliases")) {
    for (const Document& alias : aliases->items) profile.aliases.push_back(reader.text(alias));
  }
  profile.vendor = reader.local_text(*document.find("vendor"));
  profile.name = reader.local_text(*document.find("name"));
  if (const Document* status = document.find("status"))
    profile.status = reader.one_of(*status, {"current", "previous", "preview", "retired"});
  if (const Document* conditions = document.find("conditions");
      conditions && reader.sequence(*conditions, "conditions")) {
    for (const Document& condition : conditions->items)
      profile.conditions.push_back(reader.local_text(condition));
  }
}

void read_capacity(Reader& reader, const Document& document, Profile& profile) {
  if (!reader.mapping(document, "capacity", {{"min", true}, {"max", true}})) return;
  profile.min_gib = reader.positive_number(*document.find("min"));
  profile.max_gib = reader.positive_number(*document.find("max"));
  if (!reader.failed() && profile.max_gib < profile.min_gib)
    reader.fault(*document.find("max"), "capacity max is below min");
}

/// `document` holds `value`, or `read` and `write`, or `total`; other keys are the caller's.
Ceilings read_ceilings(Reader& reader, const Document& document, const Ranges& names) {
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
  if (value) ceilings.read = ceilings.write = ceilings.total = reader.formula(*value, names);
  if (read) ceilings.read = reader.formula(*read, names);
  if (write) ceilings.write = reader.formula(*write, names);
  if (total) ceilings.total = reader.formula(*total, names);
  ceilings.is_single = value != nullptr;
  return ceilings;
}

Ceilings read_iops(Reader& reader, const Document& document, const Ranges& names) {
  if (document.kind == Document::Kind::Scalar) {
    Ceilings ceilings;
    ceilings.read = ceilings.write = ceilings.total = reader.formula(document, names);
    ceilings.is_single = true;
    return ceilings;
  }
  if (!reader.mapping(document, "iops", {{"value"}, {"read"}, {"write"}, {"total"}})) return {};
  return read_ceilings(reader, document, names);
}

void read_quota(Reader& reader, const Document& document, Profile& profile) {
  if (!reader.mapping(document, "quota", {{"iops"}, {"throughput"}})) return;
  const Ranges names = {{"gib", {profile.min_gib, profile.max_gib}}};
  if (const Document* iops = document.find("iops")) profile.iops = read_iops(reader, *iops, names);
  if (const Document* throughput = document.find("throughput");
      throughput && reader.mapping(*throughput, "throughput",
                                   {{"value"}, {"read"}, {"write"}, {"total"}, {"unit", true}})) {
    profile.throughput = read_ceilings(reader, *throughput, names);
    profile.unit = reader.rate_unit(*throughput->find("unit"));
  }
  if (document.members.empty()) reader.fault(document, "quota states neither iops nor throughput");
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

double read_percent(Reader& reader, const Document& document) {
  const double percent = reader.positive_number(document);
  if (percent > 100) reader.fault(document, "expected a percentage of at most 100");
  return percent;
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

void read_sources(Reader& reader, const Document& document, Profile& profile) {
  if (!reader.sequence(document, "sources")) return;
  for (const Document& item : document.items) {
    if (!reader.mapping(item, "source",
                        {{"title", true}, {"url", true}, {"dated"}, {"read", true}}))
      return;
    Source source;
    source.title = reader.text(*item.find("title"));
    source.url = reader.text(*item.find("url"));
    if (!source.url.starts_with("https://") && !source.url.starts_with("http://"))
      reader.fault(*item.find("url"), "expected an address that starts with https://");
    if (const Document* dated = item.find("dated")) source.dated = reader.date(*dated, false);
    source.read = reader.date(*item.find("read"), true);
    profile.sources.push_back(std::move(source));
  }
}

void read_published(Reader& reader, const Document& document, Profile& profile) {
  if (!reader.sequence(document, "published")) return;
  for (const Document& item : document.items) {
    if (!reader.mapping(item, "published point",
                        {{"gib", true}, {"iops"}, {"throughput"}, {"derived"}}))
      return;
    PublishedPoint point;
    point.gib = reader.positive_number(*item.find("gib"));
    if (const Document* iops = item.find("iops")) point.iops = reader.number(*iops);
    if (const Document* throughput = item.find("throughput"))
      point.throughput = reader.number(*throughput);
    if (const Document* derived = item.find("derived")) point.derived = reader.flag(*derived);
    profile.published.push_back(point);
    if (!reader.failed()) check_published(reader, item, profile, point);
  }
}

}  // namespace

Result<Profile> read_profile(const Document& document, const std::string& file) {
  Reader reader(file);
  Profile profile;
  if (reader.mapping(document, "profile",
                     {{"id", true},
                      {"aliases"},
                      {"vendor", true},
                      {"name", true},
                      {"capacity", true},
                      {"quota", true},
                      {"latency"},
                      {"promise"},
                      {"conditions"},
                      {"status"},
                      {"sources", true},
                      {"published", true}})) {
    read_names(reader, document, profile);
    read_capacity(reader, *document.find("capacity"), profile);
  }
  // The formulas are tried over the capacity range, the points against the formulas.
  if (!reader.failed()) read_quota(reader, *document.find("quota"), profile);
  if (reader.failed()) return std::unexpected(reader.error());
  if (const Document* latency = document.find("latency")) read_latency(reader, *latency, profile);
  if (const Document* promise = document.find("promise"))
    profile.promise = read_promise(reader, *promise);
  read_sources(reader, *document.find("sources"), profile);
  read_published(reader, *document.find("published"), profile);
  if (reader.failed()) return std::unexpected(reader.error());
  profile.document = document;
  return profile;
}

Result<Profile> parse_profile(std::string_view yaml, const std::string& file) {
  const Result<Document> document = parse_yaml(yaml, file);
  if (!document) return std::unexpected(document.error());
  return read_profile(*document, file);
}

}  // namespace diskaudit
