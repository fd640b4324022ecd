#include "profile/import.hpp"

#include <string>
#include <vector>

#include "profile/profile.hpp"
#include "support/catch.hpp"

using namespace diskaudit;

namespace {

Result<std::string> import(const std::string& kind, const std::string& text) {
  return import_profile(kind, text, {.file = "limits", .today = "2026-11-30"});
}

std::string yaml_of(const std::string& kind, const std::string& text) {
  const Result<std::string> yaml = import(kind, text);
  INFO(text << "\n" << (yaml ? "" : yaml.error().message));
  REQUIRE(yaml);
  return *yaml;
}

Quota quota_of(const std::string& kind, const std::string& text, double gib) {
  const std::string yaml = yaml_of(kind, text);
  INFO(yaml);
  const Result<Profile> profile = parse_profile(yaml, "imported.yaml");
  REQUIRE(profile);
  const Result<Quota> quota = evaluate(*profile, {{"gib", gib}});
  REQUIRE(quota);
  return *quota;
}

struct Fault {
  std::string text, message;
};

void check_faults(const std::string& kind, const std::vector<Fault>& faults) {
  for (const auto& [text, message] : faults) {
    INFO(text);
    const Result<std::string> yaml = import(kind, text);
    REQUIRE_FALSE(yaml);
    CHECK(yaml.error().message == message);
    CHECK(yaml.error().code == ExitCode::Usage);
  }
}

// Good files, also cut short and mangled below.
const std::string cinder_json = R"({
  "consumer": "front-end",
  "id": "d5fcd8b0-1b2e-4e6d-9a53-0e4b9e6e1c11",
  "name": "gold",
  "associations": [],
  "properties": {"total_iops_sec_per_gb": "30", "total_iops_sec_per_gb_min": "500",
                 "total_iops_sec_max": "5000", "total_bytes_sec_per_gb": "1048576"}
})";

const std::string libvirt_domain = R"(<?xml version="1.0"?>
<domain type="kvm"><name>web 网页</name>
  <devices><!-- the data disk -->
    <disk type='file' device="disk"><source file="/a>b"/>
      <iotune>
        <read_iops_sec>1000</read_iops_sec>
        <write_iops_sec>500</write_iops_sec>
        <total_bytes_sec> 52428800 </total_bytes_sec>
        <read_iops_sec_max>3000</read_iops_sec_max>
        <read_iops_sec_max_length>60</read_iops_sec_max_length>
        <write_iops_sec_max>600</write_iops_sec_max>
        <size_iops_sec>4096</size_iops_sec>
        <group_name>data "x"</group_name>
      </iotune>
    </disk>
  </devices>
</domain>
)";

const std::string qemu_drive =
    "-drive file=a,,b.qcow2,if=virtio,cache.direct=on,throttling.iops-total=100,"
    "throttling.iops-total-max=2000,throttling.iops-total-max-length=60,"
    "throttling.bps-read=100000000,throttling.bps-write=0\n";

const std::string io_max = "8:16 rbps=2097152 wbps=max riops=max wiops=120\n";

}  // namespace

TEST_CASE("a limit per GB of Cinder grows with the GiB of the volume") {
  const std::string spec = "total_iops_sec_per_gb=30, total_bytes_sec_per_gb=1048576";
  const struct {
    double gib, iops, bytes;
  } table[] = {{100, 3000, 104857600}, {1000, 30000, 1048576000}};
  for (const auto& [gib, iops, bytes] : table) {
    const Quota quota = quota_of("cinder", spec, gib);
    CHECK(quota.unit == RateUnit::MiBps);
    for (const Limits& limits : {quota.read, quota.write, quota.total}) {
      CHECK(limits.iops->value == iops);
      CHECK(limits.throughput->value == bytes);
    }
  }
}

TEST_CASE("megabytes stay megabytes and mebibytes mebibytes, digit by digit") {
  const Quota decimal =
      quota_of("cinder", "total_iops_sec_per_gb='5', total_bytes_sec_per_gb='1000000'", 100);
  CHECK(decimal.unit == RateUnit::MBps);
  CHECK(decimal.total.iops->value == 500);
  CHECK(decimal.total.throughput->value == 100e6);
  const struct {
    std::string bytes, formula, unit;
  } table[] = {{"100000000", "100", "MB/s"},
               {"104857600", "100", "MiB/s"},
               {"524288", "0.5", "MiB/s"},
               {"1024", "0.0009765625", "MiB/s"},
               {"131072000", "125", "MiB/s"},
               {"1048577", "1.048577", "MB/s"},
               {"1", "0.000001", "MB/s"},
               {"64000000", "64", "MB/s"},
               {"1000000000000000", "1000000000", "MB/s"}};
  for (const auto& [bytes, formula, unit] : table) {
    const std::string yaml = yaml_of("cinder", "total_bytes_sec=" + bytes);
    INFO(yaml);
    CHECK(yaml.find("    value: " + formula + "\n    unit: " + unit + "\n") != std::string::npos);
    CHECK(quota_of("cinder", "total_bytes_sec=" + bytes, 10).total.throughput->value ==
          Approx(std::stod(bytes)).epsilon(1e-14));
  }
}

