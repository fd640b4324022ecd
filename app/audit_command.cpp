#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "clock.hpp"
#include "commands.hpp"
#include "device/inspect.hpp"
#include "dry_run.hpp"
#include "files.hpp"
#include "filling.hpp"
#include "keep.hpp"
#include "log.hpp"
#include "output.hpp"
#include "plan/burst.hpp"
#include "privileges.hpp"
#include "progress.hpp"
#include "request.hpp"
#include "runner/answers.hpp"
#include "runner/disk_claim.hpp"
#include "signals.hpp"
#include "stdout.hpp"
#include "target.hpp"
#include "version.hpp"

namespace diskaudit {
namespace {

// The larger of 10 % of the file system and 2 GiB stays free.
Bytes default_reserve(const Disk& disk) { return {std::max(disk.total.value / 10, 2 * GiB)}; }

Result<Quota> quota_for(const Profile& profile, const Request& request, Audit& audit) {
  const Bytes size = request.size.value_or(audit.disk.device.size);
  const double gib = static_cast<double>(size.value) / static_cast<double>(GiB);
  if (!request.size) {
    audit.notes.push_back(
        fmt::format("size not given; the device's own {} was taken", format_size(size)));
  } else if (audit.disk.kind == DiskKind::BlockDevice && size != audit.disk.device.size) {
    audit.notes.push_back(fmt::format("the quota is that of {}, as said; the device has {}",
                                      format_size(size), format_size(audit.disk.device.size)));
  }
  auto inputs = read_inputs(profile, gib, request.inputs);
  if (!inputs) return std::unexpected(inputs.error());
  audit.plan.inputs = std::move(*inputs);
  return evaluate(profile, audit.plan.inputs);
}

void note_capped_depth(Audit& audit) {
  for (const Job& job : audit.plan.jobs) {
    const unsigned wanted = audit.plan.options.iodepth.value_or(job.scenario.iodepth);
    if (!job.not_tested.empty() || job.iodepth >= wanted) continue;
    audit.notes.push_back(
        fmt::format("{}: iodepth {} instead of {}: the device's queue holds no more",
                    job.scenario.name, job.iodepth, wanted));
  }
}

// A window shorter than a declared burst shows the burst alone, and a longer one takes its time.
void note_bursts(Audit& audit) {
  const std::vector<double> forecast = burst_forecast(audit.plan);
  for (std::size_t i = 0; i < forecast.size(); ++i) {
    const Job& job = audit.plan.jobs[i];
    if (forecast[i] <= 0) continue;
    if (audit.plan.options.until_baseline) {
      audit.notes.push_back(
          fmt::format("{}: measured for {:.0f} s, until after the declared burst of {:.0f} s",
                      job.scenario.name, job.runtime_seconds, forecast[i]));
      log_notice(audit.notes.back());
    } else if (forecast[i] > job.ramp_seconds + usual_seconds(job)) {
      audit.notes.push_back(
          fmt::format("{}: the declared burst lasts up to {:.0f} s, longer than the window; "
                      "--until-baseline measures until after it",
                      job.scenario.name, forecast[i]));
    }
  }
}

// A sustained write over a few blocks stays where a disk is fast.
void note_small_span(Audit& audit) {
  for (const Job& job : audit.plan.jobs) {
    const Bytes least = job.scenario.min_span;
    if (!job.not_tested.empty() || audit.span >= least) continue;
    audit.notes.push_back(
        fmt::format("{}: spread over {} instead of at least {}: a decline may not show",
                    job.scenario.name, format_size(audit.span), format_size(least)));
  }
}

// Everything that is known before the first byte is written or measured.
Result<void> prepare(Audit& audit, Request& request, const Options& options) {
  audit.id = new_uuid();
  audit.tool_version = version;
  audit.tool_commit = commit;
  audit.started = utc_now();
  audit.command_line = options.command_line;
  audit.disk.path = options.disk;
  const SystemRoot root;
  auto disk = inspect_disk(root, options.disk);
  if (!disk) return std::unexpected(disk.error());
  audit.disk = std::move(*disk);
  audit.environment = inspect_environment(root, audit.disk.device);
  request.plan.cpus = audit.environment.cpus;
  std::optional<Quota> quota;
  if (request.profile) {
    if (auto fits = check_cloud(audit, *request.profile); !fits) {
      return std::unexpected(fits.error());
    }
    auto evaluated = quota_for(*request.profile, request, audit);
    if (!evaluated) return std::unexpected(evaluated.error());
    quota = std::move(*evaluated);
  }
  audit.plan = make_plan(request.profile, audit.plan.inputs, std::move(quota), audit.disk.device,
                         request.plan);
  audit.plan.alternatives = find_alternatives(audit.plan);
  note_capped_depth(audit);
  note_bursts(audit);
  request.file.reserve = request.reserve.value_or(default_reserve(audit.disk));
  return {};
}

// The record as it would be if this were the end: kept after each scenario, so that not even a kill
// loses what was already measured.
Result<void> keep_so_far(const Audit& audit, Keeper& keeper) {
  Audit so_far = audit;
  so_far.ended = utc_now();
  so_far.signal = SIGKILL;
  conclude(so_far);
  return keeper.keep(so_far);
}

Result<void> measure_all(Audit& audit, const TestArea& area, const Request& request,
                         Progress& progress, Keeper& keeper) {
  RunnerOptions runner{.engine = request.engine,
                       .root = {},
                       .device = audit.disk.device,
                       .signal = &received_signal};
  Result<void> kept;
  AuditHooks hooks;
  hooks.run_job = [&](const Job& job, const Settled& settled) {
    return run_job(area, job, runner, [&](const Measurement& so_far) {
      progress.measuring(job, so_far);
      return settled(so_far);
    });
  };
  hooks.starting = [&](const Job& job) { progress.starting(job); };
  hooks.finished = [&](const ScenarioAudit& scenario) {
    progress.finished(scenario, audit.plan.quota ? audit.plan.quota->unit : RateUnit::MBps);
    if (kept) kept = keep_so_far(audit, keeper);
  };
  if (auto measured = run_audit(audit, hooks); !measured) return measured;
  return kept;
}

std::vector<std::filesystem::path> folders_to_write(const Request& request, const Keeper& keeper) {
  std::vector<std::filesystem::path> folders;
  for (const Output& output : request.outputs.files) folders.push_back(folder_of(output.file));
  if (!keeper.folder().empty()) folders.push_back(keeper.folder());
  return folders;
}

// A dry run writes nothing, not even one block.
Result<void> answers_in_time(const Audit& audit, const Options& options) {
  if (options.dry_run && audit.disk.kind == DiskKind::File) return {};
  return wait_for_answer(audit.disk, [] { return received_signal != 0; });
}

Result<int> run_prepared(Audit& audit, const Request& request, const Options& options,
                         Keeper& keeper) {
  const auto claim = claim_disk(audit.disk.device);
  if (!claim) return std::unexpected(claim.error());
  const auto answers = answers_in_time(audit, options);
  if (!answers) return std::unexpected(answers.error());
  if (received_signal != 0) return 128 + received_signal;
  auto area = open_target(audit, request, options);
  if (!area && received_signal != 0) return 128 + received_signal;
  if (!area) {
    // What the guard found is worth reading above all when it refuses.
    if (options.dry_run && !audit.guard.empty())
      print_to_stdout(describe_dry_run(audit, language_for(options.lang)));
    return std::unexpected(area.error());
  }
  audit.span = area->size();
  if (audit.span < request.file.size && audit.disk.kind == DiskKind::File) {
    audit.notes.push_back(fmt::format("test file of {} instead of {}: a reserve of {} stays free",
                                      format_size(audit.span), format_size(request.file.size),
                                      format_size(request.file.reserve)));
  }
  note_small_span(audit);
  if (options.dry_run) {
    const auto printed = print_to_stdout(describe_dry_run(audit, language_for(options.lang)));
    return printed ? Result<int>(0) : std::unexpected(printed.error());
  }
  announce_destruction(audit);
  Progress progress(options.quiet, seconds_needed(audit));
  drop_privileges(folders_to_write(request, keeper));
  look_for_data(audit, *area);
  auto measured = fill_area(audit, *area, progress);
  if (measured && received_signal == 0) {
    measured = measure_all(audit, *area, request, progress, keeper);
  }
  if (!measured && audit.scenarios.empty()) return std::unexpected(measured.error());
  if (received_signal != 0) audit.signal = received_signal;
  audit.ended = utc_now();
  conclude(audit);
  const auto kept = keeper.keep(audit);
  const auto shown = show(audit, request.outputs);
  keeper.say_where();
  for (const auto& result : {measured, kept, shown}) {
    if (!result) return std::unexpected(result.error());
  }
  return exit_code_with(request.outputs, audit, exit_code_of(audit));
}

// What it would have been held against, where the disk was not even looked at.
void add_claim(Audit& audit, const Request& request) {
  if (audit.plan.profile || !request.profile || !request.size) return;
  auto quota = quota_for(*request.profile, request, audit);
  if (!quota) return;
  audit.plan.profile = request.profile;
  audit.plan.quota = std::move(*quota);
}

// A pipeline shows a refused audit as well, so it is reported where a measured one would be.
Error reported(const Error& error, Audit& audit, const Request& request, const Options& options) {
  const bool begun = !audit.scenarios.empty();
  if (error.code != ExitCode::Refused || begun || options.dry_run) return error;
  audit.refused = error.message;
  add_claim(audit, request);
  audit.ended = utc_now();
  conclude(audit);
  if (const auto shown = show_in_files(audit, request.outputs); !shown) {
    log_warning(shown.error().message);
  }
  return error;
}

}  // namespace

Result<int> run_audit_command(const Options& options) {
  auto request = make_request(options);
  if (!request) return std::unexpected(request.error());
  Audit audit;
  const auto refuse = [&](const Error& error) {
    return std::unexpected(reported(error, audit, *request, options));
  };
  if (auto prepared = prepare(audit, *request, options); !prepared) return refuse(prepared.error());
  auto keeper = Keeper::open(options.no_save || options.dry_run, audit);
  if (!keeper) return refuse(keeper.error());
  auto code = run_prepared(audit, *request, options, *keeper);
  if (!code) return refuse(code.error());
  return code;
}

}  // namespace diskaudit
