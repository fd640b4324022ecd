#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>

#include "judge/findings.hpp"

namespace diskaudit {
namespace {

constexpr double confidence = 0.95;

// Fewer seconds prove nothing worth printing.
constexpr std::size_t fewest_seconds = 10;

}  // namespace

double proven_share(unsigned good, unsigned all, double confidence) {
  if (good == 0 || all == 0) return 0;
  const boost::math::beta_distribution<double> share(good, all - good + 1.0);
  const double bound = boost::math::quantile(share, 1 - confidence);
  // Rounded down, so that the last digits of another mathematics library cannot show.
  return std::floor(bound * 1e6) / 1e6;
}

double seconds_to_prove(double share, double confidence) {
  return std::ceil(std::log(1 - confidence) / std::log(share) - 1e-9);
}

void state_availability(const Rate& rate, std::optional<double> promised_time_percent,
                        Verdict& verdict) {
  const auto& seconds = rate.batches.values;
  if (seconds.size() < fewest_seconds || rate.batches.seconds < least_batch_seconds) return;
  Availability availability;
  availability.promised_percent = rate.threshold.percent;
  availability.seconds = static_cast<unsigned>(seconds.size());
  unsigned good = 0;
  unsigned bad_run = 0;
  for (const double second : seconds) {
    const bool is_good = second >= rate.threshold.percent / 100;
    good += is_good;
    bad_run = is_good ? 0 : bad_run + 1;
    availability.longest_bad_seconds = std::max(availability.longest_bad_seconds, bad_run);
  }
  availability.share_percent = 100.0 * good / availability.seconds;
  availability.proven_percent = 100 * proven_share(good, availability.seconds, confidence);
  availability.promised_time_percent = promised_time_percent;
  verdict.availability = availability;
  verdict.reasons.push_back({ReasonCode::Availability,
                             {{"share", availability.share_percent},
                              {"proven", availability.proven_percent},
                              {"promised", availability.promised_percent},
                              {"seconds", double(availability.seconds)},
                              {"longest", double(availability.longest_bad_seconds)}}});
  const double promised = promised_time_percent.value_or(0);
  if (promised <= 0 || promised >= 100 || availability.proven_percent >= promised) return;
  verdict.reasons.push_back(
      {ReasonCode::NotDemonstrable,
       {{"promised", promised}, {"needed", seconds_to_prove(promised / 100, confidence)}}});
}

}  // namespace diskaudit
