#pragma once

// Arrays by their names, and by the group that they stand in; not installed.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lgn/data/arrays/array_file.h"
#include "lgn/data/read_options.h"
#include "lgn/data/reading.h"
#include "lgn/data/time_units_internal.h"

namespace lgn::array_internal {

/// The array of that name, as it stands or in another case; nothing where there is none.
template <class T>
typename std::map<std::string, T>::const_iterator find_name(const std::map<std::string, T>& named,
                                                            const std::string& name) {
  const auto exact = named.find(name);
  if (exact != named.end()) return exact;
  return std::find_if(named.begin(), named.end(), [&](const auto& entry) {
    return csv_internal::lower_case(entry.first) == name;
  });
}

/// Everything that a file holds but for some names, with shapes: "a (3 × 2), b and 3 more"; empty
/// where nothing is left.
std::string described(const ArrayFile& arrays, const std::set<std::string>& but_for = {});
/// The same as a sentence, which says so where there is nothing.
std::string contents(const ArrayFile& arrays);

/// Numbers under that name, null where there are none. Throws Error where something else stands
/// there.
const NumberArray* find_numbers(const ArrayFile& arrays, const std::string& name);

/// A list of names, if there is one. Other things of that name mean something else, but for what
/// may well be text.
std::vector<std::string> find_texts(const ArrayFile& arrays, const std::string& name);

/// An array of numbers and its name, which is never a path where it stands in the group that is read.
struct NamedArray {
  std::string name;
  const NumberArray* array = nullptr;
};

/// Whether there are times: t, time, or what the options name.
bool has_times(const ArrayFile& arrays, const ReadOptions& options);
/// The times. Throws Error where there are none.
NamedArray find_times(const ArrayFile& arrays, const ReadOptions& options);

/// What is read of a file that holds groups.
struct ArrayChoice {
  std::string group;     ///< the path of the group with the mark at its end; empty: all
  std::string variable;  ///< the array that the options name, as it is called in the group
};

/// The array or the group that `options.variable` names, an array with the group where it stands beside
/// times; without one, where neither t nor x stands at the root, the only group that holds times (or x).
/// Throws Error where there is no such array, or several groups come into question.
ArrayChoice choose_arrays(const ArrayFile& arrays, const ReadOptions& options,
                          FileReading& reading);

/// What stands in a group, by the names that it has there.
ArrayFile within(const ArrayFile& arrays, const std::string& group);

/// Everything outside of a group, as `described` has it.
std::string outside(const ArrayFile& arrays, const std::string& group);

/// Whether a name is a path into a group, or a struct.
bool is_path(const ArrayFile& arrays, const std::string& name);

}  // namespace lgn::array_internal
