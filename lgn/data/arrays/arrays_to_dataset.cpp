#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_layout_internal.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/arrays/arrays_dataset_internal.h"
#include "lgn/data/data_columns_internal.h"

namespace lgn {
namespace array_internal {
namespace {

using csv_internal::quote;

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

/// "a, b and 3 more", or that there is nothing.
std::string contents(const ArrayFile& arrays) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays.numbers)
    names.push_back(fmt::format("{} ({})", quote(name), shape_text(array.shape)));
  for (const auto& [name, texts] : arrays.texts) names.push_back(quote(name) + " (text)");
  for (const auto& [name, what] : arrays.unread)
    names.push_back(fmt::format("{} ({})", quote(name), what));
  if (names.empty()) return "the file holds no array";
  const std::size_t more = names.size() - std::min(shown, names.size());
  names.resize(names.size() - more);
  return fmt::format("the file holds {}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// The array of that name, as it stands or in another case; nothing where there is none.
template <class T>
typename std::map<std::string, T>::const_iterator find_name(const std::map<std::string, T>& named,
                                                            const std::string& name) {
  const auto exact = named.find(name);
  if (exact != named.end()) return exact;
  return std::find_if(named.begin(), named.end(),
                      [&](const auto& entry) { return lower_case(entry.first) == name; });
}

/// Numbers under one of the names; throws Error where something else stands there.
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

struct NamedTimes {
  std::string name;
  const NumberArray* array;
};

NamedTimes find_times(const ArrayFile& arrays, const CsvOptions& options) {
  std::vector<std::string> names{"t", "time"};
  if (!options.time.empty()) names = {options.time};
  for (const auto& name : names)
    if (const NumberArray* found = find_numbers(arrays, name)) return {name, found};
  throw Error(fmt::format("no array {} for the times", fmt::join(names, " or ")),
              options.time.empty() ? "name it with " + setting("time") + "; " + contents(arrays)
                                   : contents(arrays));
}

/// A list of names, if there is one. Other things of that name mean something else, but for what
/// may well be text.
std::vector<std::string> find_texts(const ArrayFile& arrays, const std::string& name) {
  if (const auto found = arrays.texts.find(name); found != arrays.texts.end()) return found->second;
  if (const auto found = arrays.unread.find(name); found != arrays.unread.end())
    throw Error(fmt::format("{} holds {}, not a list of text", quote(name), found->second),
                "save names as text, in MATLAB as a cell array: cellstr(names)");
  return {};
}

/// The names listed, or a letter with numbers.
std::vector<std::string> names_or(const std::vector<std::string>& listed, const char* letter,
                                  std::size_t count, bool one_has_number) {
  if (!listed.empty()) return listed;
  if (count == 1 && !one_has_number) return {letter};
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) names.push_back(fmt::format("{}{}", letter, k + 1));
  return names;
}

std::optional<std::size_t> size_if_any(const std::vector<std::string>& names) {
  if (names.empty()) return std::nullopt;
  return names.size();
}

/// Number of samples of a run: times that are NaN at the end are padding.
std::size_t samples_of(const ArrayView& times, std::size_t run) {
  std::size_t samples = times.sample.size;
  while (samples > 0 && std::isnan(times.at(run, samples - 1, 0))) --samples;
  return samples;
}

/// Everything that data are made of, found and fitted together.
struct Found {
  TimedView x;
  ArrayView u;
  std::size_t inputs = 0;
  std::vector<std::string> channel_names, input_names, labels;
};

/// The array of an NPY file: times in the first column.
Found find_in_table(const NumberArray& table) {
  if (table.shape.size() < 2 || table.shape.size() > 3 || table.shape.back() < 2 ||
      table.values.empty())
    throw Error(fmt::format("the array is {}", shape_text(table.shape)),
                "an NPY file holds [sample, column] or [run, sample, column] with the times in the "
                "first column; to keep times apart, use an NPZ file with t and x");
  const std::size_t columns = table.shape.back(), samples = table.shape[table.shape.size() - 2];
  const Axis run{table.shape.size() == 3 ? table.shape[0] : 1, samples * columns};
  Found found;
  found.x.times = {table.values.data(), run, {samples, columns}, {}};
  found.x.values = {table.values.data() + 1, run, {samples, columns}, {columns - 1, 1}};
  found.channel_names = names_or({}, "x", columns - 1, true);
  return found;
}

Found find_arrays(const ArrayFile& arrays, const CsvOptions& options) {
  if (const auto table = arrays.numbers.find(""); table != arrays.numbers.end())
    return find_in_table(table->second);
  const auto [time_name, times] = find_times(arrays, options);
  const NumberArray* x = find_numbers(arrays, "x");
  if (x == nullptr) throw Error("no array x", "it holds the measurements; " + contents(arrays));
  // Nothing may still have as many channels or runs as it likes.
  if (x->values.empty())
    throw Error(fmt::format("x is empty: {}", shape_text(x->shape)), "it holds the measurements");
  Found found;
  const auto channels = find_texts(arrays, "channels"), inputs = find_texts(arrays, "inputs");
  found.labels = find_texts(arrays, "runs");
  found.x =
      view_arrays(*times, *x, {size_if_any(found.labels), size_if_any(channels), arrays.is_matlab},
                  time_name, "x");
  found.channel_names = names_or(channels, "x", found.x.values.channel.size, true);
  if (const NumberArray* u = find_numbers(arrays, "u"); u != nullptr && !u->values.empty()) {
    found.u =
        view_arrays(*times, *u, {found.x.values.run.size, size_if_any(inputs), arrays.is_matlab},
                    time_name, "u")
            .values;
    found.inputs = found.u.channel.size;
    found.input_names = names_or(inputs, "u", found.inputs, false);
  }
  return found;
}

Trajectory take_run(const Found& found, const ColumnChoice& choice, std::size_t run,
                    std::string label) {
  const ArrayView &times = found.x.times, &x = found.x.values;
  const std::size_t of_times = times.run.size > 1 ? run : 0;
  const std::size_t samples = samples_of(times, of_times);
  const std::size_t measured = x.channel.size;
  const auto count = static_cast<Index>(samples);
  Vector t(count);
  for (Index k = 0; k < count; ++k) {
    t[k] = times.at(of_times, static_cast<std::size_t>(k), 0);
    if (std::isnan(t[k]))
      throw Error(fmt::format("run {}: time {} of {} is missing", quote(label), k + 1, samples),
                  "only at the end of a run may times be NaN");
  }
  const auto gather = [&](const std::vector<std::size_t>& columns) {
    Matrix values(static_cast<Index>(columns.size()), count);
    for (Index k = 0; k < count; ++k)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto sample = static_cast<std::size_t>(k);
        values(static_cast<Index>(c), k) = columns[c] < measured
                                               ? x.at(run, sample, columns[c])
                                               : found.u.at(run, sample, columns[c] - measured);
      }
    return values;
  };
  Matrix states = gather(choice.channels), inputs = gather(choice.inputs);
  return Trajectory(std::move(label), std::move(t), std::move(states), std::move(inputs));
}

}  // namespace