TEST_CASE("beside a limit per GB, _per_gb_min is a floor and _max a cap, not a burst") {
  const double table[][2] = {{10, 500},   {16, 500},   {17, 510},
                             {100, 3000}, {167, 5000}, {1000, 5000}};
  for (const auto& [gib, iops] : table) {
    const Quota quota = quota_of("cinder", cinder_json, gib);
    CHECK(quota.total.iops->value == iops);
    CHECK_FALSE(quota.iops_burst);
  }
  // The cap is applied last, and a share of 0 leaves the floor.
  CHECK(quota_of("cinder",
                 "read_iops_sec_per_gb=1 read_iops_sec_per_gb_min=500 read_iops_sec_max=300", 1000)
            .read.iops->value == 300);
  CHECK(quota_of("cinder", "read_iops_sec_per_gb=0 read_iops_sec_per_gb_min=500", 1000)
            .read.iops->value == 500);
}

TEST_CASE("without a limit per GB, _max of Cinder is a burst of one second's credits") {
  const Quota quota =
      quota_of("cinder", "consumer=both total_iops_sec=1000 total_iops_sec_max=2000", 100);
  CHECK(quota.total.iops->value == 1000);
  REQUIRE(quota.iops_burst);
  CHECK(quota.iops_burst->rate == 2000);
  CHECK(*quota.iops_burst->bucket == 2000);
  CHECK(*quota.iops_burst->refill == 1000);
  CHECK(*quota.iops_burst->seconds == 2);
  CHECK_FALSE(quota_of("cinder", "total_iops_sec=1000 total_iops_sec_max=1000", 100).iops_burst);
}

TEST_CASE("the profile of a Cinder spec is this") {
  const Result<std::string> yaml =
      import_profile("cinder", cinder_json,
                     {.file = "gold \"1\".json", .id = "ourcloud-gold", .today = "2026-11-30"});
  REQUIRE(yaml);
  CHECK(*yaml == R"(id: "ourcloud-gold"
vendor: {en: Private cloud, zh: 私有云}
name: {en: "OpenStack Cinder QoS specs", zh: "OpenStack Cinder QoS 规格"}
capacity: {min: 1, max: 65536, step: 1}   # not known from the limits; set what you provision
quota:
  iops:
    value: min(max(500, 30*gib), 5000)
  throughput:
    value: gib
    unit: MiB/s
conditions:
  - {en: "attached anew after its last resize: limits per GB are not applied to an attached volume", zh: "最近一次扩容后重新挂载过：按容量计算的限速不会作用于已挂载的卷"}
sources:
  - {title: "gold \"1\".json, read as OpenStack Cinder QoS specs", url: "https://docs.openstack.org/cinder/latest/admin/capacity-based-qos.html", read: 2026-11-30}
published:
  - {gib: 100, iops: 3000, throughput: 100, derived: true}
  - {gib: 1000, iops: 5000, throughput: 1000, derived: true}
)");
}

TEST_CASE("the API's answer and the client's YAML say the same as words") {
  const std::string words = yaml_of("cinder", "consumer=front-end read_bytes_sec=1000000");
  CHECK(yaml_of("cinder", R"({"qos_specs":{"consumer":"front-end","name":"a","id":"b",
                              "specs":{"read_bytes_sec":"1000000"}}})") == words);
  CHECK(yaml_of("cinder",
                "consumer: front-end\nname: gold\nproperties:\n  read_bytes_sec: '1000000'\n") ==
        words);
}

TEST_CASE(
    "a spec that the driver enforces as well says that its keys may mean something else there") {
  const std::string says = "the volume driver enforces this spec as well";
  CHECK(yaml_of("cinder", "consumer=both total_iops_sec=5").find(says) != std::string::npos);
  CHECK(yaml_of("cinder", "consumer=front-end total_iops_sec=5").find(says) == std::string::npos);
}

