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
#include "lgn/data/table_runs_internal.h"

namespace lgn {
namespace array_internal {
namespace {

using csv_internal::quote;

using csv_internal::lower_case;
using csv_internal::SampleClock;

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

NamedTimes find_times(const ArrayFile& arrays, const ReadOptions& options) {
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

/// An array of numbers that is no list of times, names or settings.
struct NamedArray {
  std::string name;
  const NumberArray* array = nullptr;
};

/// Arrays that may hold measurements: all with more than one number, but for times and inputs.
std::vector<NamedArray> measurements(const ArrayFile& arrays) {
  std::vector<NamedArray> found;
  for (const auto& [name, array] : arrays.numbers) {
    const std::string lower = lower_case(name);
    if (array.values.size() < 2 || lower == "t" || lower == "time" || lower == "u") continue;
    found.push_back({name, &array});
  }
  return found;
}

bool has_times(const ArrayFile& arrays, const ReadOptions& options) {
  if (!options.time.empty()) return arrays.numbers.contains(options.time);
  return find_name(arrays.numbers, "t") != arrays.numbers.end() ||
         find_name(arrays.numbers, "time") != arrays.numbers.end();
}

/// The measurements: x, the array that was asked for, or the only one there is.
NamedArray find_measurements(const ArrayFile& arrays, const ReadOptions& options,
                             FileReading& reading) {
  if (!options.variable.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, array] : arrays.numbers) names.push_back(name);
    std::string several;
    const std::size_t c = csv_internal::ColumnIndex(names).find(options.variable, false, several);
    if (c == csv_internal::kNoColumn)
      throw Error(
          fmt::format("no array {}, which {} names", quote(options.variable), setting("variable")),
          contents(arrays));
    return {names[c], &arrays.numbers.at(names[c])};
  }
  if (const NumberArray* x = find_numbers(arrays, "x")) return {"x", x};
  const std::vector<NamedArray> others = measurements(arrays);
  if (others.size() == 1) {
    reading.assumptions.push_back(fmt::format("{} holds the measurements", quote(others[0].name)));
    return others[0];
  }
  if (others.size() > 1)
    throw Error(
        "no array x, and several others",
        fmt::format("name the one to read with {}; {}", setting("variable"), contents(arrays)));
  throw Error("no array x", "it holds the measurements; " + contents(arrays));
}

/// A single number that tells how often samples were taken, such as fs.
std::optional<SampleClock> clock_in_file(const ArrayFile& arrays, const ReadOptions& options,
                                         FileReading& reading) {
  for (const auto& [name, array] : arrays.numbers) {
    if (array.values.size() != 1) continue;
    const auto clock =
        csv_internal::clock_in_line(fmt::format("{}={}", lower_case(name), array.values[0]));
    if (!clock) continue;
    const auto unit = csv_internal::scale_to({"s"}, options.time_unit);
    const SampleClock found{clock->numerator * unit.numerator,
                            clock->denominator * unit.denominator};
    reading.assumptions.push_back(fmt::format("samples are {:.6g} {} apart, as {} says",
                                              found.interval(), options.time_unit, quote(name)));
    return found;
  }
  return std::nullopt;
}

/// The array as a table, its longer side counting samples unless names or times say otherwise.
csv_internal::NumberTable table_view(const NumberArray& array, bool is_clocked,
                                     const ReadOptions& options, FileReading& reading) {
  std::vector<std::size_t> shape = array.shape;
  if (shape.size() == 1) shape.push_back(1);
  if (shape.size() != 2 || array.values.empty())
    throw Error(fmt::format("the array is {}", shape_text(array.shape)),
                "a table is [sample, column], with or without a column of times");
  const csv_internal::NumberTable table{array.values.data(), shape[0], shape[1], shape[1], 1};
  const csv_internal::NumberTable turned = table.transposed();
  const std::size_t named = options.columns.size();
  bool is_turned = false;
  if (named > 0 && (table.columns == named) != (turned.columns == named))
    is_turned = turned.columns == named;
  else if (is_clocked || !options.time.empty())
    is_turned = turned.samples > table.samples;
  else
    is_turned =
        !table.increases(0) && turned.samples > 1 && turned.columns > 1 && turned.increases(0);
  if (is_turned)
    reading.assumptions.push_back(
        fmt::format("the {} numbers of each row are samples", turned.samples));
  return is_turned ? turned : table;
}

Found find_arrays(const ArrayFile& arrays, const NamedArray& x, const NumberArray* times,
                  const std::string& time_name) {
  // Nothing may still have as many channels or runs as it likes.
  if (x.array->values.empty())
    throw Error(fmt::format("{} is empty: {}", x.name, shape_text(x.array->shape)),
                "it holds the measurements");
  Found found;
  const auto channels = find_texts(arrays, "channels"), inputs = find_texts(arrays, "inputs");
  found.labels = find_texts(arrays, "runs");
  found.x = view_arrays(*times, *x.array,
                        {size_if_any(found.labels), size_if_any(channels), arrays.is_matlab},
                        time_name, x.name);
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

/// Times for arrays that have none of their own.
NumberArray counted_times(const NumberArray& x, const SampleClock& clock) {
  const std::size_t rank = x.shape.size();
  const std::size_t samples = rank == 3   ? x.shape[1]
                              : rank == 0 ? 1
                                          : *std::max_element(x.shape.begin(), x.shape.end());
  NumberArray times{{samples}, {}};
  for (std::size_t k = 0; k < samples; ++k) times.values.push_back(clock.at(static_cast<Index>(k)));
  return times;
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

bool is_data_name(const std::string& name, const ReadOptions& options) {
  if (name == options.time || name == "channels" || name == "inputs" || name == "runs") return true;
  const std::string lower = lower_case(name);
  return lower == "t" || lower == "time" || lower == "x" || lower == "u";
}

bool needs_other_names(const ArrayFile& arrays, const ReadOptions& options) {
  return !options.variable.empty() || find_name(arrays.numbers, "x") == arrays.numbers.end() ||
         !has_times(arrays, options);
}

namespace {

void append_found(const Found& found, const ReadOptions& options,
                  const csv_internal::FilePlace& place) {
  const ColumnChoice choice = choose_columns(found.channel_names, found.input_names, options,
                                             place.reading.file, place.layout);
  place.reading.columns = found.channel_names;
  place.reading.columns.insert(place.reading.columns.end(), found.input_names.begin(),
                               found.input_names.end());
  const std::size_t count = found.x.values.run.size;
  const std::vector<std::string> labels = csv_internal::made_unique(found.labels);
  for (std::size_t r = 0; r < count; ++r) {
    std::string label = place.label;
    if (!labels.empty()) label = place.prefix + labels[r];
    if (labels.empty() && count > 1) label = fmt::format("{}{}", place.prefix, r + 1);
    place.runs.push_back(take_run(found, choice, r, std::move(label)));
  }
}

/// The one array of an NPY file, with its times in the first column unless options say otherwise.
bool is_usual_table(const NumberArray& table, const ReadOptions& options) {
  if (!options.columns.empty() || !options.time.empty()) return false;
  if (table.shape.size() == 3 || table.shape.size() < 2 || table.shape[1] < 2) return true;
  return csv_internal::NumberTable{table.values.data(), table.shape[0], table.shape[1],
                                   table.shape[1], 1}
      .increases(0);
}

}  // namespace

void append_runs(const ArrayFile& arrays, const ReadOptions& options,
                 const csv_internal::FilePlace& place) {
  FileReading& reading = place.reading;
  std::optional<SampleClock> clock =
      csv_internal::clock_of(options.dt, options.rate, options.time_unit);
  if (const auto table = arrays.numbers.find(""); table != arrays.numbers.end()) {
    if (!clock && is_usual_table(table->second, options)) {
      reading.time_kind = "numbers";
      return append_found(find_in_table(table->second), options, place);
    }
    return csv_internal::append_table(
        table_view(table->second, clock.has_value(), options, reading), {}, clock, options, place);
  }
  const NamedArray x = find_measurements(arrays, options, reading);
  const bool is_chosen = !options.variable.empty();
  if (has_times(arrays, options) && !clock && !is_chosen) {
    const auto [name, times] = find_times(arrays, options);
    reading.time = name;
    reading.time_kind = "numbers";
    return append_found(find_arrays(arrays, x, times, name), options, place);
  }
  if (!clock) clock = clock_in_file(arrays, options, reading);
  const bool is_plain = x.name == "x" && options.columns.empty() && !is_chosen;
  if (is_plain && clock) {
    const NumberArray times = counted_times(*x.array, *clock);
    reading.time_kind = "counted";
    reading.interval = clock->interval();
    return append_found(find_arrays(arrays, x, &times, "the times"), options, place);
  }
  if (is_plain) find_times(arrays, options);  // which says what is missing
  csv_internal::append_table(table_view(*x.array, clock.has_value(), options, reading), {}, clock,
                             options, place);
}

Vector times_of(const ArrayFile& arrays, const ReadOptions& options) {
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

Dataset dataset_of(const ArrayFile& arrays, const ReadOptions& options) {
  csv_internal::Layout layout;
  std::vector<Trajectory> runs;
  FileReading reading;
  reading.file = "the file";
  array_internal::append_runs(arrays, options, {"1", "", layout, runs, reading});
  return Dataset(std::move(layout.channels), std::move(runs), std::move(layout.inputs));
}

}  // namespace lgn
