#include "report/note_words.hpp"

#include "support/catch.hpp"

using namespace diskaudit;

TEST_CASE("explanations of a quota come out in Chinese, their formulas as they are") {
  const auto chinese = [](const char* line) { return explained(line, Language::Chinese); };
  CHECK(chinese("IOPS = iops = 3000") == "IOPS = iops = 3000");
  CHECK(chinese("read throughput = read * 2 = 115 MB/s") == "读 吞吐量 = read * 2 = 115 MB/s");
  CHECK(chinese("table tiers: row gib up to 4096") == "表 tiers，行 gib 不超过 4096");
  CHECK(chinese("burst refill of IOPS = 3 × 100 = 300 per second") ==
        "突发额度恢复：IOPS = 3 × 100 = 300 每秒");
  CHECK(chinese("total IOPS = f(x): not known without x") == "合计 IOPS = f(x)：未知，缺少 x");
  CHECK(explained("throughput = 1", Language::English) == "throughput = 1");
}

TEST_CASE("known notes come out in Chinese with their figures, unknown ones as they are") {
  const auto chinese = [](const char* note) { return note_in(note, Language::Chinese); };
  CHECK(chinese("size not given; the device's own 100 GiB was taken") ==
        "未指定容量，按设备自身的 100 GiB 计算");
  CHECK(chinese("rand-read-4k: iodepth 128 instead of 256: the device's queue holds no more") ==
        "rand-read-4k：队列深度为 128 而非 256，设备队列容纳不下更多");
  CHECK(chinese("test file of 1 GiB instead of 5 GiB: a reserve of 2 GiB stays free") ==
        "测试文件为 1 GiB 而非 5 GiB：须保留 2 GiB 空闲空间");
  CHECK(chinese("it holds data, for example at byte 512, which may be overwritten") ==
        "盘上有数据（例如第 512 字节处），已允许覆盖");
  CHECK(chinese("judged again as own-disk of 100 GiB, by the formula of 2019-06-01") ==
        "按 100 GiB 的 own-disk、以 2019-06-01 的公式重新判定");
  CHECK(chinese("judged again as own-disk of 100 GiB") == "按 100 GiB 的 own-disk 重新判定");
  CHECK(chinese("100 GiB, not compared") == "100 GiB，未比对");
  CHECK(chinese("a note of a later version") == "a note of a later version");
  CHECK(chinese("") == "");
  CHECK(note_in("redacted: paths", Language::English) == "redacted: paths");
}
