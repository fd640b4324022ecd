#include "audit/audit.hpp"

#include <utility>

#include "audit/steps.hpp"
#include "profile/library.hpp"
#include "support/catch.hpp"
#include "support/made_measurement.hpp"
#include "support/read_verdict.hpp"

using namespace diskaudit;

namespace {

// A disk that answers with the given rates, one a call, each with steady one-second bins. Its queue
// is always full, and half the depth gives the same rate: it is saturated.
Measurement measured(double rate, const Job& job, double seconds = 10) {
  Measurement measurement;
  measurement.iodepth = job.iodepth;
  measurement.seconds = seconds;
  measurement.inflight_mean = job.iodepth;
  const auto per_bin = static_cast<std::uint64_t>(rate / 10);
  for (int bin = 0; bin < seconds * 10; ++bin) {
    Series& series = measurement.all.series;
    series.ios.push_back(per_bin);
    series.bytes.push_back(per_bin * job.scenario.block_size.value);
    series.latency_mean_us.push_back(job.iodepth / rate * 1e6);
    series.latency_max_us.push_back(job.iodepth / rate * 1e6);
    series.errors.push_back(0);
    measurement.all.ios += per_bin;
    measurement.all.bytes += series.bytes.back();
  }
  measurement.all.latency.mean = job.iodepth / rate * 1e6;
  return measurement;
}

Audit audit_of(const std::vector<std::string>& scenarios, double target_iops,
               double runtime_seconds = 10) {
  Audit audit;
  audit.plan.profile = Profile{};
  PlanOptions options{.scenarios = pick_scenarios(scenarios).value(),
                      .runtime_seconds = runtime_seconds};
  const Limits limits{Iops{target_iops}, BytesPerSec{target_iops * 256 * KiB}};
  audit.disk.device.nr_requests = 256;
  audit.disk.device.hardware_queues = 1;
  audit.plan =
      make_plan(Profile{}, {{"gib", 100}}, Quota{.read = limits, .write = limits, .total = limits},
                audit.disk.device, options);
  return audit;
}

// A disk of a shipped profile in one scenario, and what becomes of it at a rate of IOPS; the device
// sees `split` requests for each.
Audit audit_of_profile(const std::string& id, const std::string& scenario, double rate,
                       std::uint64_t split = 1) {
  const Library library{{std::string(SOURCE_FOLDER) + "/profiles"}};
  Audit audit = audit_of({scenario}, 1);
  const Profile profile = find_profile(library, id).value();
  const Inputs inputs = complete_inputs(profile, {{"gib", 100}}).value();
  audit.plan = make_plan(profile, inputs, evaluate(profile, inputs).value(), audit.disk.device,
                         audit.plan.options);
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    Measurement measurement = steady(job.scenario, job.iodepth, rate, job.runtime_seconds);
    measurement.witness.read_ios *= split;
    return measurement;
  };
  REQUIRE(run_audit(audit, hooks));
  conclude(audit);
  return audit;
}

struct Call {
  std::string scenario;
  unsigned iodepth;
  double runtime;
};

}  // namespace

TEST_CASE("a healthy disk passes after one attempt at each scenario") {
  Audit audit = audit_of({"rand-write-4k", "rand-read-4k"}, 2600);
  std::vector<Call> calls;
  std::size_t finished = 0;
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    calls.push_back({job.scenario.name, job.iodepth, job.runtime_seconds});
    return measured(2600, job);
  };
  hooks.finished = [&](const ScenarioAudit&) { ++finished; };
  REQUIRE(run_audit(audit, hooks));
  conclude(audit);
  CHECK(audit.outcome == Outcome::Pass);
  CHECK(exit_code_of(audit) == 0);
  CHECK(finished == 2);
  REQUIRE(calls.size() == 4);
  CHECK(calls[1].scenario == "rand-write-4k");
  CHECK(calls[3].scenario == "rand-read-4k");
  CHECK(audit.scenarios[0].verdict.percent == Approx(100));
}

TEST_CASE("the latency of one request is asked before each scenario, and kept for the judge") {
  Audit audit = audit_of({"rand-write-4k", "latency-read-4k"}, 2600);
  std::vector<Call> calls;
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled& settled) -> Result<Measurement> {
    calls.push_back({job.scenario.name, job.iodepth, job.runtime_seconds});
    if (job.iodepth == 1) CHECK_FALSE(settled(measured(500, job, 120)));
    return measured(2600, job);
  };
  audit.plan.jobs[1].target = audit.plan.jobs[0].target;
  audit.plan.jobs[1].not_tested.clear();
  REQUIRE(run_audit(audit, hooks));
  REQUIRE(calls.size() >= 3);
  CHECK(calls[0].iodepth == 1);
  CHECK(calls[0].runtime == 1);
  CHECK(calls[1].iodepth == 256);
  CHECK(calls[2].scenario == "latency-read-4k");
  const auto& probes = audit.scenarios[0].evidence.probes;
  REQUIRE(probes.size() == 1);
  CHECK(probes[0].purpose == Purpose::Latency);
  CHECK(probes[0].measurement.iodepth == 1);
}