TEST_CASE("what Cinder and Nova would ignore is an error") {
  check_faults(
      "cinder",
      {{"total_iop_sec=500",
        "limits:1:1: unknown key 'total_iop_sec'; did you mean "
        "'total_iops_sec'?"},
       {"total_iops_sec=500\ntotal_iops_sec_max_length=5",
        "limits:2:1: unknown key 'total_iops_sec_max_length'; did you mean 'total_iops_sec_max'?"},
       {"total_iops_sec_per_gb_min=500",
        "limits:1:1: total_iops_sec_per_gb_min has no effect without a limit per GB"},
       {"total_iops_sec=100 total_iops_sec_per_gb=3",
        "limits:1:1: total_iops_sec has no effect beside total_iops_sec_per_gb, which replaces it; "
        "remove one"},
       {"total_iops_sec_per_gb=3 total_iops_sec_max=0",
        "limits:1:44: total_iops_sec_max of 0 caps total_iops_sec_per_gb at 0, which means no "
        "limit; remove it"},
       {"total_iops_sec=100 total_iops_sec=200",
        "limits:1:20: total_iops_sec is given twice; total_iops_sec is in line 1"},
       {R"({"consumer": "back-end", "properties": {"maxBWS": "100"}})",
        "limits:1:15: consumer is back-end: the volume driver has keys and units of its own; write "
        "that profile by hand"},
       {"consumer=frontend total_iops_sec=1",
        "limits:1:10: consumer 'frontend' is none of front-end, back-end, both"},
       {"+-----+\n| key | total_iops_sec='5' |",
        "limits:1:1: this is a table for people; add -f json to the command that printed it"},
       {"consumer=both maxBWS=100", "limits:1:15: unknown key 'maxBWS'"}});
}

TEST_CASE("what QEMU refuses is an error in every layer above it") {
  check_faults(
      "cinder",
      {{"total_iops_sec=500 read_iops_sec=100",
        "limits:1:20: total_iops_sec and read_iops_sec exclude each other; keep the total, or "
        "reads "
        "and writes"},
       {"total_bytes_sec_per_gb=500 write_bytes_sec=100",
        "limits:1:28: total_bytes_sec_per_gb and write_bytes_sec exclude each other; keep the "
        "total, or reads and writes"},
       {"read_iops_sec_max=500",
        "limits:1:1: read_iops_sec_max needs the limit above which it is a burst"},
       {"read_iops_sec=600 read_iops_sec_max=500",
        "limits:1:37: read_iops_sec_max of 500 is below the limit of 600"},
       {"read_bytes_sec=600 size_iops_sec=4096",
        "limits:1:20: size_iops_sec has no effect without a limit of IOPS"},
       {"total_iops_sec=1000000000000001",
        "limits:1:16: total_iops_sec of 1000000000000001 is above the limit of 10^15"},
       {"total_iops_sec=99999999999999999999999",
        "limits:1:16: total_iops_sec of 99999999999999999999999 is above the limit of 10^15"},
       {"total_bytes_sec=100MB",
        "limits:1:17: expected a whole number without unit for total_bytes_sec, not '100MB'"},
       {"total_iops_sec=-1",
        "limits:1:16: expected a whole number without unit for total_iops_sec, not '-1'"},
       {"total_iops_sec=1.5",
        "limits:1:16: expected a whole number without unit for total_iops_sec, not '1.5'"},
       {"total_iops_sec=", "limits:1:1: total_iops_sec has no value"}});
  check_faults("qemu", {{"iops-total=5,iops-total-max-length=2",
                         "limits:1:14: iops-total-max-length has no burst rate to go with"},
                        {"iops-total=5,iops-total-max=9,iops-total-max-length=0",
                         "limits:1:53: iops-total-max-length must be at least 1 s"}});
}

TEST_CASE("0 means no limit, and a file without any limit is an error") {
  const Quota quota =
      quota_of("cinder", "total_iops_sec=0 read_iops_sec=100 total_bytes_sec=0", 100);
  CHECK(quota.read.iops->value == 100);
  CHECK_FALSE(quota.write.iops);
  CHECK_FALSE(quota.total.iops);
  CHECK_FALSE(quota.read.throughput);
  const std::string message =
      "limits:1:1: no limit is set here; there is nothing to hold a disk to";
  check_faults("cinder", {{"total_iops_sec=0", message}, {"[]", message}});
  check_faults("libvirt", {{"<iotune/>", message}});
  check_faults("io.max", {{"8:16 rbps=max", message}});
  check_faults("qemu", {{"", message}, {"{}", message}});
}

