#include "runner/disk_claim.hpp"

#include "support/catch.hpp"

using namespace diskaudit;

TEST_CASE("a disk can be claimed once at a time, and others meanwhile") {
  const BlockDevice first{.name = "vdb", .number = "9999:1"};
  const BlockDevice second{.name = "vdc", .number = "9999:17"};
  {
    const auto claim = claim_disk(first);
    REQUIRE(claim);
    CHECK(claim_disk(second));
    const auto again = claim_disk(first);
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ExitCode::Refused);
    CHECK(again.error().message == "another diskaudit is at work on vdb; wait until it has ended");
  }
  CHECK(claim_disk(first));
}
