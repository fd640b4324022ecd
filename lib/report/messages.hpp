#pragma once
/// Everything that reports say to people, in English and Chinese: one row a message.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "judge/judge.hpp"
#include "report/phrase.hpp"

namespace diskaudit {

// clang-format off
enum class Message {
  // The verdict of the whole, in one line.
  AllPass, OnePasses, SomeFail, OneFails, NoVerdict, NothingJudged, MeasuredOnly, InterruptedAfter,
  // Titles of the card and its table.
  Bought, Promised, Source, SourceDated, SourceRead, TestedDisk, Instance, InstanceCap, Note, Next, Units, UnitsMBps, UnitsMiBps,
  Threshold, ThresholdByProfile, ThresholdByUser, ThresholdByDefault,
  Scenario, QuotaColumn, MeasuredColumn, Percent, VerdictColumn, RateColumn, ThroughputColumn,
  MeanLatency, P99Latency,
  // Outcomes, as a table shows them, and in a verdict's first word.
  Pass, Fail, Unclear, NotTested, Over, MoreScenarios, NotReached,
  PassHeadline, FailHeadline, UnclearHeadline, MeasuredHeadline, RefusedHeadline,
  // Why a scenario was not tested.
  ReadOnly, NotPublished, NotAsked,
  // Names of scenarios and ceilings.
  Read, Write, Mixed, Sequential, Random, LatencyOf, Sustained, IopsCeiling, ThroughputCeiling,
  InstanceIopsCeiling, InstanceThroughputCeiling, LatencyCeiling,
  // The disk.
  Serial, TestFileOn, WholeDisk, ReadOnlyTest,
  // What to do next.
  KeepRecord, OverCandidates, GiveProfile, RunAgain, RemoveCause,
  // Further words of the longer formats, and the ticket.
  IntervalColumn, Findings,
  PleaseCheck, ForInformation, ToFillIn, SectionDisk, SectionClaim, SectionResults, SectionMonitor,
  SectionRepeat, SectionEvidence, FieldVolume, FieldRegion, FieldAccount, FieldInstance,
  FieldInstanceType, FieldOrigin, FieldDevice, SizeAndSectors, FieldQueue, FieldPartition, FieldAligned,
  FieldMisaligned, FieldFileSystem, FieldRawDevice, FieldSystem, FieldEngine, FieldCpu, FieldCgroup,
  FieldNone, FieldRecord, FieldGuard, FieldCommand, FieldSpan, ResultLine, DepthLine, LatencyLine,
  WindowLine, NoWholeMinute, MonitorQuery, MoreInRecord, StatedByUser, FieldInstanceCap, FieldStack,
  FieldLocalClock, ClockSynchronised, ClockNotSynchronised, FieldKernelLog, FieldThrottle,
  FieldAttachments, AttachmentsText, FieldRedacted, TargetLine, CpuLine, IostatLine, FioDestroys,
  // The page.
  PageTitle, ClaimTitle, CurveIops, CurveThroughput, CurveLegend, CurvePoint, RateOverTime,
  LatencyOverTime, LegendMeasured, LegendTarget, LegendThreshold, LegendJudged, LegendInterval,
  LegendChange, LegendLatency, LegendHeat, HeatTable, Seconds, RunColumn, RunJudged, RunAttempt,
  RunHalfDepth, RunLatency, RunSecondPass, DepthColumn, SecondsColumn, LongestColumn, ErrorsColumn,
  LimiterTitle, LimiterInflight, LimiterWorker, LimiterSteal, LimiterGap, LimiterDevice, LimiterOwn,
  CountsText, TouchedTitle, TouchedFile, TouchedNothing, TouchedDevice, EnvironmentTitle,
  MethodTitle, MethodText, RepeatTitle, DigestTitle, DigestText, FieldClock, FieldMachine,
  WindowTitle,
  // Comparisons.
  CompareTitle, OtherDisks, Before, After, ChangeColumn, ChangeHigher, ChangeLower, ChangeNone,
  ChangeUnknown, RecordsColumn, Lowest, Highest, SpreadColumn, MeasuredAt, HourOfDay, Count
};
// clang-format on

/// The message's words, its places filled.
template <typename... Args>
std::string say(Message message, Language language, const Args&... args);

std::string_view words(Message message, Language language);

/// What a cause is called in a table, what it tells the user with a remedy, and what it tells the
/// vendor.
struct CauseWords {
  Phrase name;
  Phrase user;
  Phrase vendor;
};
const CauseWords& words_of(Cause cause);

template <typename... Args>
std::string say(Message message, Language language, const Args&... args) {
  return fmt::format(fmt::runtime(words(message, language)), args...);
}

}  // namespace diskaudit
