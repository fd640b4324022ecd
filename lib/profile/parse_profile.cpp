#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "profile/read_parts.hpp"

// Reads a profile key by key. The keys of each mapping are listed where it is read, so that a new
// one is one more name in the list and one more line below it.

namespace diskaudit {
namespace {

/// Beyond this a double no longer counts single GiB reliably, and no disk is so large.
constexpr double largest_gib = 1e9;

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
  if (const Document* replaces = document.find("replaces")) {
    profile.replaces = true;
    if (reader.text(*replaces) != profile.id)
      reader.fault(*replaces, fmt::format("'replaces' must repeat the id '{}'", profile.id));
  }
}

void read_remarks(Reader& reader, const Document& document, Profile& profile) {
  if (const Document* status = document.find("status"))
    profile.status = reader.one_of(*status, {"current", "previous", "preview", "retired"});
  if (const Document* monotone = document.find("monotone"))
    profile.is_monotone = reader.flag(*monotone);
  if (const Document* conditions = document.find("conditions");
      conditions && reader.sequence(*conditions, "conditions")) {
    for (const Document& condition : conditions->items)
      profile.conditions.push_back(reader.local_text(condition));
  }
  if (const Document* latency = document.find("latency")) read_latency(reader, *latency, profile);
  if (const Document* promise = document.find("promise"))
    profile.promise = read_promise(reader, *promise);
  if (const Document* unit = document.find("io_unit"))
    profile.io_unit = read_io_unit(reader, *unit);
}

Figures read_quota(Reader& reader, const Document& document, const Domain& domain) {
  if (!reader.mapping(document, "quota", {{"iops"}, {"throughput"}, {"combine"}})) return {};
  if (!document.find("iops") && !document.find("throughput"))
    reader.fault(document, "quota states neither iops nor throughput");
  return read_figures(reader, document, domain);
}

void read_sources(Reader& reader, const Document& document, Profile& profile) {
  if (!reader.sequence(document, "sources")) return;
  for (const Document& item : document.items) profile.sources.push_back(read_source(reader, item));
}

Former read_former(Reader& reader, const Document& document, const Domain& domain) {
  Former former;
  if (!reader.mapping(
          document, "history entry",
          {{"until", true}, {"from"}, {"quota", true}, {"capacity"}, {"source", true}, {"note"}}))
    return former;
  former.until = reader.date(*document.find("until"), false);
  if (const Document* from = document.find("from")) {
    former.from = reader.date(*from, false);
    if (former.from >= former.until) reader.fault(*from, "'from' must be before 'until'");
  }
  Domain then = domain;
  if (const Document* capacity = document.find("capacity")) {
    former.capacity = read_capacity(reader, *capacity);
    then.capacity = *former.capacity;
    then.ranges["gib"] = {then.capacity.min, then.capacity.max};
  }
  if (!reader.failed()) former.quota = read_quota(reader, *document.find("quota"), then);
  former.source = read_source(reader, *document.find("source"));
  if (const Document* note = document.find("note")) former.note = reader.local_text(*note);
  return former;
}

void read_history(Reader& reader, const Document& document, Profile& profile,
                  const Domain& domain) {
  if (!reader.sequence(document, "history")) return;
  for (const Document& item : document.items) {
    if (reader.failed()) return;
    profile.history.push_back(read_former(reader, item, domain));
  }
  std::ranges::stable_sort(profile.history, {}, &Former::until);
}

Dispute read_dispute(Reader& reader, const Document& document, const Domain& domain) {
  Dispute dispute;
  if (!reader.mapping(document, "dispute", {{"note", true}, {"iops"}, {"throughput"}, {"source"}}))
    return dispute;
  dispute.note = reader.local_text(*document.find("note"));
  dispute.quota = read_figures(reader, document, domain);
  if (const Document* source = document.find("source"))
    dispute.source = read_source(reader, *source);
  return dispute;
}

void read_figures_of(Reader& reader, const Document& document, Profile& profile) {
  Domain domain;
  read_inputs_and_tables(reader, document, profile, domain);
  if (reader.failed()) return;
  profile.quota = read_quota(reader, *document.find("quota"), domain);
  if (const Document* burst = document.find("burst"); burst && !reader.failed())
    profile.burst = read_burst(reader, *burst, domain);
  if (const Document* history = document.find("history"); history && !reader.failed())
    read_history(reader, *history, profile, domain);
  if (const Document* disputes = document.find("disputes");
      disputes && !reader.failed() && reader.sequence(*disputes, "disputes")) {
    for (const Document& item : disputes->items)
      profile.disputes.push_back(read_dispute(reader, item, domain));
  }
}

}  // namespace

Capacity read_capacity(Reader& reader, const Document& document) {
  Capacity capacity;
  if (!reader.mapping(document, "capacity", {{"min"}, {"max"}, {"step"}, {"sizes"}}))
    return capacity;
  const Document* min = document.find("min");
  const Document* max = document.find("max");
  const Document* sizes = document.find("sizes");
  if (const Document* step = document.find("step")) capacity.step = reader.positive_number(*step);
  if (sizes && reader.sequence(*sizes, "sizes")) {
    for (const Document& size : sizes->items)
      capacity.sizes.push_back(reader.positive_number(size));
    std::ranges::sort(capacity.sizes);
    capacity.min = capacity.sizes.front();
    capacity.max = capacity.sizes.back();
  }
  if (sizes ? min || max || document.find("step") : !min || !max)
    reader.fault(document, "capacity needs min and max (and may have step), or sizes");
  if (reader.failed() || sizes) return capacity;
  capacity.min = reader.positive_number(*min);
  capacity.max = reader.positive_number(*max);
  if (reader.failed()) return capacity;
  if (capacity.max < capacity.min) reader.fault(*max, "capacity max is below min");
  if (capacity.max > largest_gib) reader.fault(*max, "capacity max is above 1000000000 GiB");
  return capacity;
}

Source read_source(Reader& reader, const Document& document) {
  Source source;
  if (!reader.mapping(document, "source",
                      {{"title", true}, {"url", true}, {"dated"}, {"read", true}}))
    return source;
  source.title = reader.text(*document.find("title"));
  source.url = reader.text(*document.find("url"));
  if (!source.url.starts_with("https://") && !source.url.starts_with("http://"))
    reader.fault(*document.find("url"), "expected an address that starts with https://");
  if (const Document* dated = document.find("dated")) source.dated = reader.date(*dated, false);
  source.read = reader.date(*document.find("read"), true);
  return source;
}

Result<Profile> read_profile(const Document& document, const std::string& file) {
  Reader reader(file);
  Profile profile;
  if (reader.mapping(
          document, "profile",
          {{"id", true}, {"aliases"},  {"vendor", true}, {"name", true},    {"capacity", true},
           {"inputs"},   {"tables"},   {"quota", true},  {"burst"},         {"latency"},
           {"promise"},  {"io_unit"},  {"conditions"},   {"status"},        {"history"},
           {"disputes"}, {"monotone"}, {"replaces"},     {"sources", true}, {"published", true}})) {
    read_names(reader, document, profile);
    profile.capacity = read_capacity(reader, *document.find("capacity"));
  }
  // Formulas are tried over the capacity range, published points against the formulas.
  if (!reader.failed()) read_figures_of(reader, document, profile);
  if (!reader.failed()) read_remarks(reader, document, profile);
  if (!reader.failed()) read_sources(reader, *document.find("sources"), profile);
  if (!reader.failed()) check_published(reader, *document.find("published"), profile);
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
