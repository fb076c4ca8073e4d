#include "lgn/data/column_roles_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "lgn/data/time_units_internal.h"

namespace lgn::csv_internal {
namespace {

class RoleFinder {
 public:
  RoleFinder(ColumnFacts facts, const ReadOptions& options, const ColumnComplaint& complain)
      : facts_(std::move(facts)), options_(options), complain_(complain) {}

  ColumnRoles find() {
    find_unnamed_time();
    check_names();
    const ColumnIndex index(facts_.names);
    index_ = &index;
    roles_.assign(facts_.names.size(), Role::unused);
    find_time();
    find_label();
    take_listed(options_.channels, options_.channels_from, Role::channel, found_.channels);
    if (!options_.times_only) {
      find_inputs();
      find_channels();
    }
    found_.names = std::move(facts_.names);
    return std::move(found_);
  }

 private:
  enum class Role : unsigned char { unused, time, label, input, channel };

  [[noreturn]] void fail(std::size_t column, const std::string& problem,
                         const std::string& help) const {
    complain_(column, problem, help);
    throw Error(problem, help);
  }
  void assume(std::string text) { found_.assumptions.push_back(std::move(text)); }

  void find_unnamed_time();
  void check_names();
  void find_time();
  std::size_t time_by_name();
  void find_label();
  void find_inputs();
  void find_channels();
  void take_listed(const std::vector<std::string>& listed, const std::string& option, Role role,
                   std::vector<std::size_t>& into);
  std::size_t find_listed(const std::string& name, bool whole_names, const std::string& by) const;

