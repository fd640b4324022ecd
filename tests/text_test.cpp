#include "text.hpp"

#include "support/catch.hpp"

using namespace diskaudit;

TEST_CASE("text from outside loses what could steer a terminal or reorder a line") {
  CHECK(sanitised("QEMU\x1b[31m disk\n\r\t") == "QEMU[31m disk");
  CHECK(sanitised("a\xE2\x80\xAE"
                  "b\xE2\x81\xA6"
                  "c") == "abc");
  CHECK(sanitised("a\xE2\x80\xA8"
                  "b\xC2\x9B"
                  "c") == "abc");
  CHECK(sanitised("云硬盘 100 GiB") == "云硬盘 100 GiB");
}

TEST_CASE("invalid UTF-8 becomes the replacement character, never a raw byte") {
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(sanitised("a\xFF"
                  "b") == "a" + replaced + "b");
  CHECK(sanitised("\xC0\xAF") == replaced + replaced);                 // overlong "/"
  CHECK(sanitised("\xED\xA0\x80") == replaced + replaced + replaced);  // a surrogate
  CHECK(sanitised("\xE4\xBA") == replaced + replaced);                 // cut in the middle
}

TEST_CASE("text from outside is no command to a CI server, wherever its line is broken") {
  CHECK(sanitised("::error::x") == ": :error::x");
  CHECK(sanitised("a ::add-mask::b") == "a : :add-mask::b");
  CHECK(sanitised("云::warning::b") == "云: :warning::b");
  CHECK(sanitised(":\x1b:stop-commands::b") == ": :stop-commands::b");
  CHECK(sanitised("a ##[error]b") == "a # #[error]b");
  CHECK(sanitised("##vso[task.complete]##teamcity[x]") == "# #vso[task.complete]# #teamcity[x]");
  for (const char* harmless : {"std::vector", "fe80::1 ::1", "## heading", "a::b", "::"})
    CHECK(sanitised(harmless) == harmless);
  const std::string once = sanitised("::a ::b ##[c] ###[d] :::e");
  CHECK(sanitised(once) == once);
}

TEST_CASE("a text over the limit is cut between characters") {
  CHECK(sanitised("abcdef", 3) == "abc");
  CHECK(sanitised("云硬盘", 7) == "云硬");
}

TEST_CASE("wide characters count two columns and combining marks none") {
  CHECK(display_width("IOPS") == 4);
  CHECK(display_width("云硬盘") == 6);
  CHECK(display_width("（随机）") == 8);
  CHECK(display_width("e\xCC\x81") == 1);
  CHECK(display_width("✓ ≥ 90 %") == 8);
  CHECK(pad_right("云盘", 6) == "云盘  ");
  CHECK(pad_left("115", 5) == "  115");
  CHECK(pad_left("too long", 3) == "too long");
}

TEST_CASE("a shortened text says so and keeps its width") {
  CHECK(clipped("short", 5) == "short");
  CHECK(clipped("a longer text", 9) == "a longer…");
  CHECK(display_width(clipped("高性能云硬盘", 8)) <= 8);
  CHECK(clipped("x", 0).empty());
}

TEST_CASE("signs have an ASCII spelling") {
  CHECK(to_ascii("8 × 100 ≥ 90 % …") == "8 x 100 >= 90 % ...");
  CHECK(to_ascii("盘") == "?");
}

TEST_CASE("long text is broken at spaces, and between Chinese characters but not before a comma") {
  using Lines = std::vector<std::string>;
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("one two", 80) == Lines{"one two"});
  CHECK(wrapped("云硬盘性能达标", 8) == Lines{"云硬盘性", "能达标"});
  CHECK(wrapped("云硬盘，达标", 6) == Lines{"云硬", "盘，达", "标"});
  CHECK(wrapped("", 8).empty());
}

TEST_CASE("columns line up by what a terminal shows, without trailing spaces") {
  using Lines = std::vector<std::string>;
  CHECK(aligned({{"a", "quota", "x"}, {"随机读", "9", ""}}, "lrl") ==
        Lines{"a       quota  x", "随机读      9"});
}
