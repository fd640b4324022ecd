#include "report/bundle.hpp"

#include <algorithm>

#include "report/gzip.hpp"
#include "report/record.hpp"
#include "report/sha256.hpp"
#include "support/audit_builder.hpp"
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/temp_folder.hpp"

using namespace diskaudit;
using namespace diskaudit::test;

namespace {

/// One of 24 hours by the second.
Audit day_long_audit() {
  Audit audit = audit_of({{"rand-write-4k", 2500}}, {.seconds = 8640});
  Measurement& measurement = *audit.scenarios[0].evidence.judged;
  measurement.seconds = 86400;
  measurement.all.series.interval_seconds = 1;
  return audit;
}

/// Bytes that no compressor makes smaller.
std::string noise(std::size_t bytes) {
  std::string text;
  for (std::uint64_t seed = 1; text.size() < bytes;) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    text.push_back(static_cast<char>(seed >> 56));
  }
  return text;
}

}  // namespace

TEST_CASE("what is compressed comes back as it was, and gzip itself reads it") {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(300'000, 'x'), noise(200'000)}) {
    const std::string packed = gzipped(text);
    CHECK(is_gzipped(packed));
    CHECK(packed == gzipped(text));
    const auto back = gunzipped(packed, 1 << 20);
    REQUIRE(back);
    CHECK(*back == text);
  }
  const Finished unpacked = run({"gzip", "-dc"}, {.input = gzipped("as gzip reads it\n")});
  CHECK(unpacked.out == "as gzip reads it\n");
}

TEST_CASE("a compressed file that was cut, edited or added to is no gzip file") {
  const std::string packed = gzipped(noise(3000));
  for (std::size_t size = 2; size < packed.size(); size += 97) {
    CHECK(gunzipped(packed.substr(0, size), 1 << 20).error().message ==
          "is not a whole gzip file; it may have been cut or edited");
  }
  std::string edited = packed;
  edited[packed.size() / 2] ^= 1;
  CHECK_FALSE(gunzipped(edited, 1 << 20));
  CHECK_FALSE(gunzipped(packed + "more", 1 << 20));
  CHECK_FALSE(gunzipped("plain text", 1 << 20));
}

TEST_CASE("a compressed bomb is given up as soon as it is too large") {
  const std::string bomb = gzipped(std::string(64 << 20, ' '));
  REQUIRE(bomb.size() < 100'000);
  CHECK(gunzipped(bomb, 1 << 20).error().message == "holds more than 1 MiB when decompressed");
  CHECK(gunzipped(bomb, 64 << 20));
}

TEST_CASE("tar unpacks what was packed, for its owner alone") {
  const TempFolder folder;
  const std::vector<NamedFile> files = {{"empty", ""},
                                        {"short.txt", "a line\n"},
                                        {"block", std::string(512, 'b')},
                                        {"noise", noise(70'001)}};
  const Finished unpacked =
      run({"tar", "-xv", "--full-time", "-vf", "-", "-C", folder.path().string()},
          {.input = tar_of(files, "bundle", 1'796'000'000)});
  INFO(unpacked.err << unpacked.out);
  REQUIRE(unpacked.exit_code == 0);
  CHECK(unpacked.err.empty());
  CHECK(unpacked.out.find("drwx------") != std::string::npos);
  CHECK(unpacked.out.find("-rw-------") != std::string::npos);
  for (const NamedFile& file : files) {
    CHECK(read_file(folder / ("bundle/" + file.name)) == file.content);
  }
}

TEST_CASE("a bundle holds every part a support case asks for, with sums that sha256sum confirms") {
  const TempFolder folder;
  const auto files = bundle_of(failing_audit(), {});
  std::vector<std::string> names;
  for (const NamedFile& file : files) {
    names.push_back(file.name);
    std::ofstream(folder / file.name, std::ios::binary) << file.content;
  }
  CHECK(names == std::vector<std::string>{"report.html", "record.json.gz", "card.txt", "ticket.txt",
                                          "scenarios.fio", "series.csv", "SHA256SUMS"});
  const Finished checked =
      run({"sha256sum", "--strict", "-c", "SHA256SUMS"}, {.folder = folder.path().string()});
  INFO(checked.err << checked.out);
  CHECK(checked.exit_code == 0);
  CHECK(std::ranges::count(checked.out, '\n') == 6);
  const auto record = gunzipped(files[1].content, 1 << 24);
  REQUIRE(record);
  CHECK(digest_of(*read_record(*record)) == digest_of(failing_audit()));
}

TEST_CASE("no part of a bundle is over 5 MB, even of a day by the second") {
  Audit audit = day_long_audit();
  audit.scenarios.push_back(audit.scenarios[0]);
  audit.scenarios.back().job.scenario.name = "rand-read-4k";
  const auto files = bundle_of(audit, {});
  CHECK(files.size() == 7);
  CHECK(files[5].name == "series.csv.gz");
  for (const NamedFile& file : files) {
    INFO(file.name);
    CHECK(file.content.size() <= largest_attachment);
  }
}