TEST_CASE("the latency probe is short whatever the runtime, and draws blocks of its own") {
  const auto seconds = [](double runtime) {
    Job job;
    job.iodepth = 64;
    job.runtime_seconds = runtime;
    const Job probe = latency_probe_of(job).value();
    CHECK(probe.threads == 1);
    CHECK(probe.seed != job.seed);
    return probe.runtime_seconds;
  };
  CHECK(seconds(0) == 2);
  CHECK(seconds(3600) == 2);
  CHECK(seconds(10) == 1);
  CHECK(seconds(1) == 0.5);
  CHECK_FALSE(latency_probe_of(Job{}));
}

TEST_CASE("trouble in the latency probe ends the scenario and is what is judged") {
  Audit audit = audit_of({"rand-write-4k", "rand-read-4k"}, 2600);
  int calls = 0;
  AuditHooks hooks;
  Measurement trouble;
  SECTION("a request never came back") {
    trouble.hung = true;
    trouble.faults = {{.offset = 4096}};
  }
  SECTION("nothing came back but errors") { trouble.all.errors = 7; }
  SECTION("a signal came") { trouble.interrupted = true; }
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    Measurement measurement = measured(trouble.all.errors > 0 ? 0 : 50, job, 1);
    measurement.all.errors = trouble.all.errors;
    measurement.hung = trouble.hung;
    measurement.interrupted = trouble.interrupted;
    measurement.faults = trouble.faults;
    return ++calls == 1 || trouble.all.errors > 0 ? measurement : measured(2600, job);
  };
  REQUIRE(run_audit(audit, hooks));
  const ScenarioAudit& first = audit.scenarios.at(0);
  REQUIRE(first.evidence.judged);
  CHECK(first.evidence.probes.empty());
  CHECK(first.evidence.judged->all.ios == 0);
  CHECK(first.evidence.judged->faults.size() == trouble.faults.size());
  CHECK(first.verdict.cause == (trouble.interrupted ? Cause::Interrupted : Cause::IoError));
  CHECK(audit.scenarios.size() == (trouble.all.errors > 0 ? 2 : 1));
}

TEST_CASE("a short disk fails only after a half-depth probe and a repetition") {
  Audit audit = audit_of({"rand-read-4k"}, 2600);
  std::vector<Call> calls;
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    calls.push_back({job.scenario.name, job.iodepth, job.runtime_seconds});
    return measured(1800, job);
  };
  REQUIRE(run_audit(audit, hooks));
  conclude(audit);
  CHECK(audit.outcome == Outcome::Fail);
  CHECK(audit.cause == Cause::BelowQuota);
  CHECK(exit_code_of(audit) == 1);
  CHECK(audit.scenarios[0].evidence.attempts.size() == 1);
  CHECK(audit.scenarios[0].evidence.probes.size() >= 1);
  bool halved = false;
  for (const Call& call : calls) halved = halved || call.iodepth == 128;
  CHECK(halved);
}

TEST_CASE("gp2 at 100 GiB owes 75 MiB/s: 300 IOPS of 256 KiB") {
  const double owed = 0.9 * 75 * MiB;
  const auto verdict_at = [](double mib_s, std::uint64_t split) {
    return audit_of_profile("aws-gp2", "seq-read-256k", mib_s * 4, split).scenarios[0].verdict;
  };
  const Verdict whole = verdict_at(75, 1);
  CHECK(whole.outcome == Outcome::Pass);
  CHECK(whole.bound_by == "iops");
  CHECK(*whole.percent == Approx(100 * 75 / 128.0).margin(0.1));
  CHECK(figure(whole, ReasonCode::ThresholdByIops, "value") == Approx(owed));
  CHECK(verdict_at(60, 1).outcome == Outcome::Fail);
  // Where the kernel splits them, each half is an I/O of its own.
  const Verdict halves = verdict_at(37.5, 2);
  CHECK(halves.outcome == Outcome::Pass);
  CHECK(figure(halves, ReasonCode::ThresholdByIops, "value") == Approx(owed / 2));
  CHECK(verdict_at(30, 2).outcome == Outcome::Fail);
}

