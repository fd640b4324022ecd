/// Runs one job of the measuring engine and prints one line: IOPS, CPU per I/O, what was in force.

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "runner/runner.hpp"

using namespace diskaudit;

namespace {

std::uint64_t size_of(int fd) {
  std::uint64_t size = 0;
  if (::ioctl(fd, BLKGETSIZE64, &size) == 0) return size;
  struct stat status {};
  ::fstat(fd, &status);
  return static_cast<std::uint64_t>(status.st_size);
}

Job job_from(const std::vector<std::string>& words) {
  Job job;
  job.scenario.name = "bench";
  job.scenario.direction = words[1] == "write"   ? Direction::Write
                           : words[1] == "mixed" ? Direction::Mixed
                                                 : Direction::Read;
  job.scenario.read_percent = 70;
  job.scenario.pattern = words[2] == "sequential" ? Pattern::Sequential : Pattern::Random;
  job.scenario.block_size = Bytes{std::stoull(words[3])};
  job.iodepth = static_cast<unsigned>(std::stoul(words[4]));
  job.threads = static_cast<unsigned>(std::stoul(words[5]));
  job.ramp_seconds = 1;
  job.runtime_seconds = std::stod(words[6]);
  return job;
}

void print(const Measurement& m) {
  std::string features;
  for (const std::string& feature : m.engine_features) features += " " + feature;
  rusage self{}, child{};
  ::getrusage(RUSAGE_SELF, &self);
  ::getrusage(RUSAGE_CHILDREN, &child);
  fmt::print(
      "iops {:.0f} bytes {} cpu_us_per_io {:.3f} worker_share {:.3f} p50_us {:.1f} p99_us {:.1f} "
      "begin_ns {} end_ns {} rss_kib {} + {} engine {} features{}\n",
      iops(m), m.all.bytes, m.client.cpu_seconds * 1e6 / static_cast<double>(m.all.ios),
      m.client.busiest_worker_share, m.all.latency.p50, m.all.latency.p99, m.window_begin_ns,
      m.window_end_ns, self.ru_maxrss, child.ru_maxrss, m.engine, features);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 7) {
    fmt::print(stderr,
               "engine_bench PATH read|write|mixed random|sequential BLOCK_SIZE IODEPTH THREADS "
               "SECONDS [io_uring|libaio] [FEATURE_TO_LEAVE_OUT...]\n");
    return 2;
  }
  const Job job = job_from(words);
  const bool reads = job.scenario.direction == Direction::Read;
  const int fd = ::open(words[0].c_str(), (reads ? O_RDONLY : O_RDWR) | O_DIRECT | O_CLOEXEC);
  if (fd < 0) {
    fmt::print(stderr, "cannot open {}\n", words[0]);
    return 4;
  }
  RunnerOptions options;
  if (words.size() > 7 && words[7] == "libaio") options.engine = EngineChoice::Libaio;
  if (words.size() > 8) options.without_features.assign(words.begin() + 8, words.end());
  const TestArea area(fd, Bytes{size_of(fd)}, 512);
  const auto m = run_job(area, job, options, [](const Measurement&) { return false; });
  if (!m) {
    fmt::print(stderr, "{}\n", m.error().message);
    return 4;
  }
  print(*m);
  return m->all.errors == 0 ? 0 : 1;
}