  ColumnFacts facts_;
  const ReadOptions& options_;
  const ColumnComplaint& complain_;
  const ColumnIndex* index_ = nullptr;
  std::vector<Role> roles_;
  ColumnRoles found_;
};

/// Without a header a first column that increases is the time, and the others have numbers.
void RoleFinder::find_unnamed_time() {
  if (facts_.named) return;
  std::size_t time = kNoColumn;
  const std::size_t width = facts_.names.size();
  if (!options_.time.empty() && std::all_of(options_.time.begin(), options_.time.end(), is_digit)) {
    std::from_chars(options_.time.data(), options_.time.data() + options_.time.size(), time);
    time = time == 0 || time > width ? kNoColumn : time - 1;
  } else if (!facts_.is_clocked && options_.time.empty()) {
    const auto holds = [](const std::vector<bool>& list, std::size_t c) {
      return c < list.size() && list[c];
    };
    for (std::size_t c = 0; c < width && time == kNoColumn; ++c)
      if (holds(facts_.stamps, c)) time = c;
    if (time == kNoColumn && holds(facts_.increases, 0) && (width > 1 || options_.times_only))
      time = 0;
  }
  facts_.names = numbered_names(width, time);
  if (time == kNoColumn) {
    assume(fmt::format("no header: columns are {}",
                       width == 1 ? "x1" : fmt::format("x1 to x{}", width)));
    return;
  }
  roles_.clear();
  found_.time = time;
  assume(fmt::format("no header: column {} is the time, the others are x1, x2, …", time + 1));
}

void RoleFinder::check_names() {
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(facts_.names.size());
  for (std::size_t c = 0; c < facts_.names.size(); ++c) {
    if (facts_.names[c].empty()) continue;
    const auto [place, is_new] = places.emplace(facts_.names[c], c);
    if (!is_new)
      fail(c,
           fmt::format("columns {} and {} are both named {}", place->second + 1, c + 1,
                       quote(facts_.names[c])),
           "rename one of them");
  }
}

std::size_t RoleFinder::find_listed(const std::string& name, bool whole_names,
                                    const std::string& by) const {
  std::string several;
  const std::size_t c = index_->find(name, whole_names, several);
  if (c == kNoColumn && !several.empty())
    fail(kNoColumn, fmt::format("{} names {}, which could be {}", by, quote(name), several),
         "write more of the name");
  return c;
}

/// The one column that is named as times are; a plain t or time goes before others.
std::size_t RoleFinder::time_by_name() {
  std::string ignored;
  for (const char* usual : {"t", "time"})
    if (const std::size_t c = index_->find(usual, true, ignored); c != kNoColumn) return c;
  // With a stem of time alone first, then those in other words.
  for (const bool plain : {true, false}) {
    std::size_t found = kNoColumn;
    for (std::size_t c = 0; c < facts_.names.size(); ++c) {
      if (facts_.names[c].empty()) continue;
      const std::string stem = lower_case(split_unit(facts_.names[c]).name);
      if (plain ? stem != "t" && stem != "time" : !is_time_name(stem)) continue;
      // A capital T beside another that says time is a temperature, or a force.
      if (found != kNoColumn && facts_.names[c] == "T") continue;
      if (found != kNoColumn && facts_.names[found] != "T")
        fail(c,
             fmt::format("columns {} and {} could both be the time", quote(facts_.names[found]),
                         quote(facts_.names[c])),
             "name the time column with " + setting("time"));
      found = c;
    }
    if (found != kNoColumn) return found;
  }
  return kNoColumn;
}

void RoleFinder::find_time() {
  std::size_t& time = found_.time;
  if (!options_.time.empty() && time == kNoColumn) {
    time = find_listed(options_.time, false, setting("time"));
    if (time == kNoColumn)
      fail(kNoColumn, fmt::format("no column {} for the time", quote(options_.time)),
           index_->available());
    if (facts_.is_clocked)
      fail(time,
           fmt::format("{} names a time, and the samples are said to be evenly spaced",
                       setting("time")),
           "leave out " + setting("time") + ", or " + setting("dt") + " and " + setting("rate"));
  }
  if (time == kNoColumn) time = time_by_name();
  // Its unit, in the name or in a row of units, may say what the first name does not.
  if (time == kNoColumn && !facts_.is_clocked && !facts_.names[0].empty() &&
      !facts_.increases.empty() && facts_.increases[0] &&
      (facts_.first_in_time_unit || unit_of_times(facts_.names[0])))
    time = 0;
  if (time == kNoColumn && !facts_.is_clocked) {
    const auto first = std::find(facts_.stamps.begin(), facts_.stamps.end(), true);
    const auto c = static_cast<std::size_t>(first - facts_.stamps.begin());
    if (first != facts_.stamps.end() && !facts_.names[c].empty() &&
        std::find(first + 1, facts_.stamps.end(), true) == facts_.stamps.end())
      time = c;
  }
  if (time != kNoColumn) {
    roles_[time] = Role::time;
    if (!facts_.is_clocked) return;
    assume(fmt::format("column {} is not used", quote(facts_.names[time])));
    time = kNoColumn;
  }
  if (facts_.is_clocked || facts_.has_clock) return;
  fail(kNoColumn, "no column t or time",
       fmt::format("name the time column with {}; {}; without one, give {} or {}{}",
                   setting("time"), index_->available(), setting("dt"), setting("rate"),
                   facts_.named ? "" : ", or name all columns with " + setting("columns")));
}

void RoleFinder::find_label() {
  std::string ignored;
  std::vector<std::string> words = {"trajectory"};
  if (!options_.columns.empty()) words.insert(words.end(), {"trial", "run"});
  for (const auto& word : words) {
    const std::size_t label = index_->find(word, true, ignored);
    if (label == kNoColumn || roles_[label] != Role::unused) continue;
    roles_[label] = Role::label;
    found_.label = label;
    return;
  }
}

void RoleFinder::take_listed(const std::vector<std::string>& listed, const std::string& option,
                             Role role, std::vector<std::size_t>& into) {
  const bool whole_names = option == options_.channels_from && option != setting("channels");
  for (const auto& name : listed) {
    const std::size_t c = find_listed(name, whole_names, option);
    if (c == kNoColumn)
      fail(kNoColumn, fmt::format("no column {}, which {} names", quote(name), option),
           index_->available());
    const std::string taken = roles_[c] == Role::time     ? "the time"
                              : roles_[c] == Role::label  ? "the label of the run"
                              : roles_[c] == role         ? "named there twice"
                              : roles_[c] != Role::unused ? "one of " + setting("channels")
                                                          : std::string();
    if (!taken.empty())
      fail(c, fmt::format("{} names column {}, which is {}", option, quote(name), taken),
           "name each column once");
    roles_[c] = role;
    into.push_back(c);
  }
}

void RoleFinder::find_inputs() {
  if (options_.inputs == std::vector<std::string>{"none"}) return;
  if (!options_.inputs.empty()) {
    take_listed(options_.inputs, setting("inputs"), Role::input, found_.inputs);
    return;
  }
  for (std::size_t c = 0; c < facts_.names.size(); ++c) {
    if (roles_[c] != Role::unused || !is_input_name(facts_.names[c])) continue;
    roles_[c] = Role::input;
    found_.inputs.push_back(c);
  }
}

void RoleFinder::find_channels() {
  const auto is_text = [&](std::size_t c) {
    return (c < facts_.worded.size() && facts_.worded[c]) ||
           (c < facts_.stamps.size() && facts_.stamps[c]);
  };
  if (options_.channels.empty()) {
    std::vector<std::size_t> texts;
    for (std::size_t c = 0; c < facts_.names.size(); ++c)
      if (roles_[c] == Role::unused && !facts_.names[c].empty())
        (is_text(c) ? texts : found_.channels).push_back(c);
    // Where nothing else is left, the reader says which cell is no number.
    if (found_.channels.empty()) found_.channels.swap(texts);
    for (const std::size_t c : texts)
      assume(fmt::format("column {} holds no numbers and is not used", quote(facts_.names[c])));
  }
  if (found_.channels.empty())
    fail(kNoColumn, "there is no channel beside the time, the labels and the inputs",
         found_.inputs.empty()
             ? "the file needs a column of measurements"
             : setting("inputs", "none") + " makes columns named u, u1, … channels");
}

}  // namespace

bool is_input_name(std::string_view name) {
  return name.starts_with('u') && std::all_of(name.begin() + 1, name.end(), is_digit);
}

std::vector<std::string> ColumnRoles::names_of(const std::vector<std::size_t>& columns) const {
  std::vector<std::string> some;
  some.reserve(columns.size());
  for (const std::size_t c : columns) some.push_back(names[c]);
  return some;
}

ColumnRoles find_roles(ColumnFacts facts, const ReadOptions& options,
                       const ColumnComplaint& complain) {
  return RoleFinder(std::move(facts), options, complain).find();
}

ColumnIndex::ColumnIndex(const std::vector<std::string>& names) : names_(names) {
  places_.reserve(names.size());
  for (std::size_t c = 0; c < names.size(); ++c)
    if (!names[c].empty()) places_.emplace(names[c], c);
}

std::size_t ColumnIndex::find(const std::string& wanted, bool whole_names,
                              std::string& several) const {
  if (const auto place = places_.find(wanted); place != places_.end()) return place->second;
  if (whole_names || wanted.empty()) return kNoColumn;
  if (std::all_of(wanted.begin(), wanted.end(), is_digit)) {
    std::size_t number = 0;
    const auto result = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    const bool is_column = result.ec == std::errc{} && number >= 1 && number <= names_.size();
    return is_column && !names_[number - 1].empty() ? number - 1 : kNoColumn;
  }
  std::size_t found = kNoColumn;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (!names_[c].starts_with(wanted)) continue;
    if (found != kNoColumn) {
      several = fmt::format("{} and {}", quote(names_[found]), quote(names_[c]));
      return kNoColumn;
    }
    found = c;
  }
  return found;
}

std::string ColumnIndex::available(const char* what) const {
  constexpr std::size_t kListed = 8;
  std::string text = what;
  for (std::size_t c = 0; c < std::min(kListed, names_.size()); ++c)
    text += (c > 0 ? ", " : " ") + quote(names_[c]);
  if (names_.size() > kListed) text += fmt::format(" and {} more", names_.size() - kListed);
  return text;
}

std::vector<std::string> numbered_names(std::size_t count, std::size_t time) {
  std::vector<std::string> names;
  names.reserve(count);
  std::size_t number = 0;
  for (std::size_t c = 0; c < count; ++c)
    names.push_back(c == time ? std::string("t") : fmt::format("x{}", ++number));
  return names;
}

}  // namespace lgn::csv_internal
