#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "commands.hpp"
#include "files.hpp"
#include "log.hpp"
#include "output.hpp"
#include "report/bundle.hpp"
#include "report/clock_text.hpp"
#include "report/gzip.hpp"
#include "saved_record.hpp"
#include "signals.hpp"

namespace diskaudit {
namespace {

namespace fs = std::filesystem;

// "2026-11-30T16:15:04.123Z" → "diskaudit-20261130T161504Z"
std::string default_name(const Audit& audit) {
  std::string time = sanitised(audit.started.substr(0, 19), 19);
  std::erase_if(time, [](char c) { return c == '-' || c == ':' || c == '/' || c == '.'; });
  return fmt::format("diskaudit-{}Z", time);
}

bool is_tar(const fs::path& place) {
  const std::string name = place.string();
  return name.ends_with(".tar") || name.ends_with(".tar.gz") || name.ends_with(".tgz");
}

// "bundle.tar.gz" unpacks into "bundle".
std::string folder_in(const fs::path& place) {
  const std::string name = place.filename().string();
  return name.substr(0, std::min(name.find(".t"), std::size_t{60}));
}

Result<void> write_tar(const fs::path& place, std::span<const NamedFile> files,
                       const Audit& audit) {
  const std::int64_t time = unix_milliseconds(audit.started).value_or(0) / 1000;
  const std::string tar = tar_of(files, folder_in(place), time);
  return write_whole(place, place.extension() == ".tar" ? tar : gzipped(tar));
}

// Under a temporary name first: a folder is whole or not there.
Result<void> write_folder(const fs::path& place, std::span<const NamedFile> files) {
  const fs::path temporary = fmt::format("{}.tmp.{}", place.string(), getpid());
  std::error_code error;
  if (!fs::create_directory(temporary, error) || error) {
    return refusal(fmt::format("cannot create {}: {}", temporary.string(),
                               error ? error.message() : "it exists; remove it first"));
  }
  fs::permissions(temporary, fs::perms::owner_all, error);
  Result<void> written;
  for (const NamedFile& file : files) {
    if (written) written = write_whole(temporary / file.name, file.content);
  }
  if (written) {
    fs::rename(temporary, place, error);
    if (error) {
      written = refusal(fmt::format("cannot name {}: {}", place.string(), error.message()));
    }
  }
  if (!written) fs::remove_all(temporary, error);
  return written;
}

Result<fs::path> place_for(const Options& options, const Audit& audit) {
  std::string name = options.outputs.empty() ? default_name(audit) : options.outputs.front();
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  const fs::path place = name;
  std::error_code error;
  if (fs::exists(fs::symlink_status(place, error))) {
    return refusal(fmt::format("cannot write {}: it exists; name another with -o", name));
  }
  if (auto fine = check_writable(place); !fine) return std::unexpected(fine.error());
  return place;
}

}  // namespace

Result<int> run_bundle_command(const Options& options) {
  const auto redaction = parse_redaction(options.redact.empty() ? "ticket" : options.redact);
  if (!redaction) return std::unexpected(redaction.error());
  auto audit = read_saved_record(options.arguments.front());
  if (!audit) return std::unexpected(audit.error());
  *audit = redacted(std::move(*audit), *redaction);
  const auto place = place_for(options, *audit);
  if (!place) return std::unexpected(place.error());
  ReportStyle style = style_for(options);
  style.colour = false;
  style.utf8 = true;
  const auto files = bundle_of(*audit, style);
  for (const NamedFile& file : files) {
    if (file.content.size() <= largest_attachment) continue;
    log_warning(fmt::format("{} is over 5 MB even compressed; split it to attach it", file.name));
  }
  catch_signals();  // half a folder would be left
  auto written = is_tar(*place) ? write_tar(*place, files, *audit) : write_folder(*place, files);
  if (!written) return std::unexpected(written.error());
  log_notice(fmt::format("bundle: {}", place->string()));
  return static_cast<int>(ExitCode::Pass);
}

}  // namespace diskaudit