TEST_CASE("iotune is read out of a whole domain") {
  const Quota quota = quota_of("libvirt", libvirt_domain, 20);
  CHECK(quota.read.iops->value == 1000);
  CHECK(quota.write.iops->value == 500);
  CHECK_FALSE(quota.total.iops);
  CHECK(quota.total.throughput->value == 52428800);
  CHECK(quota.read.throughput->value == 52428800);
  CHECK(quota_of("libvirt", libvirt_domain, 2000).read.iops->value == 1000);
  // 3000 for 60 s: 180000 credits go at 2000 a second; that of writes lasts 6 s.
  REQUIRE(quota.iops_burst);
  CHECK(quota.iops_burst->rate == 3000);
  CHECK(*quota.iops_burst->bucket == 180000);
  CHECK(*quota.iops_burst->seconds == 90);
  // 6 KiB count as 1.5 operations.
  REQUIRE(quota.io_unit);
  CHECK(quota.io_unit->size.value == 4096);
  CHECK_FALSE(quota.io_unit->rounds_up);
  const std::string yaml = yaml_of("libvirt", libvirt_domain);
  CHECK(yaml.find("note: \"the longest burst, iops: that of reads\"") != std::string::npos);
  CHECK(
      yaml.find("shared by all disks of throttle group data \\\"x\\\": the others must be idle") !=
      std::string::npos);
}

TEST_CASE("XML that is not an iotune, or not of one disk, is an error") {
  check_faults(
      "libvirt",
      {{"<iotune>\n <total_iops>5</total_iops>\n</iotune>",
        "limits:2:2: unknown key 'total_iops'; did you mean 'total_iops_sec'?"},
       {"<disk></disk>", "limits:1:14: no <iotune> in this file"},
       {"<a><iotune/><iotune/></a>", "limits:1:13: a second <iotune>; keep the <disk> to test"},
       {"<disk><throttlefilters/></disk>",
        "limits:1:7: <throttlefilters>: chained throttle groups are not read; make an <iotune> of "
        "the tightest limits"},
       {"<iotune><total_iops_sec unit='K'>5</total_iops_sec></iotune>",
        "limits:1:9: <total_iops_sec> has attributes, which libvirt ignores"},
       {"<iotune><total_iops_sec>5<b/></total_iops_sec></iotune>",
        "limits:1:26: <b> is not expected here"},
       {"<iotune><total_iops_sec>5<!-- -->6</total_iops_sec></iotune>",
        "limits:1:34: <total_iops_sec> holds more than a value"},
       {"<iotune><total_iops_sec>&five;</total_iops_sec></iotune>",
        "limits:1:25: expected a whole number without unit for total_iops_sec, not '&five;'"},
       {"<iotune>\n<total_iops_sec>5</total_iops>",
        "limits:2:18: </total_iops> closes <total_iops_sec> of line 2"},
       {"<iotune>5</iotune>", "limits:1:9: expected an element within <iotune>, not text"},
       {"<iotune><total_iops_sec/></iotune>", "limits:1:9: total_iops_sec has no value"},
       {"</iotune>", "limits:1:1: </iotune> closes nothing"},
       {"total_iops_sec=5", "limits:1:1: expected an XML element, not text"},
       {"<!DOCTYPE a [<!ENTITY b 'c'>]><iotune/>",
        "limits:1:1: document types and CDATA are not read here; take them out"},
       {"<!-- <iotune/>", "limits:1:1: comment is not closed"},
       {"<iotune a='", "limits:1:1: the tag <iotune is not closed"}});
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<a>";
  check_faults("libvirt", {{deep, "limits:1:193: nested deeper than 64 elements"}});
}

TEST_CASE("QEMU's options, its throttle group and its monitor command say the same") {
  const std::string group =
      R"({"qom-type": "throttle-group", "id": "tg0", "limits": {"iops-total": 100,
          "iops-total-max": 2000, "iops-total-max-length": 60, "bps-read": 100000000}})";
  const std::string monitor =
      R"({"execute": "block_set_io_throttle", "arguments": {"device": "d0", "bps": 0,
          "bps_rd": 100000000, "bps_wr": 0, "iops": 100, "iops_rd": 0, "iops_wr": 0,
          "iops_max": 2000, "iops_max_length": 60}})";
  const std::string object =
      "-object throttle-group,id=tg0,x-iops-total=100,x-iops-total-max=2000,"
      "limits.iops-total-max-length=60,x-bps-read=100000000";
  const std::string yaml = yaml_of("qemu", qemu_drive);
  for (const std::string& other : {group, monitor, object}) CHECK(yaml_of("qemu", other) == yaml);
  const Quota quota = quota_of("qemu", qemu_drive, 50);
  CHECK(quota.read.iops->value == 100);
  CHECK(quota.read.throughput->value == 100e6);
  CHECK_FALSE(quota.write.throughput);
  // The example of QEMU's own document: a minute, and about 3 s that the leak adds.
  REQUIRE(quota.iops_burst);
  CHECK(*quota.iops_burst->bucket == 120000);
  CHECK(*quota.iops_burst->seconds == Approx(63.157894736842));
  CHECK(quota_of("qemu", qemu_drive, 5000).read.iops->value == 100);
}

