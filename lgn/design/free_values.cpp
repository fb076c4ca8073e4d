#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/design/expression.h"
#include "lgn/design/free_values_internal.h"

namespace lgn {
namespace {

struct Range {
  double low, high;
};

double number(const std::string& word, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    throw Error(
        fmt::format("\"{}\", column {}: \"{}\" is no number", text, text.find(word) + 1, word),
        "bounds are written R*=1e-3:10 or R1:0.1..10");
  return value;
}

Range range(const std::string& words, const std::string& separator, const std::string& text) {
  const auto middle = words.find(separator);
  if (middle == std::string::npos)
    throw Error(
        fmt::format("\"{}\": bounds are two numbers with \"{}\" between them", text, separator),
        "as in R*=1e-3:10 or R1:0.1..10");
  const Range result{number(words.substr(0, middle), text),
                     number(words.substr(middle + separator.size()), text)};
  if (!(result.low <= result.high))
    throw Error(fmt::format("\"{}\": the lower bound is above the upper one", text),
                "write the smaller number first");
  if (result.low <= 0 && result.high >= 0)
    throw Error(fmt::format("\"{}\": bounds must not hold zero", text),
                "a value keeps its sign; begin at a small number such as 1e-6");
  return result;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= text.size(); ++k)
    if (k == text.size() || text[k] == separator) {
      std::string word = text.substr(begin, k - begin);
      word.erase(0, word.find_first_not_of(' '));
      word.erase(word.find_last_not_of(' ') + 1);
      words.push_back(word);
      begin = k + 1;
    }
  return words;
}

/// What was said about the values so far.
struct Said {
  const NamedSystem& system;
  std::vector<Index> free = {};
  std::map<Index, Range> bounds = {};
  std::vector<std::vector<Index>> ties = {};

  void set_free(Index k) {
    if (std::find(free.begin(), free.end(), k) == free.end()) free.push_back(k);
  }
  void tie(const std::string& text) {
    std::vector<Index> tied;
    for (const std::string& word : split(text, '='))
      for (const Index k : matching_values(word, system, text, text.find(word))) {
        tied.push_back(k);
        set_free(k);
      }
    ties.push_back(std::move(tied));
  }
  void read_free(const std::string& text) {
    if (text.empty())
      throw Error("a name is missing among the values that may change", "as in R1,R2");
    const auto colon = text.find(':');
    const std::string name = text.substr(0, colon);
    if (name.find('=') != std::string::npos) {
      tie(name);
      return;
    }
    for (const Index k : matching_values(name, system, text)) {
      set_free(k);
      if (colon != std::string::npos)
        bounds.insert_or_assign(k, range(text.substr(colon + 1), "..", text));
    }
  }
  void read_bounds(const std::string& text) {
    const auto equal = text.find('=');
    if (equal == std::string::npos)
      throw Error(fmt::format("\"{}\": bounds are written R*=1e-3:10", text));
    const std::string limits = text.substr(equal + 1);
    const Range both = range(limits, limits.find("..") != std::string::npos ? ".." : ":", text);
    const std::string name = split(text.substr(0, equal), ',')[0];
    bool any = false;
    for (const Index k : matching_values(name, system, text)) {
      any = any || std::find(free.begin(), free.end(), k) != free.end();
      bounds.insert_or_assign(k, both);
    }
    if (!any)
      throw Error(fmt::format("\"{}\": {} is not free, so that bounds do nothing", text, name),
                  "free it too, with " + setting("free", name));
  }
};

}  // namespace

Vector FreeValues::values(Vector p, const Vector& u) const {
  for (std::size_t k = 0; k < members.size(); ++k)
    p[members[k]] = sign[group[k]] * std::exp(u[group[k]]);
  return p;
}

FreeValues free_values(const NamedSystem& system, const DesignOptions& options) {
  Said said{system};
  for (const std::string& text : options.free)
    for (const std::string& word : split(text, ',')) said.read_free(word);
  for (const std::string& text : options.ties) said.tie(text);
  for (const std::string& text : options.bounds)
    for (const std::string& word : split(text, ',')) said.read_bounds(word);
  if (said.free.empty())
    throw Error("no value may change", "name those that may with " + setting("free", "R1,R2"));
  // Groups of tied values: of each, the first member that others are tied to.
  std::map<Index, Index> leader;
  for (const Index k : said.free) leader[k] = k;
  for (const auto& tied : said.ties)
    for (const Index k : tied) {
      const Index from = leader[k], to = leader[tied.front()];
      for (auto& [member, first] : leader)
        if (first == from) first = to;
    }
  FreeValues result;
  std::map<Index, Index> group;
  for (const Index k : said.free) group.try_emplace(leader[k], std::ssize(group));
  const Index groups = std::ssize(group);
  result.sign = Vector::Zero(groups);
  result.low = Vector::Constant(groups, -1e300);
  result.high = Vector::Constant(groups, 1e300);
  result.start = Vector::Zero(groups);
  Vector members = Vector::Zero(groups);
  const Vector p = system.start();
  for (const Index k : said.free) {
    const Index g = group[leader[k]];
    const std::string& name = system.values()[static_cast<std::size_t>(k)].name;
    const auto found = said.bounds.find(k);
    if (found == said.bounds.end() && p[k] == 0)
      throw Error(fmt::format("{} is zero, and has no bounds to look between", name),
                  "give them, as in " + setting("bounds", name + "=0.01:10"));
    constexpr double factor = 100;
    const Range both = found != said.bounds.end() ? found->second
                                                  : Range{std::min(p[k] / factor, p[k] * factor),
                                                          std::max(p[k] / factor, p[k] * factor)};
    const double sign = both.low > 0 ? 1 : -1;
    if ((p[k] != 0 && sign * p[k] < 0) || (result.sign[g] != 0 && result.sign[g] != sign))
      throw Error(fmt::format("{} would have to change its sign", name),
                  "a value keeps the sign that it has; give bounds on its side of zero");
    result.sign[g] = sign;
    const double a = std::log(std::abs(both.low)), b = std::log(std::abs(both.high));
    result.low[g] = std::max(result.low[g], std::min(a, b));
    result.high[g] = std::min(result.high[g], std::max(a, b));
    result.start[g] += p[k] != 0 ? std::log(std::abs(p[k])) : (a + b) / 2;
    members[g] += 1;
    result.members.push_back(k);
    result.group.push_back(g);
  }
  for (const auto& [first, g] : group)
    if (!(result.low[g] <= result.high[g]))
      throw Error(fmt::format("the bounds of what is tied to {} have nothing in common",
                              system.values()[static_cast<std::size_t>(first)].name));
  result.start = result.start.cwiseQuotient(members).cwiseMax(result.low).cwiseMin(result.high);
  return result;
}

}  // namespace lgn
