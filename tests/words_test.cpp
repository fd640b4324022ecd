// Chinese for those who read it: whatever an audit comes to, no English is left in a report but
// names, units and commands.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include "report/compare.hpp"
#include "report/note_words.hpp"
#include "report/reason_words.hpp"
#include "report/report.hpp"
#include "report/sentence_rows.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

constexpr ReportStyle chinese{.language = Language::Chinese, .language_asked = true};

// What stays as it is: commands to type, a document's title, names of machines.
const std::regex not_words(
    R"(diskaudit (report|judge|verify|measure|bundle)( RECORD)?( --\w+ \w+)*)"
    R"(|Cloud disk types|Debian GNU/Linux|Tencent Cloud|fio --[^\n<]*|(wipefs|pvremove|mdadm) [^\n]*|QCE/[^\n]*)");

/// The first run of three English words; empty where there is none.
std::string english_in(const std::string& text) {
  static const std::regex run(R"(\b[A-Za-z]{2,}[,;:]? [A-Za-z]+[,;:]? [A-Za-z]+\b)");
  const std::string rest = std::regex_replace(text, not_words, "…");
  std::smatch found;
  return std::regex_search(rest, found, run) ? found.str() : "";
}

/// The page without its English half, and without what says both side by side.
std::string chinese_half(std::string page) {
  for (const char* part : {R"(<style>[^]*?</style>)", R"(<(\w+) class="en" lang="en">[^]*?</\1>)",
                           R"(<label [^>]*>English</label>)", R"(<title[^>]*>[^]*?</title>)",
                           R"(<desc[^>]*>[^]*?</desc>)", R"(<[^>]*>)"}) {
    page = std::regex_replace(page, std::regex(part), "|");
  }
  return page;
}

void check_words(const Audit& audit) {
  for (const ReportFormat& format : report_formats()) {
    const std::string_view name = format.name;
    const bool is_read = name == "text" || name == "markdown" || name == "html" ||
                         name == "junit" || name == "nagios" || name == "github" ||
                         name == "ticket";
    if (!is_read) continue;
    const std::string text = format.render(audit, chinese);
    INFO("format " << name << "\n" << (name == "html" ? "" : text));
    CHECK(english_in(name == "html" ? chinese_half(text) : text) == "");
  }
}

/// A row's English as the program might have worded it.
std::string instance_of(const SentenceRow& row) {
  std::string text(row.phrase.en);
  for (int place = 0; place < most_places; ++place) {
    const std::string at = "{" + std::to_string(place) + "}";
    const bool inner = (row.inner >> place & 1) != 0;
    if (const std::size_t found = text.find(at); found != std::string::npos) {
      text.replace(found, at.size(), inner ? "start again" : "vd" + std::to_string(place));
    }
  }
  return text;
}

