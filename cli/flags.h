#pragma once

#include <string>

namespace lgn::cli {

/// A message of the library with its settings as they are typed: `structure: network` becomes
/// --structure network (lgn/core/setting.h).
std::string with_flags(const std::string& message);

}  // namespace lgn::cli
