#pragma once
/// Which term of a formula binds at which size: where the next cap takes over.

#include <string>
#include <vector>

#include "profile/profile.hpp"

namespace diskaudit {

/// From `gib` on, until the next stretch, the formula's value is that of `term`.
struct Stretch {
  double gib = 0;
  std::string term{};
};

/// The stretches of the whole capacity range, with the inputs as given; sizes to the GiB.
std::vector<Stretch> stretches_of(const Formula& formula, const Profile& profile,
                                  const Inputs& given);

/// `inputs` without those that are as the defaults would have them: they may follow the size.
Inputs without_defaults(const Profile& profile, const Inputs& inputs);

}  // namespace diskaudit
