#pragma once
/// The figures and names of an Audit as people read them, shared by the formats for people.

#include <string>
#include <string_view>
#include <vector>

#include "audit/audit.hpp"
#include "report/messages.hpp"
#include "units.hpp"

namespace diskaudit {

/// Between a title and its text.
std::string_view colon_in(Language language);

/// "random read 4 KiB", "随机读"; what people call a scenario.
std::string label_of(const Scenario& scenario, Language language);

/// The unit in which this audit's vendor states throughput.
RateUnit rate_unit(const Audit& audit);

/// "2600 IOPS", "115 MB/s", "5.2 ms".
std::string figure(Metric metric, double value, RateUnit unit);
std::string latency_text(double microseconds);

/// What was measured in the metric of the scenario: the rate that the verdict is about, where there
/// is one; otherwise that of the whole window.
double measured_value(const ScenarioAudit& scenario);

/// "99.3 %"; never rounded across the threshold.
std::string percent_text(double percent, double min_percent);

/// "69.0–69.6 %"; a dash without an interval.
std::string interval_text(const Verdict& verdict);

/// "pass", "FAIL: below quota", "not tested: read-only test".
std::string verdict_text(const ScenarioAudit& scenario, Language language);

/// "FAIL: below quota; 1800 IOPS / 2600 IOPS = 69.2 %; what to do"
std::string outcome_text(const Audit& audit, const ScenarioAudit& scenario, Language language);

/// "✓", "✗", "?", "–"
std::string_view symbol_of(Outcome outcome);

/// The first words of the whole verdict, and the sentence behind them.
std::string headline_word(const Audit& audit, Language language);
std::string headline_sentence(const Audit& audit, Language language);

/// "Tencent Cloud Premium Cloud Disk, 100 GiB (tencent-standard)"; empty without a profile.
std::string bought_text(const Audit& audit, Language language);

/// The instance type's own caps, as the user stated them; empty without any.
std::string instance_text(const Audit& audit, Language language);

/// "title (dated 2023-07-10, read 2026-11-30)"
std::string source_text(const Source& source, Language language);

/// "vdb, virtio_blk, serial disk-1a2b, 100 GiB: 5 GiB test file on ext4 at /data"
std::string disk_text(const Audit& audit, Language language);

/// What passes and who says so; empty without a profile.
std::string threshold_text(const Audit& audit, Language language);

/// One sentence: what to do now.
std::string next_text(const Audit& audit, Language language);

}  // namespace diskaudit
