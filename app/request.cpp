#include "request.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "files.hpp"
#include "profile_folders.hpp"
#include "stdout.hpp"

namespace diskaudit {
namespace {

constexpr double longest_runtime = 7 * 24 * 3600;

// A vendor that promises all of the quota is held to this much: a file system's own writes count
// against the same quota, and a healthy disk must not fail for them.
constexpr double strictest_percent = 97;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<double> parse_number(const std::string& text, const std::string& what) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return usage_error(fmt::format("{}: '{}' is not a number", what, text));
  }
  return value;
}

Result<std::optional<double>> parse_runtime(const std::string& text) {
  if (text == "auto") return std::nullopt;
  const auto seconds = parse_number(text, "--runtime");
  if (!seconds || *seconds < 1 || *seconds > longest_runtime) {
    return usage_error(
        fmt::format("--runtime: '{}' is not a time; give seconds from 1 to {}, or auto", text,
                    longest_runtime));
  }
  return *seconds;
}

Result<void> add_profile(Request& request, const Options& options) {
  if (options.command == Command::Measure) return {};
  if (options.profile.empty()) {
    return usage_error(
        "no profile given; name one with --profile (see: diskaudit profiles list), "
        "or use: diskaudit measure");
  }
  auto profile = named_profile(options.profile, options);
  if (!profile) return std::unexpected(profile.error());
  request.profile = std::move(*profile);
  return {};
}

Result<void> add_sizes(Request& request, const Options& options) {
  if (options.size) {
    const auto size = parse_size(*options.size, GiB);
    if (!size) return usage_error("--size: " + size.error().message);
    request.size = *size;
  }
  request.file.size = Bytes{5 * GiB};
  if (options.test_size) {
    const auto size = parse_size(*options.test_size, GiB);
    if (!size) return usage_error("--test-size: " + size.error().message);
    request.file.size = *size;
    request.file.size_given = true;
  }
  if (options.reserve) {
    const auto reserve = parse_size(*options.reserve, GiB);
    if (!reserve) return usage_error("--reserve: " + reserve.error().message);
    request.reserve = *reserve;
  }
  return {};
}

Result<void> add_inputs(Request& request, const Options& options) {
  auto inputs = parse_inputs(options.inputs);
  if (!inputs) return std::unexpected(inputs.error());
  request.inputs = std::move(*inputs);
  return {};
}

Result<void> add_plan_options(Request& request, const Options& options) {
  PlanOptions& plan = request.plan;
  auto scenarios =
      options.scenarios.empty() ? suite(options.suite) : pick_scenarios(options.scenarios);
  if (!scenarios) return std::unexpected(scenarios.error());
  plan.scenarios = std::move(*scenarios);
  const auto runtime = parse_runtime(options.runtime);
  if (!runtime) return std::unexpected(runtime.error());
  plan.runtime_seconds = *runtime;
  plan.ramp_seconds = options.ramp;
  plan.read_only = options.read_only;
  plan.iodepth = options.iodepth;
  plan.threads = options.threads;
  if (request.profile && request.profile->promise && request.profile->promise->percent) {
    plan.tolerance = {std::min(*request.profile->promise->percent, strictest_percent), "profile"};
  }
  if (options.min_percent) plan.tolerance = {*options.min_percent, "user"};
  if (options.instance_iops) plan.instance.iops = Iops{*options.instance_iops};
  if (options.instance_throughput) {
    const auto throughput = parse_throughput(*options.instance_throughput);
    if (!throughput) return usage_error("--instance-throughput: " + throughput.error().message);
    plan.instance.throughput = *throughput;
  }
  return {};
}

EngineChoice engine_named(const std::string& name) {
  if (name == "io_uring") return EngineChoice::IoUring;
  return name == "libaio" ? EngineChoice::Libaio : EngineChoice::Auto;
}

bool wants_colour(const std::string& when) {
  if (when != "auto") return when == "always";
  if (!environment("NO_COLOR").empty()) return false;
  const std::string_view forced = environment("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return environment("TERM") != "dumb" && isatty(STDOUT_FILENO) == 1;
}

// The first of LC_ALL, the category and LANG that is set decides, as everywhere.
std::string_view locale_for(const char* category) {
  for (const char* name : {"LC_ALL", category, "LANG"}) {
    if (!environment(name).empty()) return environment(name);
  }
  return "";
}

bool speaks_utf8() {
  const std::string_view locale = locale_for("LC_CTYPE");
  return locale.find("UTF-8") != std::string_view::npos ||
         locale.find("utf8") != std::string_view::npos;
}

}  // namespace

Result<InputWords> parse_inputs(const std::vector<std::string>& inputs) {
  InputWords parsed;
  for (const std::string& input : inputs) {
    const std::size_t equals = input.find('=');
    if (equals == std::string::npos || equals == 0) {
      return usage_error(fmt::format("--input: '{}' is not NAME=VALUE", input));
    }
    std::string name = input.substr(0, equals);
    if (name == "gib") return usage_error("--input: gib is the size; say it with --size");
    if (std::ranges::find(parsed, name, &InputWords::value_type::first) != parsed.end()) {
      return usage_error(fmt::format("--input: {} is given twice", name));
    }
    parsed.emplace_back(std::move(name), input.substr(equals + 1));
  }
  return parsed;
}

Result<Profile> named_profile(const std::string& name, const Options& options) {
  auto profile = find_profile(profile_library(), name);
  if (!profile || options.as_of.empty()) return profile;
  return as_of(*profile, options.as_of);
}

Language language_for(const std::string& wanted) {
  if (wanted == "auto") {
    return locale_for("LC_MESSAGES").starts_with("zh") ? Language::Chinese : Language::English;
  }
  return wanted == "zh" ? Language::Chinese : Language::English;
}

Result<void> add_outputs(Request& request, const Options& options) {
  auto format = find_format(options.format);
  if (!format) return usage_error("--format: " + format.error().message);
  request.format = *format;
  request.style.colour = wants_colour(options.color);
  request.style.utf8 = speaks_utf8();
  request.style.language = language_for(options.lang);
  for (const std::string& output : options.outputs) {
    const std::size_t colon = output.find(':');
    const auto prefixed = find_format(output.substr(0, colon));
    const bool has_prefix = colon != std::string::npos && prefixed.has_value();
    const std::string file = has_prefix ? output.substr(colon + 1) : output;
    const auto chosen = has_prefix ? prefixed : format_for_file(file);
    if (!chosen) return usage_error(fmt::format("-o {}: {}", output, chosen.error().message));
    if (auto writable = check_writable(file); !writable) return writable;
    request.outputs.push_back({file, *chosen});
  }
  return {};
}

Result<void> show(const Audit& audit, const Request& request) {
  Result<void> shown;
  for (const Output& output : request.outputs) {
    const auto written = write_whole(output.file, output.format->render(audit, request.style));
    if (!written && shown) shown = written;
  }
  const auto printed = print_to_stdout(request.format->render(audit, request.style));
  return shown ? printed : shown;
}

Result<Request> make_request(const Options& options) {
  Request request;
  for (const auto add : {add_profile, add_sizes, add_inputs, add_plan_options, add_outputs}) {
    if (auto added = add(request, options); !added) return std::unexpected(added.error());
  }
  request.engine = engine_named(options.engine);
  return request;
}

}  // namespace diskaudit
