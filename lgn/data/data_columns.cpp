#include "lgn/data/data_columns_internal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

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
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (names_[c].empty())
        throw Error(fmt::format("channel {} of {} has an empty name", c + 1, names_.size()),
                    "name every channel in the list channels, every input in inputs");
      if (!places_.emplace(names_[c], c).second)
        throw Error(fmt::format("two channels are named {}", quote(names_[c])),
                    "rename one of them");
    }
    is_taken_.assign(names_.size(), false);
  }

  std::vector<std::size_t> listed(const std::vector<std::string>& names, const std::string& by) {
    std::vector<std::size_t> found;
    for (const auto& name : names) {
      const auto place = places_.find(name);
      if (place == places_.end())
        throw Error(fmt::format("no channel {}, which {} names", quote(name), by), available());
      if (is_taken_[place->second])
        throw Error(fmt::format("{} names {} once more", by, quote(name)), "name each once");
      is_taken_[place->second] = true;
      found.push_back(place->second);
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
  std::string available() const {
    constexpr std::size_t shown = 8;
    std::vector<std::string> quoted;
    for (std::size_t c = 0; c < std::min(shown, names_.size()); ++c)
      quoted.push_back(quote(names_[c]));
    std::string text = fmt::format("there are {}", fmt::join(quoted, ", "));
    if (names_.size() > shown) text += fmt::format(" and {} more", names_.size() - shown);
    return text;
  }

  std::vector<std::string> names_;
  std::size_t measured_;
  std::vector<bool> is_taken_;
  std::unordered_map<std::string, std::size_t> places_;
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

}  // namespace

ColumnChoice choose_columns(const std::vector<std::string>& measured,
                            const std::vector<std::string>& driven, const CsvOptions& options,
                            const std::string& file, csv_internal::Layout& layout) {
  Columns columns(measured, driven);
  ColumnChoice choice;
  choice.channels = columns.listed(options.channels, options.channels_from);
  if (options.inputs.empty())
    choice.inputs = columns.left(true);
  else if (options.inputs != std::vector<std::string>{"none"})
    choice.inputs = columns.listed(options.inputs, setting("inputs"));
  if (options.channels.empty()) choice.channels = columns.left(false);
  const auto channels = columns.names_of(choice.channels);
  const auto inputs = columns.names_of(choice.inputs);
  if (channels.empty()) throw Error("there is no channel beside the time and the inputs");
  if (layout.channels.empty()) {
    layout = {channels, inputs, file};
    return choice;
  }
  return {in_order(choice.channels, channels, layout.channels, "channel", layout.first_file),
          in_order(choice.inputs, inputs, layout.inputs, "input", layout.first_file)};
}

}  // namespace lgn::array_internal
