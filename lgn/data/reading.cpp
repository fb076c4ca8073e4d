#include "lgn/data/reading.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lgn {

std::vector<std::string> Reading::assumptions() const {
  std::vector<std::string> all;
  for (const auto& file : files)
    for (const auto& one : file.assumptions)
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  return all;
}

std::string Reading::line() const {
  const std::vector<std::string> all = assumptions();
  if (all.empty()) return {};
  std::vector<const FileReading*> concerned;
  for (const auto& file : files)
    if (!file.assumptions.empty()) concerned.push_back(&file);
  const std::string others =
      concerned.size() > 1 ? fmt::format(" and {} more", concerned.size() - 1) : std::string();
  return fmt::format("{}{}: {}", concerned.front()->file, others, fmt::join(all, "; "));
}

}  // namespace lgn
