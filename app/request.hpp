#pragma once
/// From the options to what an audit needs to know, before anything is touched.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "output.hpp"
#include "plan/plan.hpp"
#include "profile/profile.hpp"
#include "runner/runner.hpp"
#include "runner/test_area.hpp"

namespace diskaudit {

/// Names and values of `--input`, as typed.
using InputWords = std::vector<std::pair<std::string, std::string>>;

/// What the user asked for, checked as far as that goes without looking at the disk.
struct Request {
  std::optional<Profile> profile{};  ///< none for `measure`
  std::optional<Bytes> size{};       ///< provisioned; none = the device's own
  InputWords inputs{};               ///< as the profile will read them
  PlanOptions plan{};
  FileOptions file{};
  std::optional<Bytes> reserve{};
  EngineChoice engine = EngineChoice::Auto;
  Outputs outputs{};
};

Result<Request> make_request(const Options& options);

/// `--input NAME=VALUE`, each name once.
Result<InputWords> parse_inputs(const std::vector<std::string>& inputs);

/// The profile that the options name, as of the day that they name.
Result<Profile> named_profile(const std::string& name, const Options& options);

/// The vendor's other types, kept with the plan so that a record needs no library to be judged. A
/// library that cannot be read costs a hint, not the audit.
std::vector<Alternative> find_alternatives(const Plan& plan);

/// `--instance-iops`, `--instance-throughput`
Result<void> add_instance_caps(InstanceCaps& caps, const Options& options);

}  // namespace diskaudit
