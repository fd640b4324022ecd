#pragma once
/// What people call a disk type: its code or name, alone or behind the vendor's name.

#include <string>
#include <string_view>

#include "profile/profile.hpp"

namespace diskaudit {

/// How close a name comes to a profile, closest first.
enum class Call {
  Name,  ///< the id, an alias or the name, or a code or name behind the vendor's: "AWS gp3",
         ///< "华为云 SAS"
  Type,  ///< the end of the id behind the vendor's name: "Tencent standard"
  Part,  ///< a code or the end of the id alone, where files give them with the vendor's: "SAS"
  None,
};

/// Letter case, spaces, `_`, `-` and the like do not matter. `folder` is the vendor's in the
/// library.
Call how_called(const Profile& profile, std::string_view folder, std::string_view name);

/// Whether the vendor of the profile goes by that name: "Alibaba Cloud", "阿里云", "Aliyun".
bool is_vendor(const Profile& profile, std::string_view name);

}  // namespace diskaudit