TEST_CASE("a verdict that hangs on which of the vendor's documents is right says so") {
  // 115 MB/s by the type table, 115 MiB/s = 120.6 MB/s by another page.
  const auto at_percent = [](double percent) {
    const double rate = percent / 100 * 115e6 / (256 * KiB);
    return audit_of_profile("tencent-standard", "seq-read-256k", rate);
  };
  Audit audit = at_percent(92);
  const Verdict& verdict = audit.scenarios[0].verdict;
  CHECK(verdict.outcome == Outcome::Pass);
  CHECK(figure(verdict, ReasonCode::Disputed, "target") == Approx(115.0 * MiB));
  CHECK(figure(verdict, ReasonCode::Disputed, "percent") == Approx(92 / 1.048576).margin(0.1));
  CHECK(find(verdict, ReasonCode::Disputed)->subject == "ModifyDiskExtraPerformance API");
  const std::size_t reasons = verdict.reasons.size();
  judge_again(audit);
  CHECK(audit.scenarios[0].verdict.reasons.size() == reasons);
  for (const double percent : {99.0, 70.0}) {
    CHECK_FALSE(find(at_percent(percent).scenarios[0].verdict, ReasonCode::Disputed));
  }
  // By the fixed caps it fails, by the formula below them it is what was bought.
  const Audit classic = audit_of_profile("huawei-ssd", "rand-read-4k", 5100);
  CHECK(classic.outcome == Outcome::Fail);
  CHECK(figure(classic.scenarios[0].verdict, ReasonCode::Disputed, "percent") ==
        Approx(100).margin(0.1));
}

TEST_CASE("an attempt ends when the judge is settled, a probe runs its time") {
  Audit audit = audit_of({"rand-read-4k"}, 2600, 0);
  audit.plan.jobs[0].runtime_seconds = 0;
  std::vector<std::pair<unsigned, bool>> settled_at_30;
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled& settled) -> Result<Measurement> {
    settled_at_30.emplace_back(job.iodepth, settled(measured(1800, job, 30)));
    return measured(1800, job, job.runtime_seconds > 0 ? job.runtime_seconds : 30);
  };
  REQUIRE(run_audit(audit, hooks));
  REQUIRE(settled_at_30.size() >= 2);
  for (const auto& [iodepth, settled] : settled_at_30) {
    INFO("iodepth " << iodepth);
    CHECK(settled == (iodepth == 256));
  }
}

TEST_CASE("a signal ends the audit after the scenario that it interrupted") {
  Audit audit = audit_of({"rand-write-4k", "rand-read-4k"}, 2600);
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    Measurement partial = measured(2600, job, 3);
    partial.interrupted = job.iodepth > 1;
    return partial;
  };
  REQUIRE(run_audit(audit, hooks));
  audit.signal = 15;
  conclude(audit);
  CHECK(audit.scenarios.size() == 1);
  CHECK(audit.outcome == Outcome::Inconclusive);
  CHECK(audit.cause == Cause::Interrupted);
  CHECK(exit_code_of(audit) == 143);
}

TEST_CASE("a job that cannot run ends the audit with its error, and what was measured stays") {
  Audit audit = audit_of({"rand-write-4k", "rand-read-4k"}, 2600);
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
    if (job.scenario.direction == Direction::Read) return refusal("cannot read: device is gone");
    return measured(2600, job);
  };
  const auto result = run_audit(audit, hooks);
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "cannot read: device is gone");
  conclude(audit);
  REQUIRE(audit.scenarios.size() == 1);
  CHECK(audit.scenarios[0].verdict.outcome == Outcome::Pass);
  CHECK(audit.outcome == Outcome::Inconclusive);
}

TEST_CASE("the audit's outcome is fail before inconclusive before pass") {
  const auto with = [](std::vector<Outcome> outcomes) {
    Audit audit = audit_of({}, 2600);
    for (const Outcome outcome : outcomes) {
      ScenarioAudit scenario;
      scenario.verdict.outcome = outcome;
      if (outcome == Outcome::Fail) scenario.verdict.cause = Cause::BelowQuota;
      if (outcome == Outcome::Inconclusive) scenario.verdict.cause = Cause::Borderline;
      audit.scenarios.push_back(scenario);
      audit.plan.jobs.emplace_back();
    }
    conclude(audit);
    return std::pair(audit.outcome, exit_code_of(audit));
  };
  using enum Outcome;
  CHECK(with({Pass, Inconclusive, Fail, Pass}) == std::pair(Fail, 1));
  CHECK(with({Pass, Inconclusive, Pass}) == std::pair(Inconclusive, 3));
  CHECK(with({Pass, NotTested}) == std::pair(Pass, 0));
  CHECK(with({NotTested, NotTested}) == std::pair(Inconclusive, 3));
  CHECK(with({}) == std::pair(Inconclusive, 3));
}

