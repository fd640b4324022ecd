// The ticket: what a vendor's support asks for is there or named as to be filled in, in a form
// that takes 8000 characters at most.

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "report/iostat.hpp"
#include "report/report.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

constexpr ReportStyle english{.language_asked = true};
constexpr ReportStyle chinese{.language = Language::Chinese, .language_asked = true};

/// With what the kernel counted in the ramp, the window and after it.
Audit with_kernel_counts(Audit audit) {
  for (ScenarioAudit& scenario : audit.scenarios) {
    Witness& witness = scenario.evidence.judged->witness;
    witness.inflight_mean = scenario.job.iodepth - 0.5;
    witness.busy_share = 0.998;
    witness.log = {.at_seconds = {-5, -2.5, 0, 15, 30, 31},
                   .ios = {0, 4000, 8000, 35000, 62000, 62010},
                   .bytes = {0, 16'384'000, 32'768'000, 143'360'000, 253'952'000, 253'992'960},
                   .inflight = {0, 256, 256, 255, 256, 0}};
  }
  return audit;
}

std::string ticket(const Audit& audit, const ReportStyle& style = {}) {
  return (*find_format("ticket"))->render(audit, style);
}

std::ptrdiff_t characters(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

/// The value of "- title: value"; a title that is missing is an error.
std::string field(const std::string& text, const std::string& title) {
  const std::string begin = "\n- " + title + ": ";
  const std::size_t at = text.find(begin);
  INFO(title);
  REQUIRE(at != std::string::npos);
  const std::size_t from = at + begin.size();
  return text.substr(from, text.find('\n', from) - from);
}

constexpr const char* to_fill_in = "(to be filled in)";

/// Everything as long as it can become: every scenario failed, with every cause for doubt.
Audit worst_audit() {
  std::vector<Came> came;
  for (const Scenario& scenario : all_scenarios()) {
    came.push_back({scenario.name, 1000, Outcome::Fail, Cause::LatencyAboveRange});
  }
  Audit audit = with_kernel_counts(audit_of(came));
  for (ScenarioAudit& scenario : audit.scenarios) {
    for (const ReasonName& row : reason_names)
      scenario.verdict.reasons.push_back({row.code, {}, ""});
  }
  const std::string longest(400, 'n');
  audit.notes.assign(40, longest);
  audit.guard.assign(15, {.name = "mounts", .finding = longest});
  audit.command_line.assign(30, longest);
  audit.disk.mount_options = longest;
  audit.disk.device.lower.assign(10, longest);
  audit.environment.cpu_model = longest;
  audit.plan.quota->explain.assign(4, longest);
  audit.plan.profile->sources.assign(4, {.title = longest, .url = longest});
  return audit;
}

}  // namespace

TEST_CASE("a ticket speaks its vendor's language unless another is asked for") {
  const std::string own = ticket(with_kernel_counts(failing_audit()));
  check_golden("ticket.zh.txt", own);
  CHECK(own.starts_with("不达标"));
  const std::string asked = ticket(with_kernel_counts(failing_audit()), english);
  check_golden("ticket.txt", asked);
  CHECK(asked.starts_with("FAIL"));
  CHECK(asked.find("whole minute") != std::string::npos);
}

TEST_CASE("each field that a vendor's support asks for is there, or named as to be filled in") {
  Audit audit = with_kernel_counts(failing_audit());
  audit.command_line = {"diskaudit", "--profile", "x.yaml", "--log", "it's here"};
  const std::string text = ticket(audit, english);
  for (const char* unknown :
       {"Account", "Region and zone", "Instance ID", "Instance type",
        "Disk cap of the instance type", "Encrypted / multi-attach / from a snapshot",
        "Kernel messages about the device (dmesg)"}) {
    CHECK(field(text, unknown) == to_fill_in);
  }
  CHECK(field(text, "Volume ID or serial") == "disk-1a2b3c4d");
  CHECK(field(text, "Device").starts_with("/dev/vdb (254:16), virtio-disk-1a2b3c4d, virtio_blk"));
  CHECK(field(text, "Queue").ends_with("write_cache='write back' wbt_lat_usec=0 io_timeout=30000"));
  CHECK(field(text, "Local time") == "UTC+08:00, Asia/Shanghai, clock synchronised");
  CHECK(field(text, "Command line") == "diskaudit --profile x.yaml --log 'it'\\''s here'");
  CHECK(field(text, "Record").find("diskaudit/record/1") != std::string::npos);
  CHECK(field(text, "Redacted") == "none");
  CHECK(text.find("target set by the IOPS quota; measured 1800 IOPS, 7.4 MB/s\n") != text.npos);
  CHECK(text.find("iowait 0 %, steal 0.1 %") != text.npos);
  CHECK(text.find("iostat -dx (r/s / rkB/s / rareq-sz / aqu-sz / %util): 1799.9 / 7200 / 4 / 255.5 "
                  "/ 99.8; in the ramp 1600 / 6400 / 4 / 256; afterwards 10 / 40 / 4 / 0\n") !=
        text.npos);
}

