#include "report/bundle.hpp"

#include <fmt/format.h>

#include "report/gzip.hpp"
#include "report/sha256.hpp"

namespace diskaudit {
namespace {

struct Part {
  const char* format;
  const char* name;
  bool compressed = false;
};

constexpr Part parts[] = {{"html", "report.html"},  {"json", "record.json", true},
                          {"text", "card.txt"},     {"ticket", "ticket.txt"},
                          {"fio", "scenarios.fio"}, {"csv", "series.csv"}};

}  // namespace

std::vector<NamedFile> bundle_of(const Audit& audit, const ReportStyle& style) {
  std::vector<NamedFile> files;
  std::string sums;
  for (const Part& part : parts) {
    const auto format = find_format(part.format);
    if (!format) continue;
    NamedFile file{part.name, (*format)->render(audit, style)};
    if (part.compressed || file.content.size() > largest_attachment) {
      file = {file.name + ".gz", gzipped(file.content)};
    }
    sums += fmt::format("{}  {}\n", sha256(file.content), file.name);
    files.push_back(std::move(file));
  }
  files.push_back({"SHA256SUMS", std::move(sums)});
  return files;
}

}  // namespace diskaudit
