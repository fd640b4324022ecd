#include "keep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files.hpp"
#include "log.hpp"
#include "report/report.hpp"

namespace diskaudit {
namespace {

// "2026-11-30T16:15:04.123Z" → "20261130T161504Z", which sorts and needs no quoting.
std::string compact(std::string time) {
  if (const std::size_t point = time.find('.'); point != std::string::npos) {
    time = time.substr(0, point) + "Z";
  }
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return time;
}

}  // namespace

Result<Keeper> Keeper::open(bool off, const Audit& audit) {
  Keeper keeper;
  if (off) return keeper;
  const auto folder = state_folder();
  if (!folder) return std::unexpected(folder.error());
  const std::string what = audit.plan.profile ? audit.plan.profile->id : "measure";
  keeper.file_ =
      *folder / fmt::format("{}-{}-{}.json", compact(audit.started), what, audit.id.substr(0, 8));
  return keeper;
}

Result<void> Keeper::keep(const Audit& audit) {
  if (file_.empty()) return {};
  const auto format = find_format("json");
  if (!format) return std::unexpected(format.error());
  auto written = write_whole(file_, (*format)->render(audit, {}));
  kept_ = kept_ || written;
  return written;
}

void Keeper::say_where() const {
  if (kept_) log_notice(fmt::format("record: {}", file_.string()));
}

}  // namespace diskaudit
