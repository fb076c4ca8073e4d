#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/design/expression.h"

namespace lgn {
namespace {

/// * and ? as in names of files.
bool matches(const std::string& pattern, const std::string& name, std::size_t p = 0,
             std::size_t n = 0) {
  for (; p < pattern.size(); ++p, ++n) {
    if (pattern[p] == '*') {
      for (std::size_t rest = n; rest <= name.size(); ++rest)
        if (matches(pattern, name, p + 1, rest)) return true;
      return false;
    }
    if (n == name.size() || (pattern[p] != '?' && pattern[p] != name[n])) return false;
  }
  return n == name.size();
}

}  // namespace

void complain_at(const std::string& text, std::size_t place, const std::string& what,
                 const std::string& help) {
  throw Error(fmt::format("\"{}\", column {}: {}", text, place + 1, what), help);
}

std::string value_names(const NamedSystem& system) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  for (const auto& value : system.values())
    if (!value.fixed) names.push_back(value.name);
  if (names.size() > most) names.resize(most), names.emplace_back("…");
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<Index> matching_values(const std::string& pattern, const NamedSystem& system,
                                   const std::string& text, std::size_t place) {
  std::vector<Index> found;
  for (std::size_t k = 0; k < system.values().size(); ++k)
    if (matches(pattern, system.values()[k].name) && !system.values()[k].fixed)
      found.push_back(static_cast<Index>(k));
  if (found.empty())
    if (const Index k = system.find(pattern);
        k >= 0 && !system.values()[static_cast<std::size_t>(k)].fixed)
      found.push_back(k);
  if (!found.empty()) return found;
  const std::string help = "its values are " + value_names(system);
  const std::string what = "the model has no value \"" + pattern + "\"";
  if (text.empty()) throw Error(what, help);
  complain_at(text, place, what, help);
}

}  // namespace lgn
