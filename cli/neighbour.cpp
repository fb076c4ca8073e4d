#include "cli/neighbour.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "lgn/core/error.h"

namespace lgn::cli {

namespace fs = std::filesystem;

std::string find_neighbour(const std::string& name) {
  std::error_code problem;
  const fs::path here = fs::read_symlink("/proc/self/exe", problem).parent_path();
  for (const fs::path& path : {here / name, here / "../libexec/lgn" / name})
    if (fs::is_regular_file(path, problem)) return path;
  return {};
}

void become_neighbour(const std::string& name, char** words) {
  const std::string path = find_neighbour(name);
  if (path.empty()) return;
  ::execv(path.c_str(), words);
  throw Error("cannot be started: " + std::generic_category().message(errno), "", {path, 0, 0});
}

}  // namespace lgn::cli
