#pragma once
/// What a job would be held against if another of the vendor's documents were right.

#include "plan/plan.hpp"

namespace diskaudit {

/// `quota` with the figures that the other document gives; what it leaves out stays.
Quota quota_under(const DisputedQuota& dispute, const Quota& quota);

/// `job` of `plan`, held against the other document's figures.
Job job_under(const DisputedQuota& dispute, const Job& job, const Plan& plan);

}  // namespace diskaudit
