#include "log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "files.hpp"
#include "output.hpp"
#include "report/note_words.hpp"
#include "text.hpp"

namespace diskaudit {
namespace {

std::shared_ptr<spdlog::logger>& logger() {
  static auto shared = [] {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    sink->set_pattern("diskaudit: %v");
    auto made = std::make_shared<spdlog::logger>("diskaudit", std::move(sink));
    made->set_level(spdlog::level::trace);
    made->sinks().front()->set_level(spdlog::level::info);
    return made;
  }();
  return shared;
}

Language language = Language::English;

// Messages carry names from devices, files and the user: none may steer a terminal.
void write(spdlog::level::level_enum level, const std::string& message) {
  logger()->log(level, "{}", sanitised(message, 4096));
}

}  // namespace

Result<void> set_up_log(const Options& options) {
  language = language_for(options.lang);
  auto& sinks = logger()->sinks();
  if (options.verbose) sinks.front()->set_level(spdlog::level::debug);
  if (options.quiet) sinks.front()->set_level(spdlog::level::warn);
  if (options.log.empty()) return {};
  if (auto writable = check_writable(options.log); !writable) return writable;
  try {
    auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.log);
    file->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    sinks.push_back(std::move(file));
  } catch (const spdlog::spdlog_ex& error) {
    return refusal(fmt::format("cannot write log {}: {}", options.log, error.what()));
  }
  return {};
}

std::string said(const std::string& message) { return note_in(message, language); }

void log_error(const std::string& message) { write(spdlog::level::err, said(message)); }
void log_warning(const std::string& message) {
  const char* lead = language == Language::Chinese ? "警告：" : "warning: ";
  write(spdlog::level::warn, lead + said(message));
}
void log_notice(const std::string& message) { write(spdlog::level::info, said(message)); }
void log_detail(const std::string& message) { write(spdlog::level::debug, message); }

}  // namespace diskaudit