TEST_CASE("misspelt options of QEMU are errors, nested ones at their own place") {
  check_faults(
      "qemu",
      {{"file=a,throtling.iops-total=100",
        "limits:1:8: unknown key 'throtling.iops-total'; did you mean 'throttling.iops-total'?"},
       {"{\"limits\": {\"bps-reed\": 5}}",
        "limits:1:13: unknown key 'limits.bps-reed'; did you mean 'limits.bps-read'?"},
       {"iops=5 throttling.iops-total=6",
        "limits:1:8: throttling.iops-total is given twice; iops is in line 1"},
       {"{\"iops\": [5]}", "limits:1:2: iops has no value"},
       {"{\"iops\": 5", "limits:1:1: a key must be a plain text"}});
}

TEST_CASE("io.max limits each direction and has no total") {
  for (const double gib : {10.0, 1000.0}) {
    const Quota quota = quota_of("io.max", io_max, gib);
    CHECK(quota.read.throughput->value == 2097152);
    CHECK_FALSE(quota.write.throughput);
    CHECK_FALSE(quota.read.iops);
    CHECK(quota.write.iops->value == 120);
    CHECK_FALSE(quota.total.iops);
    CHECK_FALSE(quota.total.throughput);
  }
  CHECK(yaml_of("io.max", io_max).find("on device 8:16") != std::string::npos);
  check_faults(
      "io.max",
      {{"8:16 rbps=0", "limits:1:11: rbps cannot be 0 here; no limit is 'max'"},
       {"8:16 riop=5", "limits:1:6: unknown key 'riop'; did you mean 'riops'?"},
       {"8:16 riops=5\n8:32 riops=6",
        "limits:2:1: limits of a second device, 8:32; keep the line of the disk to test"},
       {"riops=5", "limits:1:1: expected a device as MAJ:MIN, not 'riops'"},
       {"sda riops=5", "limits:1:1: expected a device as MAJ:MIN, not 'sda'"},
       {"", "limits:1:1: the file is empty"},
       {"8:16 rbps=1M", "limits:1:11: expected a whole number without unit for rbps, not '1M'"}});
}

TEST_CASE("a kind or an id that cannot be is an error") {
  const Result<std::string> kind = import_profile("cindr", "", {});
  REQUIRE_FALSE(kind);
  CHECK(kind.error().message ==
        "cannot import 'cindr': it is none of cinder, libvirt, qemu, io.max; did you mean "
        "'cinder'?");
  const Result<std::string> id = import_profile(
      "io.max", io_max, {.file = "limits", .id = "Gold\": x", .today = "2026-11-30"});
  REQUIRE_FALSE(id);
  CHECK(id.error().message.find("must be <vendor>-<type>") != std::string::npos);
}

TEST_CASE("a file cut short, mangled or too large is an error or a sound profile, in no time") {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"cinder", cinder_json},
      {"cinder", "total_iops_sec=10 total_bytes_sec=9"},
      {"libvirt", libvirt_domain},
      {"qemu", qemu_drive},
      {"io.max", io_max}};
  for (const auto& [kind, text] : files) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      std::string mangled = text;
      mangled[length] = static_cast<char>(mangled[length] ^ 0x9F);
      for (const std::string& broken : {text.substr(0, length), mangled}) {
        INFO(kind << ": " << broken);
        const Result<std::string> yaml = import(kind, broken);
        const bool sound = yaml ? parse_profile(*yaml, "imported.yaml").has_value()
                                : yaml.error().message.starts_with("limits:");
        CHECK(sound);
      }
    }
    const Result<std::string> large = import(kind, std::string(64 * 1024 + 1, ' '));
    REQUIRE_FALSE(large);
    CHECK(large.error().message == "limits:1:1: file is larger than 64 KiB");
    for (const char c : {'a', ',', '<', '{', ' ', '\n', '\0', '='}) {
      CHECK_FALSE(import(kind, std::string(64 * 1024, c)));
    }
  }
}