TEST_CASE("an audit that did not get through its plan never passes") {
  Audit audit = audit_of({"rand-write-4k", "rand-read-4k"}, 2600);
  ScenarioAudit scenario;
  scenario.verdict.outcome = Outcome::Pass;
  audit.scenarios.push_back(scenario);
  conclude(audit);
  CHECK(audit.outcome == Outcome::Inconclusive);
  CHECK(audit.cause == Cause::Interrupted);
}

TEST_CASE("a measurement without a profile has no verdict and ends with 0") {
  Audit audit;
  audit.scenarios.emplace_back();
  conclude(audit);
  CHECK(audit.outcome == Outcome::NotTested);
  CHECK(exit_code_of(audit) == 0);
}

TEST_CASE("a declared burst is judged by the credits that earlier scenarios have left") {
  Audit audit = audit_of({"rand-write-4k", "rand-read-4k"}, 300);
  // 15 s of ramp and window draw 2700 a second: 40500 of each.
  const auto outcomes = [&](double bucket) {
    audit.plan.quota->iops_burst = Burst{.rate = 3000, .bucket = bucket, .refill = 300};
    audit.scenarios.clear();
    AuditHooks hooks;
    hooks.run_job = [&](const Job& job, const Settled&) -> Result<Measurement> {
      return measured(3000, job);
    };
    REQUIRE(run_audit(audit, hooks));
    std::vector<std::optional<Cause>> causes;
    for (const ScenarioAudit& scenario : audit.scenarios) causes.push_back(scenario.verdict.cause);
    const Audit before = audit;
    judge_again(audit);
    for (std::size_t i = 0; i < causes.size(); ++i) {
      CHECK(audit.scenarios[i].verdict.cause == causes[i]);
    }
    return causes;
  };
  using Causes = std::vector<std::optional<Cause>>;
  CHECK(outcomes(1e6) == Causes{Cause::BurstOnly, Cause::BurstOnly});
  CHECK(outcomes(70e3) == Causes{Cause::BurstOnly, std::nullopt});
  CHECK(outcomes(30e3) == Causes{std::nullopt, std::nullopt});
  // Filling wrote 256 MiB by 4 KiB in 10 s: 65536 I/Os, of which the refill brings 3000 back.
  audit.filling = Filling{{256 * MiB}, {4 * KiB}, 10, 0};
  CHECK(outcomes(160e3) == Causes{Cause::BurstOnly, std::nullopt});
  CHECK(outcomes(70e3) == Causes{std::nullopt, std::nullopt});
}

TEST_CASE("rates that fit another size are a hint, unless something else held them down") {
  Audit audit = audit_of({"seq-read-256k", "rand-read-4k"}, 2600);
  const auto profile = parse_profile(R"(id: own-disk
vendor: {en: Own}
name: {en: Disk}
capacity: {min: 10, max: 1000}
quota: {iops: 10*gib, throughput: {value: gib, unit: MB/s}}
sources: [{title: T, url: https://example.com, dated: 2020-01-01, read: 2026-11-30}]
published: [{gib: 10, iops: 100, throughput: 10}, {gib: 1000, iops: 10000, throughput: 1000}]
)",
                                     "own.yaml");
  REQUIRE(profile);
  audit.plan.profile = *profile;
  for (const auto& [name, percent] : {std::pair("seq-read-256k", 60.0), {"rand-read-4k", 60.0}}) {
    ScenarioAudit scenario{
        .job = {.scenario = pick_scenarios(std::vector<std::string>{name})->front()}};
    const bool in_bytes = scenario.job.scenario.metric == Metric::BytesPerSecond;
    scenario.job.target = Target{scenario.job.scenario.metric, in_bytes ? 100e6 : 1000, "x"};
    scenario.verdict = {.outcome = Outcome::Fail, .cause = Cause::BelowQuota, .percent = percent};
    audit.scenarios.push_back(scenario);
  }
  conclude(audit);
  REQUIRE(audit.hints.size() == 1);
  CHECK(audit.hints[0].code == ReasonCode::OtherSize);
  CHECK(audit.hints[0].values[0].second == Approx(60).margin(1));
  audit.scenarios[0].verdict = {
      .outcome = Outcome::Inconclusive, .cause = Cause::ClientLimited, .percent = 60};
  conclude(audit);
  CHECK(audit.hints.empty());
}
