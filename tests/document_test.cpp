#include "profile/document.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace diskaudit;

namespace {

std::string error(const std::string& text) {
  const Result<Document> document = parse_yaml(text, "f.yaml");
  return document ? "no error" : document.error().message;
}

std::string repeat(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("a YAML file becomes a tree with places") {
  const Result<Document> document = parse_yaml(
      "id: a-b\n"
      "name: {en: Disk, zh: 云硬盘, x: 1}\n"
      "list:\n"
      "  - '12'\n"
      "  - 12\n",
      "f.yaml");
  REQUIRE(document);
  REQUIRE(document->members.size() == 3);
  CHECK(document->find("id")->text == "a-b");
  CHECK(document->find("id")->line == 1);
  CHECK(document->find("id")->column == 5);
  const Document& x = *document->find("name")->find("x");
  CHECK(x.line == 2);
  CHECK(x.column == 30);  // characters, not bytes
  const Document& list = *document->find("list");
  REQUIRE(list.kind == Document::Kind::Sequence);
  CHECK(list.items[0].quoted);
  CHECK_FALSE(list.items[1].quoted);
  CHECK(list.items[1].line == 5);
  CHECK(document->find("nothing") == nullptr);
}

TEST_CASE("what could surprise a reader of a YAML file is refused with its place") {
  const struct {
    std::string text;
    std::string message;
  } table[] = {
      {"", "f.yaml:1:1: file is empty"},
      {"# only a comment\n", "f.yaml:1:1: file is empty"},
      {"a: &x 1\nb: *x\n", "f.yaml:1:4: YAML anchors are not allowed; write the value out"},
      {"a: &x {}\n", "f.yaml:1:4: YAML anchors are not allowed; write the value out"},
      {"a: *x\n", "f.yaml:1:4: malformed YAML: the referenced anchor is not defined"},
      {"a: !!str 1\n", "f.yaml:1:4: YAML tags are not allowed"},
      {"a: !own [1]\n", "f.yaml:1:4: YAML tags are not allowed"},
      {"a: 1\n<<: {b: 2}\n", "f.yaml:2:1: YAML merge keys are not allowed; write the keys out"},
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' is given twice"},
      {"a:\nb: 1\n", "f.yaml:1:1: key 'a' has no value; give one or drop the key"},
      {"a: ~\n", "f.yaml:1:1: key 'a' has no value; give one or drop the key"},
      {"a: [1, null]\n", "f.yaml:1:8: a value is missing"},
      {"? [a]\n: 1\n", "f.yaml:1:3: a key must be a plain text"},
      {"a: 1\n---\nb: 1\n", "f.yaml:2:1: a second YAML document; keep one per file"},
      {"a: \"\\x07\"\n", "f.yaml:1:4: text holds control characters"},
      {std::string("a: \0b\n", 6), "f.yaml:1:4: not a plain UTF-8 text"},
      {"a: 1\nb: \xFF\n", "f.yaml:2:4: not a plain UTF-8 text"},
      {"a: \xED\xA0\x80\n", "f.yaml:1:4: not a plain UTF-8 text"},
      {"a: [1\n", "f.yaml:2:1: malformed YAML: end of sequence flow not found"},
      {"a: b: c\n", "f.yaml:1:5: malformed YAML: illegal map value"},
      {repeat("- ", 9) + "a", "f.yaml:1:17: nested deeper than 8 levels"},
      {"a: " + std::string(4097, 'x'), "f.yaml:1:4: text is longer than 4096 bytes"},
      {std::string(65537, '#'), "f.yaml:1:1: file is larger than 64 KiB"},
  };
  for (const auto& [text, message] : table) {
    INFO(text.substr(0, 80));
    CHECK(error(text) == message);
  }
}

TEST_CASE("a hostile YAML file is an error, never a crash or a hang") {
  for (const std::string& text : std::vector<std::string>{
           repeat("[", 65536), repeat("{", 65536), repeat("{a: ", 16000), repeat("- ", 32768),
           repeat("? ", 32768), repeat("a: [", 16000), repeat("\"", 65535), repeat("!", 65536),
           repeat("&a ", 20000), repeat("a:\n ", 16000), "%YAML 9.9\n---\na: 1",
           repeat("|", 65536)}) {
    INFO(text.substr(0, 20));
    CHECK_FALSE(parse_yaml(text, "f.yaml").has_value());
  }
}