bool is_data_name(const std::string& name, const CsvOptions& options) {
  if (name == options.time || name == "channels" || name == "inputs" || name == "runs") return true;
  const std::string lower = lower_case(name);
  return lower == "t" || lower == "time" || lower == "x" || lower == "u";
}

void append_runs(const ArrayFile& arrays, const CsvOptions& options, const FilePlace& place,
                 csv_internal::Layout& layout, std::vector<Trajectory>& runs) {
  const Found found = find_arrays(arrays, options);
  const ColumnChoice choice =
      choose_columns(found.channel_names, found.input_names, options, place.file, layout);
  const std::size_t count = found.x.values.run.size;
  const std::vector<std::string> labels = csv_internal::made_unique(found.labels);
  for (std::size_t r = 0; r < count; ++r) {
    std::string label = place.label;
    if (!labels.empty()) label = place.prefix + labels[r];
    if (labels.empty() && count > 1) label = fmt::format("{}{}", place.prefix, r + 1);
    runs.push_back(take_run(found, choice, r, std::move(label)));
  }
}

Vector times_of(const ArrayFile& arrays, const CsvOptions& options) {
  ArrayView times;
  if (const auto table = arrays.numbers.find(""); table != arrays.numbers.end()) {
    times = table->second.shape.size() == 1 ? view_times(table->second, "the array")
                                            : find_in_table(table->second).x.times;
  } else {
    const auto [name, array] = find_times(arrays, options);
    times = view_times(*array, name);
  }
  if (times.run.size != 1)
    throw Error(fmt::format("{} runs where one is expected", times.run.size),
                "leave the times of one run in the file");
  Vector t(static_cast<Index>(samples_of(times, 0)));
  for (Index k = 0; k < t.size(); ++k) t[k] = times.at(0, static_cast<std::size_t>(k), 0);
  // What holds for the times of a run holds for these.
  return Trajectory("1", t, Matrix::Zero(1, t.size())).times();
}

}  // namespace array_internal

Dataset dataset_of(const ArrayFile& arrays, const CsvOptions& options) {
  csv_internal::Layout layout;
  std::vector<Trajectory> runs;
  array_internal::append_runs(arrays, options, {"the file", "1", ""}, layout, runs);
  return Dataset(std::move(layout.channels), std::move(runs), std::move(layout.inputs));
}

}  // namespace lgn
