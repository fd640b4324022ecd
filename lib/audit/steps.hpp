#pragma once
/// What one step of a scenario asks of the runner.

#include <optional>

#include "judge/judge.hpp"
#include "plan/plan.hpp"

namespace diskaudit {

/// How long a step goes before its window begins.
double ramp_of(const Job& job, Purpose purpose);

/// The job as the step wants it: other depth, and for a probe a short, fixed window.
Job job_for(const NextStep& step, const Job& job);

/// The probe that goes before a scenario: one request outstanding, for a moment; none where that is
/// the scenario itself.
std::optional<Job> latency_probe_of(const Job& job);

}  // namespace diskaudit
