#include "lgn/data/arrays/array_names_internal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

using csv_internal::lower_case;
using csv_internal::quote;

char mark_of(const ArrayFile& arrays) { return arrays.is_matlab ? '.' : '/'; }

/// The path of the group that an array stands in, with its mark; empty at the root.
std::string group_of(const std::string& name, char mark) {
  const std::size_t at = name.rfind(mark);
  return at == name.npos ? std::string() : name.substr(0, at + 1);
}

bool holds_group(const ArrayFile& arrays, const std::string& group) {
  const auto in_group = [&](const auto& named) {
    const auto next = named.lower_bound(group);
    return next != named.end() && next->first.starts_with(group);
  };
  return in_group(arrays.numbers) || in_group(arrays.texts) || in_group(arrays.unread);
}

/// Groups that hold an array of one of these names.
std::set<std::string> groups_with(const ArrayFile& arrays, const std::vector<std::string>& names) {
  std::set<std::string> groups;
  for (const auto& [path, array] : arrays.numbers) {
    const std::string group = group_of(path, mark_of(arrays));
    const std::string last = path.substr(group.size());
    for (const auto& name : names)
      if (last == name || lower_case(last) == name) groups.insert(group);
  }
  return groups;
}

std::vector<std::string> time_names(const ReadOptions& options) {
  if (!options.time.empty()) return {options.time};
  return {"t", "time"};
}

/// What `options.variable` names.
ArrayChoice named_choice(const ArrayFile& arrays, const ReadOptions& options) {
  const char mark = mark_of(arrays);
  std::string wanted = options.variable;
  if (wanted.starts_with('/')) wanted.erase(0, 1);
  if (arrays.is_matlab) std::replace(wanted.begin(), wanted.end(), '/', mark);
  if (!arrays.numbers.contains(wanted)) {
    const std::string group = wanted.ends_with(mark) ? wanted : wanted + mark;
    if (holds_group(arrays, group)) return {group, {}};
  }
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays.numbers) names.push_back(name);
  std::string several;
  const std::size_t c = csv_internal::ColumnIndex(names).find(wanted, false, several);
  if (c == csv_internal::kNoColumn)
    throw Error(
        fmt::format("no array {}, which {} names", quote(options.variable), setting("variable")),
        contents(arrays));
  const std::string group = group_of(names[c], mark);
  if (group.empty() || !groups_with(arrays, time_names(options)).contains(group))
    return {{}, names[c]};
  return {group, names[c].substr(group.size())};
}

}  // namespace

std::string described(const ArrayFile& arrays, const std::set<std::string>& but_for) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const std::string& what) {
    if (!but_for.contains(name)) names.push_back(fmt::format("{} ({})", quote(name), what));
  };
  for (const auto& [name, array] : arrays.numbers) add(name, shape_text(array.shape));
  for (const auto& [name, texts] : arrays.texts) add(name, "text");
  for (const auto& [name, what] : arrays.unread) add(name, what);
  const std::size_t more = names.size() - std::min(shown, names.size());
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string contents(const ArrayFile& arrays) {
  const std::string all = described(arrays);
  return all.empty() ? "the file holds no array" : "the file holds " + all;
}

const NumberArray* find_numbers(const ArrayFile& arrays, const std::string& name) {
  if (const auto found = find_name(arrays.numbers, name); found != arrays.numbers.end())
    return &found->second;
  const auto other = find_name(arrays.unread, name);
  const bool is_text = find_name(arrays.texts, name) != arrays.texts.end();
  if (is_text || other != arrays.unread.end())
    throw Error(
        fmt::format("{} holds {}, not real numbers", quote(name), is_text ? "text" : other->second),
        "save it as an array of doubles");
  return nullptr;
}

std::vector<std::string> find_texts(const ArrayFile& arrays, const std::string& name) {
  if (const auto found = arrays.texts.find(name); found != arrays.texts.end()) return found->second;
  if (const auto found = arrays.unread.find(name); found != arrays.unread.end())
    throw Error(fmt::format("{} holds {}, not a list of text", quote(name), found->second),
                "save names as text, in MATLAB as a cell array: cellstr(names)");
  return {};
}

bool has_times(const ArrayFile& arrays, const ReadOptions& options) {
  const auto names = time_names(options);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return find_name(arrays.numbers, name) != arrays.numbers.end();
  });
}

NamedArray find_times(const ArrayFile& arrays, const ReadOptions& options) {
  const auto names = time_names(options);
  for (const auto& name : names)
    if (const NumberArray* found = find_numbers(arrays, name))
      return {find_name(arrays.numbers, name)->first, found};
  throw Error(fmt::format("no array {} for the times", fmt::join(names, " or ")),
              options.time.empty()
                  ? fmt::format("name it with {}, or give {} or {}; {}", setting("time"),
                                setting("dt"), setting("rate"), contents(arrays))
                  : contents(arrays));
}

ArrayChoice choose_arrays(const ArrayFile& arrays, const ReadOptions& options,
                          FileReading& reading) {
  if (!options.variable.empty()) return named_choice(arrays, options);
  if (has_times(arrays, options) || find_name(arrays.numbers, "x") != arrays.numbers.end())
    return {};
  const char* what = "times";
  std::set<std::string> groups = groups_with(arrays, time_names(options));
  if (groups.empty()) {
    what = "x";
    groups = groups_with(arrays, {"x"});
  }
  if (groups.empty()) return {};
  if (groups.size() > 1)
    throw Error(
        fmt::format("{} groups hold {}", groups.size(), what),
        fmt::format("name the one to read with {}; {}",
                    setting("variable", groups.begin()->substr(0, groups.begin()->size() - 1)),
                    contents(arrays)));
  const std::string& group = *groups.begin();
  reading.assumptions.push_back(
      fmt::format("{} is read", quote(group.substr(0, group.size() - 1))));
  return {group, {}};
}

ArrayFile within(const ArrayFile& arrays, const std::string& group) {
  ArrayFile inner;
  inner.is_matlab = arrays.is_matlab;
  const auto take = [&](const auto& from, auto& into) {
    for (auto next = from.lower_bound(group); next != from.end() && next->first.starts_with(group);
         ++next)
      into.emplace(next->first.substr(group.size()), next->second);
  };
  take(arrays.numbers, inner.numbers);
  take(arrays.texts, inner.texts);
  take(arrays.unread, inner.unread);
  return inner;
}

std::string outside(const ArrayFile& arrays, const std::string& group) {
  std::set<std::string> inside;
  const auto take = [&](const auto& named) {
    for (const auto& [name, what] : named)
      if (name.starts_with(group)) inside.insert(name);
  };
  take(arrays.numbers);
  take(arrays.texts);
  take(arrays.unread);
  return described(arrays, inside);
}

bool is_path(const ArrayFile& arrays, const std::string& name) {
  return name.find(mark_of(arrays)) != name.npos;
}

}  // namespace lgn::array_internal
