#pragma once
/// Quantities that carry their unit in their type, and their spelling for people.
/// MB = 10^6, MiB = 2^20, GB = 10^9, GiB = 2^30; inside the program everything is bytes.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "error.hpp"

namespace diskaudit {

struct Bytes {
  std::uint64_t value = 0;
  auto operator<=>(const Bytes&) const = default;
};

struct Iops {
  double value = 0;
  auto operator<=>(const Iops&) const = default;
};

struct BytesPerSec {
  double value = 0;
  auto operator<=>(const BytesPerSec&) const = default;
};

inline constexpr std::uint64_t KiB = 1024;
inline constexpr std::uint64_t MiB = 1024 * KiB;
inline constexpr std::uint64_t GiB = 1024 * MiB;
inline constexpr std::uint64_t TiB = 1024 * GiB;

/// The units in which vendors state throughput.
enum class RateUnit { MBps, MiBps };

/// Bytes per second in one of the unit: 1e6 for MB/s, 2^20 for MiB/s.
double bytes_per_second_in(RateUnit unit);

/// "MB/s" or "MiB/s".
std::string_view name_of(RateUnit unit);

/// The unit that is called `name`; an error that names the known ones otherwise.
Result<RateUnit> parse_rate_unit(std::string_view name);

/// A size such as "5GiB", "107 GB", "512MiB", "1.5TiB"; a bare number counts `bare_unit` bytes.
/// Fails on anything that is not a finite number > 0 with a known unit, or does not fit 2^63.
Result<Bytes> parse_size(std::string_view text, std::uint64_t bare_unit);

/// A throughput such as "200MB/s" or "200MiB/s"; a bare number is MB/s.
Result<BytesPerSec> parse_throughput(std::string_view text);

/// The largest binary unit that keeps it readable: "5 GiB", "100.5 GiB", "64 MiB".
std::string format_size(Bytes size);

/// A whole number without exponent: "2600 IOPS".
std::string format_iops(Iops iops);

/// At most one decimal: "115 MB/s", "114.2 MB/s".
std::string format_throughput(BytesPerSec rate, RateUnit unit);

/// `value` with at most `decimals` digits behind the point, trailing zeros dropped.
std::string format_number(double value, int decimals);

}  // namespace diskaudit
