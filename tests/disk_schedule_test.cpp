#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <numeric>

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
  std::uint64_t span = 1ull << 30;  ///< offsets go round in it, one after the other
};

/// All answers that fall due before `end`; the server wakes up `lateness` late each time.
std::vector<DiskAnswer> serve(DiskScheduler& disk, const std::vector<Client>& clients,
                              Nanoseconds end, Nanoseconds lateness = 0) {
  std::vector<DiskAnswer> answers;
  std::uint64_t offset = 0;
  const auto submit = [&](size_t client, Nanoseconds now) {
    const auto& kind = clients[client];
    disk.submit({client, kind.direction, offset % kind.span, kind.length, now});
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

/// How many answers fell due in [from, to).
long count_between(const std::vector<DiskAnswer>& answers, Nanoseconds from, Nanoseconds to) {
  return std::count_if(answers.begin(), answers.end(), [&](const DiskAnswer& answer) {
    return answer.due >= from && answer.due < to;
  });
}

/// Seconds from arrival to answer.
std::vector<double> latencies(const std::vector<DiskAnswer>& answers) {
  std::vector<double> result;
  for (const auto& answer : answers) {
    result.push_back(static_cast<double>(answer.due - answer.request.arrival) * 1e-9);
  }
  std::sort(result.begin(), result.end());
  return result;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
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

TEST_CASE("with a refill period the tokens come in portions, at the same rate") {
  auto disk = started({.read_iops = 1000, .refill = 1});
  const auto answers = serve(disk, {{.depth = 128}}, ten_seconds);
  CHECK(count_between(answers, 0, 1) == 1000);
  CHECK(count_between(answers, 1, s) == 0);
  CHECK(count_between(answers, 3 * s, 3 * s + 1) == 1000);
  CHECK(answers.size() == 11'000);
}

TEST_CASE("the bucket starts as full as told") {
  auto disk = started({.read_iops = 1000, .bucket = 2, .fill = 0.25});
  CHECK(count_between(serve(disk, {{}}, s), 0, 1) == 500);
}

TEST_CASE("a burst lasts as long as the credit, then the limit itself holds") {
  auto disk = started({.read_iops = 300, .burst = 10, .burst_seconds = 5});
  const auto answers = serve(disk, {{}}, 20 * s);
  CHECK(count_between(answers, s, 4 * s) == Approx(9000).margin(1));
  CHECK(count_between(answers, 6 * s, 16 * s) == Approx(3000).margin(1));
  CHECK(answers.size() == Approx(300 * 20 + 300 * 9 * 5).margin(2));

  auto drained = started({.read_iops = 300, .fill = 0, .burst = 10, .burst_seconds = 5});
  CHECK(serve(drained, {{}}, ten_seconds).size() == Approx(3000).margin(1));
}

TEST_CASE("a limit changes at its time") {
  auto disk = started({.read_iops = 3000, .changes = {{4, "read_iops", "300"}}});
  const auto answers = serve(disk, {{}}, ten_seconds);
  CHECK(count_between(answers, 1 * s, 4 * s) == Approx(9000).margin(1));
  CHECK(count_between(answers, 5 * s, 10 * s) == Approx(1500).margin(1));
}

TEST_CASE("a limit that is changed while requests wait holds for them") {
  auto disk = started({.read_iops = 1});
  for (int i = 0; i < 10; ++i) disk.submit({.arrival = 0});
  REQUIRE(disk.next_answer(0).has_value());
  CHECK(disk.next_event() > s / 2);
  REQUIRE(disk.change("read_iops", "1000", s / 10).has_value());
  CHECK(disk.next_event() < s / 5);
  CHECK_FALSE(disk.change("no_such_key", "1", s).has_value());
}

TEST_CASE("latency and depth give the rate that Little's law says") {
  const int depth = GENERATE(1, 64);
  auto disk = started({.read_latency = 0.005, .servers = 64});
  const auto answers = serve(disk, {{.depth = depth}}, ten_seconds);
  CHECK(answers.size() == 2000u * static_cast<unsigned>(depth));
  CHECK(latencies(answers).front() == Approx(0.005));
}

TEST_CASE("requests beyond the number of servers wait for one") {
  auto disk = started({.write_latency = 0.001, .servers = 4});
  const auto answers = serve(disk, {{DiskDirection::Write, 4096, 32}}, ten_seconds);
  CHECK(answers.size() == Approx(40'000).margin(4));
  CHECK(latencies(answers).back() == Approx(0.008));
}

TEST_CASE("each direction has its own latency") {
  auto disk = started({.read_latency = 0.001, .write_latency = 0.004});
  auto counts =
      count_by_client(serve(disk, {{.depth = 1}, {DiskDirection::Write, 4096, 1}}, ten_seconds));
  CHECK(counts[0] == 10'000);
  CHECK(counts[1] == 2500);
}

TEST_CASE("random latencies have the mean and the quantiles of their distribution") {
  auto exponential = started({.read_latency = 0.001, .latency_shape = "exponential"});
  auto times = latencies(serve(exponential, {{}}, ten_seconds));
  CHECK(mean(times) == Approx(0.001).epsilon(0.01));
  CHECK(times[times.size() / 2] == Approx(0.001 * std::log(2)).epsilon(0.01));

  auto lognormal =
      started({.read_latency = 0.001, .latency_shape = "lognormal", .latency_spread = 0.8});
  times = latencies(serve(lognormal, {{}}, ten_seconds));
  CHECK(mean(times) == Approx(0.001).epsilon(0.01));
  CHECK(times[times.size() / 2] == Approx(0.001 * std::exp(-0.32)).epsilon(0.01));
}

TEST_CASE("a share of the requests takes longer") {
  auto disk = started({.read_latency = 0.001, .slow_share = 0.01, .slow_latency = 0.05});
  const auto times = latencies(serve(disk, {{}}, ten_seconds));
  CHECK(times[times.size() * 98 / 100] == Approx(0.001));
  CHECK(times[times.size() * 995 / 1000] == Approx(0.05));
}

TEST_CASE("latency grows with the number of requests inside the disk") {
  const Script script{.read_latency = 0.001, .latency_per_request = 0.0001};
  auto alone = started(script), crowded = started(script);
  CHECK(latencies(serve(alone, {{.depth = 1}}, s)).back() == Approx(0.001));
  CHECK(latencies(serve(crowded, {{.depth = 11}}, s)).back() == Approx(0.002));
}

TEST_CASE("nothing is answered during a stall, and what was due is answered at its end") {
  auto disk = started({.read_iops = 1000, .stalls = {{3, 2}, {8, 0.5}}});
  const auto answers = serve(disk, {{}}, ten_seconds);
  CHECK(count_between(answers, 3 * s, 5 * s) == 0);
  CHECK(count_between(answers, 5 * s, 5 * s + 1) >= 64);
  CHECK(count_between(answers, 8 * s, 8 * s + s / 2) == 0);
  CHECK(count_between(answers, 6 * s, 8 * s) == Approx(2000).margin(2));
}

TEST_CASE("one request is never answered, until the script ends") {
  auto disk = started({.read_latency = 0.001, .hang = 5});
  const auto answers = serve(disk, {{.depth = 1}}, ten_seconds);
  CHECK(answers.size() == 4);
  CHECK_FALSE(disk.next_event().has_value());
  disk.stop(20 * s);
  const auto last = disk.next_answer(20 * s);
  REQUIRE(last.has_value());
  CHECK(last->error == EIO);
}

TEST_CASE("every so manieth request fails") {
  auto disk = started({.read_latency = 0.001, .error_every = 10});
  const auto answers = serve(disk, {{.depth = 1}}, s);
  for (size_t i = 0; i < answers.size(); ++i) {
    CHECK(answers[i].error == ((i + 1) % 10 == 0 ? EIO : 0));
  }
}

TEST_CASE("requests that touch a bad range fail in its direction") {
  auto disk = started({.bad_ranges = {{"read", 8192, 4096}}});
  const auto error = [&](DiskDirection direction, std::uint64_t offset, std::uint32_t length) {
    disk.submit({0, direction, offset, length, 0});
    return disk.next_answer(0)->error;
  };
  CHECK(error(DiskDirection::Read, 8192, 4096) == EIO);
  CHECK(error(DiskDirection::Read, 4096, 8192) == EIO);
  CHECK(error(DiskDirection::Read, 4096, 4096) == 0);
  CHECK(error(DiskDirection::Read, 12288, 4096) == 0);
  CHECK(error(DiskDirection::Write, 8192, 4096) == 0);
}

TEST_CASE("the first touch of a block costs, the second does not") {
  auto disk =
      started({.read_latency = 0.001, .first_touch_latency = 0.01, .first_touch_block = 1 << 20});
  const auto answers = serve(disk, {{.length = 256 * 1024, .depth = 1, .span = 4 << 20}}, s);
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool is_first = i < 16 && i % 4 == 0;
    CHECK(latencies({answers[i]}).front() == Approx(is_first ? 0.011 : 0.001));
  }
}

TEST_CASE("what fits the read cache is read at once, what does not is read at the limit") {
  const Script script{.read_iops = 100, .read_cache = 1 << 20};
  auto large = started(script);
  // Passes over the same blocks: only the first is limited.
  DiskScheduler disk = started(script);
  Nanoseconds now = 0;
  int at_once = 0;
  for (int i = 0; i < 512; ++i) {
    const auto offset = static_cast<std::uint64_t>(i % 256) * 4096;
    disk.submit({0, DiskDirection::Read, offset, 4096, now});
    at_once += *disk.next_event() == now && i >= 256 ? 1 : 0;
    now = std::max(now, *disk.next_event());
    REQUIRE(disk.next_answer(now).has_value());
  }
  CHECK(at_once == 256);
  CHECK(serve(large, {{.depth = 1, .span = 2 << 20}}, ten_seconds).size() == 1010);
}

TEST_CASE("what was written is read from the read cache") {
  auto disk = started({.read_iops = 1, .bucket = 1, .fill = 0, .read_cache = 1 << 20});
  disk.submit({0, DiskDirection::Write, 4096, 4096, 0});
  REQUIRE(disk.next_answer(0).has_value());
  disk.submit({0, DiskDirection::Read, 4096, 4096, 1});
  CHECK(disk.next_answer(1).has_value());
  disk.submit({0, DiskDirection::Read, 8192, 4096, 2});
  CHECK_FALSE(disk.next_answer(2).has_value());
}

TEST_CASE("the write cache takes what it can hold at once, then the rate is the limit's") {
  auto disk = started({.write_iops = 1000, .write_cache = 16 << 20});
  const auto answers = serve(disk, {{DiskDirection::Write}}, ten_seconds);
  CHECK(count_between(answers, 0, 1) == 4096 + 100);
  CHECK(count_between(answers, 1 * s, 9 * s) == Approx(8000).margin(1));
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
      "read_iops=2.6k write_bytes=115MB/s\n\n total_bytes=100MiB/s bucket=250ms block_size=4096\n"
      "latency_shape=exponential stall=5s+500ms bad_range=read:64MiB+1MiB hang=7\n"
      "at=9s:read_iops=50 at=3:read_iops=100");
  REQUIRE(script.has_value());
  CHECK(script->size == 2ull << 30);
  CHECK(script->filesystem == "ext4");
  CHECK(script->read_iops == 2600);
  CHECK(script->write_bytes == 115e6);
  CHECK(script->total_bytes == 104857600);
  CHECK(script->bucket == 0.25);
  CHECK(script->block_size == 4096);
  CHECK(script->stalls.at(0).seconds == 0.5);
  CHECK(script->bad_ranges.at(0).offset == 64 << 20);
  CHECK(script->hang == 7);
  CHECK(script->changes.at(0).value == "100");
  CHECK(script->changes.at(1).at == 9);
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
  CHECK(parse_script("latency_shape=flat").error().message ==
        "latency_shape: unknown 'flat'; use one of fixed exponential lognormal");
  CHECK(parse_script("at=5:read_ips=3").error().message == "at: the script has no key 'read_ips'");
  CHECK_FALSE(parse_script("at=5").has_value());
  CHECK_FALSE(parse_script("stall=5").has_value());
  CHECK_FALSE(parse_script("bad_range=both:0+1").has_value());
  CHECK_FALSE(parse_script("read_iops=-1").has_value());
  CHECK_FALSE(parse_script("read_iops=nan").has_value());
  CHECK_FALSE(parse_script("bucket=1MiB").has_value());
}
