#include "report/iostat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "units.hpp"

namespace diskaudit {
namespace {

std::string columns(double seconds, double ios, double bytes, double inflight) {
  return fmt::format("{} / {} / {} / {}", format_number(ios / seconds, 1),
                     format_number(bytes / 1024 / seconds, 0),
                     ios > 0 ? format_number(bytes / 1024 / ios, 1) : "–",
                     format_number(inflight, 1));
}

/// Between two looks of the log. What was in the disk is known at each look alone.
std::optional<std::string> between(const WitnessLog& log, std::size_t first, std::size_t last) {
  if (last >= log.at_seconds.size() || first >= last) return std::nullopt;
  const double seconds = log.at_seconds[last] - log.at_seconds[first];
  if (seconds < 0.5) return std::nullopt;
  const auto inflight = log.inflight.begin();
  const auto sum =
      std::accumulate(inflight + static_cast<std::ptrdiff_t>(first) + 1,
                      inflight + static_cast<std::ptrdiff_t>(last) + 1, std::uint64_t{0});
  return columns(seconds, static_cast<double>(log.ios[last] - log.ios[first]),
                 static_cast<double>(log.bytes[last] - log.bytes[first]),
                 static_cast<double>(sum) / static_cast<double>(last - first));
}

/// A record may come from anywhere.
bool is_whole(const WitnessLog& log) {
  const std::size_t looks = log.at_seconds.size();
  return looks > 0 && log.ios.size() == looks && log.bytes.size() == looks &&
         log.inflight.size() == looks && std::ranges::is_sorted(log.at_seconds) &&
         std::ranges::is_sorted(log.ios) && std::ranges::is_sorted(log.bytes);
}

std::string names_of(Direction direction) {
  if (direction == Direction::Read) return "r/s / rkB/s / rareq-sz / aqu-sz";
  if (direction == Direction::Write) return "w/s / wkB/s / wareq-sz / aqu-sz";
  return "(r+w)/s / (r+w)kB/s / areq-sz / aqu-sz";
}

}  // namespace

std::optional<IostatColumns> iostat_columns(Direction direction, const Measurement& measurement) {
  const Witness& witness = measurement.witness;
  if (!witness.known || measurement.seconds <= 0) return std::nullopt;
  IostatColumns found{.names = names_of(direction)};
  found.during =
      columns(measurement.seconds, static_cast<double>(witness.read_ios + witness.write_ios),
              static_cast<double>(witness.read_bytes + witness.write_bytes), witness.inflight_mean);
  if (witness.busy_share > 0) {
    found.names += " / %util";
    found.during += " / " + format_number(witness.busy_share * 100, 1);
  }
  const WitnessLog& log = witness.log;
  if (!is_whole(log)) return found;
  const auto looks_until = [&](double second) {
    return static_cast<std::size_t>(std::ranges::upper_bound(log.at_seconds, second) -
                                    log.at_seconds.begin());
  };
  const std::size_t at_begin = looks_until(0);
  const std::size_t at_end = looks_until(measurement.seconds);
  if (at_begin > 0) found.before = between(log, 0, at_begin - 1);
  if (at_end > 0) found.after = between(log, at_end - 1, log.at_seconds.size() - 1);
  return found;
}

}  // namespace diskaudit
