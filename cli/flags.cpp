#include "cli/flags.h"

#include <algorithm>

#include "lgn/core/setting.h"

namespace lgn::cli {

std::string with_flags(const std::string& message) {
  return write_settings(message, [](std::string_view name, std::string_view value) {
    std::string flag = "--" + std::string(name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    return value.empty() ? flag : flag + ' ' + std::string(value);
  });
}

}  // namespace lgn::cli
