#include "judge/reasons.hpp"

namespace diskaudit {

const std::array<ReasonName, 45> reason_names = {{
    {ReasonCode::Measured, "measured"},
    {ReasonCode::Threshold, "threshold"},
    {ReasonCode::ThresholdByIops, "threshold_by_iops"},
    {ReasonCode::ShortWindow, "short_window"},
    {ReasonCode::Errors, "errors"},
    {ReasonCode::Hung, "hung"},
    {ReasonCode::Interrupted, "interrupted"},
    {ReasonCode::HalfDepth, "half_depth"},
    {ReasonCode::NoHalfDepth, "no_half_depth"},
    {ReasonCode::DeepestTried, "deepest_tried"},
    {ReasonCode::Repeated, "repeated"},
    {ReasonCode::ClientBusy, "client_busy"},
    {ReasonCode::ClientSteal, "client_steal"},
    {ReasonCode::ClientThrottled, "client_throttled"},
    {ReasonCode::QueueNotFull, "queue_not_full"},
    {ReasonCode::CgroupLimit, "cgroup_limit"},
    {ReasonCode::InstanceCap, "instance_cap"},
    {ReasonCode::PageCacheBelow, "page_cache_below"},
    {ReasonCode::ZeroBlocks, "zero_blocks"},
    {ReasonCode::FewerDeviceBytes, "fewer_device_bytes"},
    {ReasonCode::Foreign, "foreign"},
    {ReasonCode::RequestsSplit, "requests_split"},
    {ReasonCode::LatencyImpossible, "latency_impossible"},
    {ReasonCode::FirstTouch, "first_touch"},
    {ReasonCode::CopyOnWrite, "copy_on_write"},
    {ReasonCode::Plateau, "plateau"},
    {ReasonCode::Step, "step"},
    {ReasonCode::WarmUp, "warm_up"},
    {ReasonCode::BurstEnded, "burst_ended"},
    {ReasonCode::BurstRemaining, "burst_remaining"},
    {ReasonCode::Alternating, "alternating"},
    {ReasonCode::Trend, "trend"},
    {ReasonCode::Stall, "stall"},
    {ReasonCode::SawTooth, "saw_tooth"},
    {ReasonCode::OutlierSeconds, "outlier_seconds"},
    {ReasonCode::Spread, "spread"},
    {ReasonCode::Decline, "decline"},
    {ReasonCode::Availability, "availability"},
    {ReasonCode::NotDemonstrable, "not_demonstrable"},
    {ReasonCode::OverQuota, "over_quota"},
    {ReasonCode::UnitMixUp, "unit_mix_up"},
    {ReasonCode::OtherSize, "other_size"},
    {ReasonCode::OtherProfile, "other_profile"},
    {ReasonCode::SaturationLatency, "saturation_latency"},
    {ReasonCode::Disputed, "disputed"},
}};

std::string_view name_of(ReasonCode code) {
  return reason_names[static_cast<std::size_t>(code)].name;
}

}  // namespace diskaudit