TEST_CASE("a ticket names what is not known of the clock and the instance, and what is") {
  Audit audit = failing_audit();
  audit.environment.local_clock.reset();
  CHECK(field(ticket(audit, english), "Local time") == to_fill_in);
  audit.environment.local_clock = LocalClock{"", -12600, false};
  CHECK(field(ticket(audit, english), "Local time") ==
        "UTC-03:30, (to be filled in), clock NOT synchronised");
  audit.plan.options.instance.iops = Iops{20000};
  CHECK(field(ticket(audit, english), "Disk cap of the instance type").find("20000 IOPS") == 10);
  audit.disk.device.lower = {"vdb", "vdc"};
  CHECK(field(ticket(audit, english), "LVM, RAID or dm on") == "vdb, vdc");
}

TEST_CASE("iostat's columns need a log that adds up, and looks half a second apart") {
  Measurement m = *with_kernel_counts(failing_audit()).scenarios.back().evidence.judged;
  const Witness witness = m.witness;
  CHECK(iostat_columns(Direction::Mixed, m)->names.starts_with("(r+w)/s"));
  m.witness.log.at_seconds = {-0.2, 0, 15, 30, 30.1, 30.2};
  CHECK_FALSE(iostat_columns(Direction::Read, m)->before);
  CHECK_FALSE(iostat_columns(Direction::Read, m)->after);
  m.witness.log = witness.log;
  m.witness.log.ios.pop_back();
  CHECK_FALSE(iostat_columns(Direction::Read, m)->before);
  m.witness.log = witness.log;
  std::ranges::reverse(m.witness.log.bytes);
  CHECK_FALSE(iostat_columns(Direction::Read, m)->after);
  m.witness.log = {};
  CHECK(iostat_columns(Direction::Read, m)->during == "1799.9 / 7200 / 4 / 255.5 / 99.8");
  m.witness.known = false;
  CHECK_FALSE(iostat_columns(Direction::Read, m));
}

TEST_CASE("the fio command of a ticket is one that fio takes, with a job for each scenario") {
  Audit audit = failing_audit();
  audit.disk.path = "/data/it's $HOME";
  const std::string text = ticket(audit, english);
  const std::size_t from = text.find("\nfio --") + 1;
  std::string command = text.substr(from, text.find("\n\n", from) - from);
  CHECK(command.find("--filename='/data/it'\\''s $HOME/diskaudit-fio.tmp'") != command.npos);
  std::size_t jobs = 0;
  for (std::size_t at = 0; (at = command.find(" --name=", at)) != command.npos; ++at) ++jobs;
  CHECK(jobs == 4);
  if (std::system("command -v fio >/dev/null") != 0) skip("fio is not installed");
  // Behind a job's name the option would be the job's.
  command.replace(0, 3, "fio --parse-only");
  const Finished result = run({"sh", "-c", command});
  INFO(command << "\n" << result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a ticket to a vendor elsewhere is in English, and asks for the volume by its own ID") {
  Audit audit = failing_audit();
  audit.plan.profile->id = "aws-gp3";
  audit.disk.device.serial = "vol0123456789abcdef0";
  audit.disk.device.model = "Amazon Elastic Block Store";
  const std::string text = ticket(audit);
  CHECK(text.starts_with("FAIL"));
  CHECK(text.find("Volume ID or serial: vol-0123456789abcdef0") != std::string::npos);
  audit.plan.profile->id = "alibaba-essd-pl1";
  audit.disk.device.serial = "bp1abcdefghijklmnopq";
  audit.disk.device.model = "";
  CHECK(ticket(audit).find("DiskId=d-bp1abcdefghijklmnopq ") != std::string::npos);
}

TEST_CASE("a ticket names the whole minutes that a monitor can show") {
  Audit audit = failing_audit();
  audit.scenarios[3].evidence.judged->started = "2026-11-30T12:00:30.500Z";
  audit.scenarios[3].evidence.judged->ended = "2026-11-30T12:03:29.000Z";
  const std::string text = ticket(audit, english);
  CHECK(text.find("whole minutes 2026-11-30T12:01:00Z to 2026-11-30T12:03:00Z") !=
        std::string::npos);
}

TEST_CASE("the worst ticket has at most 7500 characters, and all sections and fields") {
  for (const ReportStyle& style : {english, chinese}) {
    const std::string text = ticket(worst_audit(), style);
    INFO(text);
    CHECK(characters(text) <= 7500);
    for (const char section : {'1', '2', '3', '4', '6'}) {
      CHECK(text.find(std::string("\n") + section + ". ") != std::string::npos);
    }
    CHECK(text.find(style.language == Language::Chinese ? "- 已隐去" : "- Redacted") != text.npos);
    CHECK(text.ends_with(style.language == Language::Chinese ? "其余见记录）\n" : "the record)\n"));
  }
  Audit endless = worst_audit();
  for (int i = 0; i < 100; ++i) endless.scenarios.push_back(endless.scenarios[0]);
  CHECK(characters(ticket(endless, chinese)) <= 7500);
  CHECK(sanitised(ticket(endless, chinese), 1 << 20).find("\xEF\xBF\xBD") == std::string::npos);
}
