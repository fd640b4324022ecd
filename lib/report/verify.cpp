#include "report/verify.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "report/formats.hpp"
#include "report/json_text.hpp"
#include "report/record.hpp"
#include "report/sha256.hpp"

namespace diskaudit {
namespace {

using Json = nlohmann::ordered_json;

std::unexpected<Error> fault(std::string_view what) {
  return usage_error(fmt::format("record does not verify: {}", what));
}

Result<void> check_digest(Json record) {
  const auto found = record.find("digest");
  if (found == record.end() || !found->is_string()) return fault("it has no digest");
  const auto stated = found->get<std::string>();
  record.erase("digest");
  const std::string actual = "sha256:" + sha256(to_text(record));
  if (stated == actual) return {};
  return fault(
      fmt::format("its digest is {}, its content has {}; it was changed after it was written",
                  sanitised(stated, 80), actual));
}

/// The path of the first value of `ours` that `theirs` has otherwise or not at all; empty if none.
std::string first_difference(const Json& ours, const Json& theirs, const std::string& path) {
  if (ours.is_object() && theirs.is_object()) {
    for (const auto& [key, value] : ours.items()) {
      const std::string inner = path.empty() ? key : path + "." + key;
      const auto found = theirs.find(key);
      // A key without a value may be one that the version which wrote the record did not have.
      if (found == theirs.end() && value.is_null()) continue;
      if (found == theirs.end()) return inner;
      std::string difference = first_difference(value, *found, inner);
      if (!difference.empty()) return difference;
    }
    return "";
  }
  if (ours.is_array() && theirs.is_array() && ours.size() == theirs.size()) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      std::string difference = first_difference(ours[i], theirs[i], fmt::format("{}[{}]", path, i));
      if (!difference.empty()) return difference;
    }
    return "";
  }
  return ours == theirs ? "" : path;
}

/// A series of whole intervals may leave out the last part of the window, but adds nothing to it.
Result<void> check_column(const std::vector<std::uint64_t>& column, std::uint64_t total, bool whole,
                          const std::string& path) {
  const std::uint64_t sum = std::accumulate(column.begin(), column.end(), std::uint64_t{0});
  if (whole ? sum == total : sum <= total) return {};
  return fault(fmt::format("{} is {}, but its series adds up to {}", path, total, sum));
}

Result<void> check_flow(const Flow& flow, double seconds, const std::string& path) {
  const Series& series = flow.series;
  const double covered = static_cast<double>(series.ios.size()) * series.interval_seconds;
  if (covered > seconds + series.interval_seconds) {
    return fault(
        fmt::format("{}.series covers {:.1f} s of a window of {:.1f} s", path, covered, seconds));
  }
  const bool whole = covered >= seconds - 1e-6;
  const std::pair<const char*, std::pair<const std::vector<std::uint64_t>*, std::uint64_t>> all[] =
      {{"ios", {&series.ios, flow.ios}},
       {"bytes", {&series.bytes, flow.bytes}},
       {"errors", {&series.errors, flow.errors}}};
  for (const auto& [name, column] : all) {
    if (column.first->size() != series.ios.size()) {
      return fault(fmt::format("{}.series.{} is not as long as series.ios", path, name));
    }
    auto adds_up = check_column(*column.first, column.second, whole,
                                fmt::format("{}.measured.{}", path, name));
    if (!adds_up) return adds_up;
  }
  return {};
}

/// Each I/O of the window is in the map. Where the engine gave up on a request, the tenth of a
/// second that it gave up in is too, which `measured` leaves out.
Result<void> check_latency_map(const Measurement& m, const std::string& path) {
  const LatencyMap& map = m.latency_map;
  if (map.counts.empty()) return {};
  if (!is_well_formed(map, m.seconds)) {
    return fault(path + ".latency_map has columns or bands that do not fit the window");
  }
  std::uint64_t sum = 0;
  for (const auto& column : map.counts) {
    sum = std::accumulate(column.begin(), column.end(), sum);
  }
  if (m.hung ? sum >= m.all.ios : sum == m.all.ios) return {};
  return fault(fmt::format("{}.measured.ios is {}, but its latency_map adds up to {}", path,
                           m.all.ios, sum));
}

Result<void> check_measurement(const Measurement& m, bool mixed, const std::string& path) {
  if (auto flow = check_flow(m.all, m.seconds, path); !flow) return flow;
  if (auto map = check_latency_map(m, path); !map) return map;
  if (!mixed) return {};
  if (m.read.ios + m.write.ios != m.all.ios || m.read.bytes + m.write.bytes != m.all.bytes) {
    return fault(fmt::format("{}: reads and writes do not add up to measured", path));
  }
  if (auto flow = check_flow(m.read, m.seconds, path + ".read"); !flow) return flow;
  return check_flow(m.write, m.seconds, path + ".write");
}

Result<void> check_counts(const Audit& audit) {
  for (std::size_t i = 0; i < audit.scenarios.size(); ++i) {
    const Evidence& evidence = audit.scenarios[i].evidence;
    const bool mixed = audit.scenarios[i].job.scenario.direction == Direction::Mixed;
    const std::string path = fmt::format("scenarios[{}]", i);
    if (evidence.judged) {
      if (auto fine = check_measurement(*evidence.judged, mixed, path); !fine) return fine;
    }
    for (std::size_t j = 0; j < evidence.attempts.size(); ++j) {
      auto fine =
          check_measurement(evidence.attempts[j], mixed, fmt::format("{}.attempts[{}]", path, j));
      if (!fine) return fine;
    }
    for (std::size_t j = 0; j < evidence.probes.size(); ++j) {
      auto fine = check_measurement(evidence.probes[j].measurement, mixed,
                                    fmt::format("{}.probes[{}]", path, j));
      if (!fine) return fine;
    }
  }
  return {};
}

/// What this version would write, as a reader would see it.
Json written(const Audit& audit) {
  Json tree = Json::parse(render_json(audit, {}));
  tree.erase("digest");
  return tree;
}

}  // namespace

Result<void> verify_record(std::string_view json) {
  const auto record = parse_json(json, "record");
  if (!record) return std::unexpected(record.error());
  auto audit = read_record(json);
  if (!audit) return std::unexpected(audit.error());
  if (auto digest = check_digest(*record); !digest) return digest;
  if (auto counts = check_counts(*audit); !counts) return counts;
  std::string path = first_difference(written(*audit), *record, "");
  if (!path.empty()) return fault(fmt::format("{} does not follow from the rest", path));
  judge_again(*audit);
  path = first_difference(written(*audit), *record, "");
  if (path.empty()) return {};
  return fault(
      fmt::format("{} comes out otherwise when this version judges the evidence again", path));
}

}  // namespace diskaudit
