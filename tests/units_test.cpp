#include "units.hpp"

#include <cstdint>
#include <string>

#include "support/catch.hpp"

using namespace diskaudit;

TEST_CASE("a size is read with binary and decimal units told apart") {
  const struct {
    std::string text;
    std::uint64_t bytes;
  } table[] = {
      {"100", 100 * GiB},   {"100GiB", 100 * GiB},     {"107GB", 107'000'000'000},
      {"1TiB", TiB},        {"1.5TiB", TiB + TiB / 2}, {"107 GB", 107'000'000'000},
      {" 5 gib ", 5 * GiB}, {"512MiB", 512 * MiB},     {"4KB", 4000},
      {"0.5", 512 * MiB},   {"4096B", 4096},           {"2tb", 2'000'000'000'000},
  };
  for (const auto& [text, bytes] : table) {
    INFO(text);
    const Result<Bytes> size = parse_size(text, GiB);
    REQUIRE(size);
    CHECK(size->value == bytes);
  }
}

TEST_CASE("a size that is none is a one-line error that says why") {
  const struct {
    std::string text;
    std::string message;
  } table[] = {
      {"", "cannot read size '': it is no number"},
      {"ten", "cannot read size 'ten': it is no number"},
      {"0", "cannot read size '0': it must be above 0"},
      {"-5", "cannot read size '-5': it must be above 0"},
      {"nan", "cannot read size 'nan': it is out of range"},
      {"inf", "cannot read size 'inf': it is out of range"},
      {"1e999", "cannot read size '1e999': it is out of range"},
      {"9e9", "cannot read size '9e9': it is out of range"},
      {"0.1B", "cannot read size '0.1B': it is below 1 byte"},
      {"100XB",
       "cannot read size '100XB': unknown unit 'XB'; use KiB, MiB, GiB, TiB, KB, MB, GB or TB"},
      {"1,5TiB",
       "cannot read size '1,5TiB': unknown unit ',5TiB'; use KiB, MiB, GiB, TiB, KB, MB, GB or TB"},
  };
  for (const auto& [text, message] : table) {
    const Result<Bytes> size = parse_size(text, GiB);
    REQUIRE_FALSE(size);
    CHECK(size.error().message == message);
    CHECK(size.error().code == ExitCode::Usage);
  }
}

TEST_CASE("a throughput is read with MB/s and MiB/s told apart") {
  CHECK(parse_throughput("200")->value == 200e6);
  CHECK(parse_throughput("200MB/s")->value == 200e6);
  CHECK(parse_throughput("200 MiB/s")->value == 200 * 1048576.0);
  CHECK(parse_throughput("200Mb/s").error().message ==
        "cannot read throughput '200Mb/s': unknown throughput unit 'Mb/s'; use MB/s or MiB/s");
  CHECK(parse_throughput("0MB/s").error().message ==
        "cannot read throughput '0MB/s': it must be above 0");
}

TEST_CASE("a size is printed in the largest unit that stays readable and true") {
  const struct {
    std::uint64_t bytes;
    std::string text;
  } table[] = {
      {0, "0 B"},
      {512, "512 B"},
      {4096, "4 KiB"},
      {64 * MiB, "64 MiB"},
      {5 * GiB, "5 GiB"},
      {100 * GiB + 512 * MiB, "100.5 GiB"},
      {1100 * GiB, "1100 GiB"},
      {TiB + TiB / 2, "1.5 TiB"},
      {107'000'000'000, "99.7 GiB"},
  };
  for (const auto& [bytes, text] : table) CHECK(format_size({bytes}) == text);
}

TEST_CASE("rates are printed without exponent in their vendor's unit") {
  CHECK(format_iops({2600}) == "2600 IOPS");
  CHECK(format_iops({1e6}) == "1000000 IOPS");
  CHECK(format_throughput({115e6}, RateUnit::MBps) == "115 MB/s");
  CHECK(format_throughput({114.2e6}, RateUnit::MBps) == "114.2 MB/s");
  CHECK(format_throughput({150 * 1048576.0}, RateUnit::MiBps) == "150 MiB/s");
  CHECK(format_number(0.15, 2) == "0.15");
  CHECK(format_number(-0.001, 1) == "0");
  CHECK(format_number(100, 3) == "100");
}
