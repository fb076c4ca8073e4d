#include "lgn/data/data_columns_internal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn::array_internal {
namespace {

using csv_internal::quote;

class Columns {
 public:
  Columns(const std::vector<std::string>& measured, const std::vector<std::string>& driven)
      : names_(measured), measured_(measured.size()) {
    names_.insert(names_.end(), driven.begin(), driven.end());
    std::unordered_set<std::string_view> seen;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (names_[c].empty())
        throw Error(fmt::format("channel {} of {} has an empty name", c + 1, names_.size()),
                    "name every channel in the list channels, every input in inputs");
      if (!seen.insert(names_[c]).second)
        throw Error(fmt::format("two channels are named {}", quote(names_[c])),
                    "rename one of them");
    }
    is_taken_.assign(names_.size(), false);
  }

  std::vector<std::size_t> listed(const std::vector<std::string>& names, const std::string& by,
                                  bool whole_names) {
    std::vector<std::size_t> found;
    const csv_internal::ColumnIndex index(names_);
    for (const auto& name : names) {
      std::string several;
      const std::size_t place = index.find(name, whole_names, several);
      if (place == csv_internal::kNoColumn && !several.empty())
        throw Error(fmt::format("{} names {}, which could be {}", by, quote(name), several),
                    "write more of the name");
      if (place == csv_internal::kNoColumn)
        throw Error(fmt::format("no channel {}, which {} names", quote(name), by),
                    index.available("there are"));
      if (is_taken_[place])
        throw Error(fmt::format("{} names {} once more", by, quote(name)), "name each once");
      is_taken_[place] = true;
      found.push_back(place);
    }
    return found;
  }

  /// Those that nobody has taken, of all or of the driven ones.
  std::vector<std::size_t> left(bool only_driven) {
    std::vector<std::size_t> found;
    for (std::size_t c = only_driven ? measured_ : 0; c < names_.size(); ++c) {
      if (is_taken_[c]) continue;
      is_taken_[c] = true;
      found.push_back(c);
    }
    return found;
  }

  std::vector<std::string> names_of(const std::vector<std::size_t>& columns) const {
    std::vector<std::string> names;
    for (const std::size_t c : columns) names.push_back(names_[c]);
    return names;
  }

 private:
  std::vector<std::string> names_;
  std::size_t measured_;
  std::vector<bool> is_taken_;
};

/// The columns in the order of `agreed`, which must hold the same names.
std::vector<std::size_t> in_order(const std::vector<std::size_t>& columns,
                                  const std::vector<std::string>& names,
                                  const std::vector<std::string>& agreed, const char* kind,
                                  const std::string& first_file) {
  const std::string help =
      "files of one system have the same channels; select with " + setting("channels");
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < names.size(); ++k) places.emplace(names[k], columns[k]);
  std::vector<std::size_t> ordered;
  for (const auto& name : agreed) {
    const auto place = places.find(name);
    if (place == places.end())
      throw Error(fmt::format("no {} {}, which {} has", kind, quote(name), first_file), help);
    ordered.push_back(place->second);
    places.erase(place);
  }
  if (!places.empty())
    throw Error(fmt::format("{} {} is not in {}", kind, quote(places.begin()->first), first_file),
                help);
  return ordered;
}

ColumnChoice agreed(const ColumnChoice& choice, const std::vector<std::string>& channels,
                    const std::vector<std::string>& inputs, const std::string& file,
                    csv_internal::Layout& layout) {
  if (layout.channels.empty()) {
    layout = {channels, inputs, file};
    return choice;
  }
  return {in_order(choice.channels, channels, layout.channels, "channel", layout.first_file),
          in_order(choice.inputs, inputs, layout.inputs, "input", layout.first_file)};
}

}  // namespace

ColumnChoice choose_columns(const std::vector<std::string>& measured,
                            const std::vector<std::string>& driven, const ReadOptions& options,
                            const std::string& file, csv_internal::Layout& layout) {
  Columns columns(measured, driven);
  ColumnChoice choice;
  choice.channels = columns.listed(options.channels, options.channels_from,
                                   options.channels_from != setting("channels"));
  if (options.inputs.empty())
    choice.inputs = columns.left(true);
  else if (options.inputs != std::vector<std::string>{"none"})
    choice.inputs = columns.listed(options.inputs, setting("inputs"), false);
  if (options.channels.empty()) choice.channels = columns.left(false);
  const auto channels = columns.names_of(choice.channels);
  const auto inputs = columns.names_of(choice.inputs);
  if (channels.empty()) throw Error("there is no channel beside the time and the inputs");
  return agreed(choice, channels, inputs, file, layout);
}

ColumnChoice agree_on(const csv_internal::ColumnRoles& roles, const std::string& file,
                      csv_internal::Layout& layout) {
  return agreed({roles.channels, roles.inputs}, roles.names_of(roles.channels),
                roles.names_of(roles.inputs), file, layout);
}

}  // namespace lgn::array_internal
