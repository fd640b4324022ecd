#include "report/redact.hpp"

#include "report/record.hpp"
#include "report/report.hpp"
#include "report/verify.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

Audit audit_of_alice() {
  Audit audit = audit_of({{"seq-read-256k", 114.2e6}, {"rand-read-4k", 1801}});
  judge_again(audit);
  audit.disk.path = "/home/alice/disk";
  audit.disk.mount_point = "/home/alice";
  audit.command_line = {"diskaudit", "--disk=/home/alice/disk", "-o", "json:/home/alice/r.json"};
  audit.notes = {"test file below /home/alice/disk made smaller"};
  return audit;
}

}  // namespace

TEST_CASE("redaction gives the same original the same stand-in everywhere and keeps the figures") {
  const Audit audit = audit_of_alice();
  for (const Redaction level : {Redaction::Ticket, Redaction::Public}) {
    const Audit hidden = redacted(audit, level);
    const bool everything = level == Redaction::Public;
    CHECK(hidden.command_line[1] == "--disk=" + hidden.disk.path);
    CHECK(hidden.notes[0] == "test file below " + hidden.disk.path + " made smaller");
    CHECK(hidden.scenarios[1].verdict.percent == audit.scenarios[1].verdict.percent);
    CHECK(hidden.plan.profile->sources[0].url == audit.plan.profile->sources[0].url);
    for (const ReportFormat& format : report_formats()) {
      INFO(format.name);
      const std::string text = format.render(hidden, {});
      CHECK(text.find("alice") == std::string::npos);
      if (everything) CHECK(text.find(audit.disk.device.serial) == std::string::npos);
      if (everything) CHECK(text.find(audit.id) == std::string::npos);
    }
    const std::string ticket = (*find_format("ticket"))->render(hidden, {});
    CHECK((ticket.find(audit.disk.device.serial) == std::string::npos) == everything);
  }
}

TEST_CASE("a redacted record is a record: it verifies, and another redaction is the same") {
  const Audit hidden = redacted(audit_of_alice(), Redaction::Public);
  const std::string record = (*find_format("json"))->render(hidden, {});
  const auto verified = verify_record(record);
  INFO((verified ? "" : verified.error().message));
  CHECK(verified);
  CHECK(record ==
        (*find_format("json"))->render(redacted(audit_of_alice(), Redaction::Public), {}));
}

TEST_CASE("no redaction changes nothing, and an unknown level lists those there are") {
  CHECK(digest_of(redacted(audit_of_alice(), Redaction::None)) == digest_of(audit_of_alice()));
  CHECK(parse_redaction("all").error().message ==
        "unknown redaction 'all'; known: none, ticket, public");
}