std::vector<SentenceRow> all_rows() {
  std::vector<SentenceRow> all;
  for (const auto& rows : {note_rows(), guard_rows(), refusal_rows(), system_rows()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

/// A reason with every figure that any reason speaks of.
Reason reason_of(ReasonCode code) {
  Reason reason{.code = code, .subject = "tencent-ssd"};
  for (const char* name :
       {"value",  "target",      "percent", "iops",     "request_bytes", "seconds",    "errors",
        "faults", "gap_seconds", "iodepth", "ratio",    "max_iodepth",   "share",      "inflight",
        "limit",  "cap",         "own",     "device",   "latency_us",    "implied_us", "first",
        "second", "begin",       "end",     "at",       "before",        "after",      "burst",
        "level",  "bucket",      "low",     "high",     "period",        "swing",      "count",
        "worst",  "last",        "proven",  "promised", "longest",       "needed",     "gib"}) {
    reason.values.emplace_back(name, 7);
  }
  return reason;
}

std::vector<Reason> all_reasons() {
  std::vector<Reason> reasons;
  for (const ReasonName& row : reason_names) reasons.push_back(reason_of(row.code));
  return reasons;
}

/// String literals of a source file, those side by side as one.
std::vector<std::string> literals_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string source{std::istreambuf_iterator<char>(in), {}};
  source = std::regex_replace(source, std::regex(R"((^|\n)\s*(//|#)[^\n]*)"), "\n");
  source = std::regex_replace(source, std::regex(R"(  //[^\n]*)"), "");
  source = std::regex_replace(source, std::regex(R"re("\s*\n\s*")re"), "");
  std::vector<std::string> literals;
  const std::regex literal(R"re("((?:[^"\\\n]|\\.)*)")re");
  for (std::sregex_iterator at(source.begin(), source.end(), literal), end; at != end; ++at) {
    literals.push_back(std::regex_replace((*at)[1].str(), std::regex(R"re(\\")re"), "\""));
  }
  return literals;
}

/// Whether some row says the fixed words of `piece`, which has {} where a row has {0}.
bool is_worded(std::string piece) {
  static const std::regex special(R"([.^$|()\[\]*+?\\])");
  piece = std::regex_replace(piece, special, R"(\$&)");
  const std::regex pattern(std::regex_replace(piece, std::regex(R"(\{[^}]*\})"), ".*"));
  return std::ranges::any_of(all_rows(), [&](const SentenceRow& row) {
    return std::regex_search(std::string(row.phrase.en), pattern);
  });
}

}  // namespace

TEST_CASE("whatever the outcome and its cause, a Chinese report has no English sentence") {
  for (int cause = 0; cause <= static_cast<int>(Cause::Interrupted); ++cause) {
    for (const Outcome outcome : {Outcome::Fail, Outcome::Inconclusive}) {
      Audit audit = audit_of({{"rand-read-4k", 2000, outcome, static_cast<Cause>(cause)},
                              {"seq-write-256k", 115e6, Outcome::Pass}});
      audit.scenarios.front().verdict.reasons = all_reasons();
      audit.scenarios.back().verdict.reasons = all_reasons();
      audit.scenarios.back().verdict.flags = {"over", "unstable"};
      audit.hints = all_reasons();
      check_words(audit);
    }
  }
}

TEST_CASE("in every suite, with and without a profile, a Chinese report has no English sentence") {
  for (const bool with_profile : {true, false}) {
    std::vector<Came> came;
    for (const Scenario& scenario : all_scenarios()) came.push_back({scenario.name, 1000});
    Audit audit = audit_of(came, {.with_profile = with_profile});
    audit.plan.options.instance = {.iops = Iops{1e4}, .throughput = BytesPerSec{1e8}};
    for (const char* source : {"default", "profile", "user"}) {
      audit.plan.options.tolerance.source = source;
      check_words(audit);
    }
    audit.signal = 15;
    check_words(audit);
    for (const char* why : {"read_only", "not_published", "not_asked"}) {
      ScenarioAudit& scenario = audit.scenarios.front();
      scenario.job.not_tested = why;
      scenario.evidence = {};
      scenario.verdict = {.outcome = Outcome::NotTested};
      audit.plan.options.read_only = true;
      audit.disk.kind = DiskKind::BlockDevice;
      check_words(audit);
    }
  }
  check_words({});
}

TEST_CASE("every note, warning and finding of the guard comes out in Chinese in every report") {
  Audit audit = passing_audit();
  audit.scenarios.front().evidence.judged->engine_warning =
      "io_uring is not available, libaio used instead: a security module (LSM) forbids it; allow "
      "io_uring_setup, io_uring_enter and io_uring_register";
  for (const SentenceRow& row : all_rows()) {
    const std::string english = instance_of(row);
    INFO(english);
    CHECK(note_in(english, Language::English) == english);
    CHECK(english_in(note_in(english, Language::Chinese)) == "");
    CHECK(note_in(english, Language::Chinese) != english);
    audit.notes.push_back(english);
    audit.guard.push_back({.name = "mounts", .finding = english});
    if (audit.notes.size() < 80) continue;  // a report shows no more than a hundred
    check_words(audit);
    audit.notes.clear();
    audit.guard.clear();
  }
  check_words(audit);
}

TEST_CASE("a refusal comes out in Chinese in every report, with all that stands against the disk") {
  const char* refusals[] = {
      "will not write on /dev/vdb: writing would destroy the data on it, and nobody consented, "
      "vdb1 is mounted on /data, vdb holds ext4 \"data, old\", it has 100 GiB, not 200 GiB; say "
      "--destroy-data-on disk-1, or measure reads alone with --read-only",
      "will not write on /dev/vdb: cannot open /dev/vdb: Permission denied; run as root or join "
      "group disk; end what uses it",
      "will not write on /dev/vda: /, which the system needs, is on it, /boot, which the system "
      "needs, is on it; no option allows this; attach a disk of its own",
      "/tmp is on tmpfs, which is memory, not a disk; use --disk /data (ext4, 93 GiB free)",
      "cannot create a test file in /data: No space left on device; make room, or ask for less "
      "with --test-size",
      "cannot use libaio: Resource temporarily unavailable; raise the sysctl fs.aio-max-nr; "
      "io_uring is not available, libaio used instead: the kernel 4.18.0 does not have it; 5.1 "
      "brought it",
      "cannot find /nowhere: No such file or directory; name a folder or a block device with "
      "--disk"};
  for (const char* refusal : refusals) {
    Audit audit = audit_of({});
    audit.refused = refusal;
    conclude(audit);
    INFO(refusal);
    CHECK(note_in(refusal, Language::Chinese) != refusal);
    check_words(audit);
  }
  CHECK(note_in(refusals[2], Language::Chinese) ==
        "拒绝写入 /dev/vda：系统所需的 / 位于此盘，系统所需的 /boot "
        "位于此盘；没有任何选项允许这样做；"
        "请另挂载一块专用数据盘");
}

TEST_CASE("what stands in a sentence may be anything and takes no time") {
  std::string hostile = "will not write on ";
  for (int i = 0; i < 400; ++i) hostile += ": ; , a is below b";
  CHECK(note_in(hostile, Language::Chinese) == hostile);
  CHECK(note_in(std::string(1 << 20, ';'), Language::Chinese).size() == 1 << 20);
  CHECK(note_in("vd{0} is in use", Language::Chinese) == "vd{0} 正在使用中");
}

TEST_CASE("errors of the system that a disk or a file can bring are known in Chinese") {
  for (const int error : {EPERM,  ENOENT,  EIO,       ENXIO,  EAGAIN, ENOMEM,  EACCES,    EBUSY,
                          ENODEV, EINVAL,  EMFILE,    ENFILE, ENOSPC, EROFS,   ENOSYS,    ELOOP,
                          EDQUOT, ENOTDIR, ETIMEDOUT, ESTALE, EILSEQ, ENODATA, EREMOTEIO, ETIME}) {
    INFO(std::strerror(error));
    CHECK(note_in(std::strerror(error), Language::Chinese) != std::strerror(error));
  }
}

TEST_CASE("a comparison in Chinese has no English sentence") {
  const Audit audits[] = {passing_audit(), failing_audit(), passing_audit()};
  for (const std::size_t count : {std::size_t{2}, std::size_t{3}}) {
    const auto comparison = compare(std::span(audits).first(count));
    REQUIRE(comparison);
    CHECK(english_in(comparison_as_text(*comparison, chinese)) == "");
    CHECK(english_in(comparison_as_markdown(*comparison, chinese)) == "");
    CHECK(english_in(chinese_half(comparison_as_html(*comparison, chinese))) == "");
  }
}

TEST_CASE("each sentence that a report may show stands in a table, wherever it is worded") {
  const std::filesystem::path root = SOURCE_FOLDER;
  std::vector<std::filesystem::path> files = {
      root / "app/audit_command.cpp", root / "app/target.cpp", root / "app/keep.cpp",
      root / "app/progress.cpp", root / "lib/report/redact.cpp"};
  for (const char* folder : {"lib/device", "lib/runner"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      if (entry.path().extension() == ".cpp") files.push_back(entry.path());
    }
  }
  // Names of machines, and what --verbose or wrong usage shows.
  const std::regex other(
      "Alibaba Cloud.*|Google Compute.*|Amazon Elastic.*|NVMe Instance.*|Microsoft NVMe.*|unknown "
      "redaction.*|.*thread\\(s\\), ramp.*");
  const std::regex words(R"([A-Za-z]+[ ,;:]+[A-Za-z]+[ ,;:]+[A-Za-z]+)");
  const std::regex end_of_piece("; ");
  std::size_t checked = 0;
  for (const auto& file : files) {
    for (const std::string& literal : literals_in(file)) {
      if (!std::regex_search(literal, words) || std::regex_match(literal, other)) continue;
      std::sregex_token_iterator piece(literal.begin(), literal.end(), end_of_piece, -1), end;
      for (; piece != end; ++piece) {
        INFO(file << ": " << literal);
        CHECK(is_worded(piece->str()));
        ++checked;
      }
    }
  }
  CHECK(checked > 100);
}
