#include "request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "log.hpp"
#include "plan/alternatives.hpp"
#include "profile_folders.hpp"

namespace diskaudit {
namespace {

constexpr double longest_runtime = 7 * 24 * 3600;

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
  for (const Scenario& scenario : plan.scenarios) {
    if (!request.file.size_given)
      request.file.size = std::max(request.file.size, scenario.min_span);
  }
  const auto runtime = parse_runtime(options.runtime);
  if (!runtime) return std::unexpected(runtime.error());
  plan.runtime_seconds = *runtime;
  plan.ramp_seconds = options.ramp;
  plan.read_only = options.read_only;
  plan.until_baseline = options.until_baseline;
  plan.iodepth = options.iodepth;
  plan.threads = options.threads;
  plan.tolerance = tolerance_of(request.profile ? &*request.profile : nullptr, options.min_percent);
  return add_instance_caps(plan.instance, options);
}

EngineChoice engine_named(const std::string& name) {
  if (name == "io_uring") return EngineChoice::IoUring;
  return name == "libaio" ? EngineChoice::Libaio : EngineChoice::Auto;
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
  if (profile && profile->replaces) {
    log_notice(
        fmt::format("{} is a profile of your own, in place of the shipped one", profile->id));
  }
  if (!profile || options.as_of.empty()) return profile;
  return as_of(*profile, options.as_of);
}

Result<void> add_instance_caps(InstanceCaps& caps, const Options& options) {
  if (options.instance_iops) caps.iops = Iops{*options.instance_iops};
  if (options.instance_throughput) {
    const auto throughput = parse_throughput(*options.instance_throughput);
    if (!throughput) return usage_error("--instance-throughput: " + throughput.error().message);
    caps.throughput = *throughput;
  }
  return {};
}

std::vector<Alternative> find_alternatives(const Plan& plan) {
  if (!plan.profile) return {};
  const auto profiles = load_all(profile_library());
  return profiles ? alternatives_of(plan, *profiles) : std::vector<Alternative>{};
}

Result<Request> make_request(const Options& options) {
  Request request;
  for (const auto add : {add_profile, add_sizes, add_inputs, add_plan_options}) {
    if (auto added = add(request, options); !added) return std::unexpected(added.error());
  }
  auto outputs = make_outputs(options);
  if (!outputs) return std::unexpected(outputs.error());
  request.outputs = std::move(*outputs);
  request.engine = engine_named(options.engine);
  return request;
}

}  // namespace diskaudit
