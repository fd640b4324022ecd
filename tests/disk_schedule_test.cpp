#include <map>

#include "support/catch.hpp"
#include "support/scripted_disk_scheduler.hpp"

using namespace diskaudit;

namespace {

constexpr Nanoseconds ms = 1'000'000, s = 1'000 * ms;
/// And a little more: the last answer is due at the very end.
constexpr Nanoseconds ten_seconds = 10 * s + 1000;

/// A client that keeps `depth` requests of one kind outstanding, in virtual time.
struct Client {
  DiskDirection direction = DiskDirection::Read;
  std::uint32_t length = 4096;
  int depth = 64;
};

/// All answers that fall due before `end`; the server wakes up `lateness` late each time.
std::vector<DiskAnswer> serve(DiskScheduler& disk, const std::vector<Client>& clients,
                              Nanoseconds end, Nanoseconds lateness = 0) {
  std::vector<DiskAnswer> answers;
  std::uint64_t offset = 0;
  const auto submit = [&](size_t client, Nanoseconds now) {
    const auto& kind = clients[client];
    disk.submit({client, kind.direction, offset, kind.length, now});
    offset += kind.length;
  };
  for (size_t client = 0; client < clients.size(); ++client) {
    for (int i = 0; i < clients[client].depth; ++i) submit(client, 0);
  }
  while (const auto event = disk.next_event()) {
    if (*event >= end) break;
    const Nanoseconds now = *event + lateness;
    while (const auto answer = disk.next_answer(now)) {
      if (answer->due >= end) continue;
      answers.push_back(*answer);
      submit(answer->request.tag, now);
    }
  }
  return answers;
}

std::map<std::uint64_t, int> count_by_client(const std::vector<DiskAnswer>& answers) {
  std::map<std::uint64_t, int> counts;
  for (const auto& answer : answers) ++counts[answer.request.tag];
  return counts;
}

DiskScheduler started(const Script& script) {
  DiskScheduler disk;
  disk.start(script, 0);
  return disk;
}

}  // namespace

TEST_CASE("a limit lets exactly its rate pass after the first bucket") {
  auto disk = started({.read_iops = 2600});
  const auto answers = serve(disk, {{}}, ten_seconds);
  CHECK(answers.size() == 26'000 + 260);
  CHECK(answers[259].due == 0);
  // Steady: one every 384.6 us from the first refill on.
  CHECK(answers[260].due == Approx(1e9 / 2600).margin(2));
  CHECK(answers[261].due - answers[260].due == Approx(1e9 / 2600).margin(2));
}

TEST_CASE("a server that wakes late answers late, but loses no rate") {
  auto disk = started({.read_iops = 2600});
  const auto answers = serve(disk, {{.depth = 256}}, ten_seconds, 5 * ms);
  CHECK(answers.size() == Approx(26'000 + 260).margin(256));
}

TEST_CASE("a byte limit counts bytes, also when one request is more than the bucket holds") {
  auto disk = started({.write_bytes = 115e6});
  const auto answers = serve(disk, {{DiskDirection::Write, 256 * 1024}}, ten_seconds);
  CHECK(answers.size() == Approx((115e6 * 10 + 11.5e6) / (256 * 1024)).margin(1));

  auto slow = started({.write_bytes = 1e6});
  const auto few = serve(slow, {{DiskDirection::Write, 256 * 1024}}, 100 * s);
  CHECK(few.size() == Approx(1e8 / (256 * 1024)).margin(1));
}

TEST_CASE("the smaller of a limit on requests and one on bytes holds") {
  auto disk = started({.read_iops = 1000, .read_bytes = 1e9});
  CHECK(serve(disk, {{.length = 256 * 1024}}, ten_seconds).size() == 10'100);
  auto other = started({.read_iops = 1e5, .read_bytes = 256.0 * 1024 * 500});
  CHECK(serve(other, {{.length = 256 * 1024}}, ten_seconds).size() == Approx(5050).margin(1));
}

TEST_CASE("a limit on one direction leaves the other alone") {
  auto disk = started({.read_iops = 100, .write_iops = 1000});
  auto counts = count_by_client(serve(disk, {{}, {DiskDirection::Write}}, ten_seconds));
  CHECK(counts[0] == 1010);
  CHECK(counts[1] == 10'100);
}

TEST_CASE("a limit on both directions together is shared in the order of arrival") {
  auto disk = started({.total_iops = 1000});
  auto counts =
      count_by_client(serve(disk, {{.depth = 48}, {DiskDirection::Write, 4096, 16}}, ten_seconds));
  CHECK(counts[0] + counts[1] == 10'100);
  CHECK(counts[0] == Approx(7575).margin(50));
}

TEST_CASE("what waits for its own direction's limit takes nothing from the limit on both") {
  auto disk = started({.read_iops = 100, .total_iops = 1000});
  auto counts = count_by_client(serve(disk, {{}, {DiskDirection::Write}}, ten_seconds));
  CHECK(counts[0] == Approx(1010).margin(1));
  CHECK(counts[0] + counts[1] == 10'100);
}

TEST_CASE("before the start and after the stop nothing waits") {
  DiskScheduler disk;
  disk.submit({.arrival = 5});
  CHECK(disk.next_answer(5).has_value());
  disk.start({.read_iops = 1, .bucket = 1}, 10);
  for (int i = 0; i < 3; ++i) disk.submit({.arrival = 10});
  CHECK(disk.next_answer(10).has_value());
  CHECK_FALSE(disk.next_answer(20).has_value());
  disk.stop(30);
  CHECK(disk.next_answer(30).has_value());
  CHECK(disk.next_answer(30).has_value());
  CHECK_FALSE(disk.next_event().has_value());
}

TEST_CASE("a script is read from text and written back") {
  const auto script = parse_script(
      "size=2GiB filesystem=ext4  # the directory\n"
      "read_iops=2.6k write_bytes=115MB/s\n\n total_bytes=100MiB/s bucket=250ms block_size=4096");
  REQUIRE(script.has_value());
  CHECK(script->size == 2ull << 30);
  CHECK(script->filesystem == "ext4");
  CHECK(script->read_iops == 2600);
  CHECK(script->write_bytes == 115e6);
  CHECK(script->total_bytes == 104857600);
  CHECK(script->bucket == 0.25);
  CHECK(script->block_size == 4096);
  const auto again = parse_script(format_script(*script));
  REQUIRE(again.has_value());
  CHECK(format_script(*again) == format_script(*script));
  CHECK(format_script(Script{}).empty());
}

TEST_CASE("a script that cannot be read says which word") {
  CHECK(parse_script("read_ips=5").error().message == "the script has no key 'read_ips'");
  CHECK(parse_script("read_iops").error().message ==
        "cannot read 'read_iops' in a script; write key=value");
  CHECK(parse_script("size=1XB").error().message ==
        "size: cannot read '1XB'; it is no number with a known unit");
  CHECK_FALSE(parse_script("read_iops=-1").has_value());
  CHECK_FALSE(parse_script("read_iops=nan").has_value());
  CHECK_FALSE(parse_script("bucket=1MiB").has_value());
}
