#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_layout_internal.h"
#include "lgn/data/arrays/array_measurements_internal.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/arrays/arrays_dataset_internal.h"
#include "lgn/data/data_columns_internal.h"
#include "lgn/data/table_runs_internal.h"

namespace lgn {
namespace array_internal {
namespace {

using csv_internal::quote;
using csv_internal::SampleClock;

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

/// One channel or input, and where its numbers stand.
struct Column {
  std::string name;
  ArrayView view;
  std::size_t channel = 0;
};

/// Everything that data are made of, found and fitted together.
struct Found {
  ArrayView times;
  std::size_t runs = 1;
  std::vector<Column> measured, driven;
  std::vector<std::string> labels;
};

void add_columns(const ArrayView& view, const std::vector<std::string>& names,
                 std::vector<Column>& columns) {
  for (std::size_t c = 0; c < names.size(); ++c) columns.push_back({names[c], view, c});
}

std::vector<std::string> names_of(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

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
  found.times = {table.values.data(), run, {samples, columns}, {}};
  found.runs = run.size;
  add_columns({table.values.data() + 1, run, {samples, columns}, {columns - 1, 1}},
              names_or({}, "x", columns - 1, true), found.measured);
  return found;
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

/// Vectors are channels as they are named, and inputs where the name says so. Names that are taken stay
/// with those who have them.
void add_vectors(const Measured& measured, const ArrayView& times, Found& found,
                 FileReading& reading) {
  std::vector<std::string> channels, inputs;
  std::set<std::string> taken;
  for (const auto* columns : {&found.measured, &found.driven})
    for (const Column& column : *columns) taken.insert(column.name);
  for (const auto& [name, array] : measured.vectors) {
    if (taken.contains(name)) continue;
    const bool is_input = measured.vectors.size() > 1 && csv_internal::is_input_name(name);
    (is_input ? found.driven : found.measured)
        .push_back({name, {array->values.data(), {}, {times.sample.size, 1}, {}}, 0});
    (is_input ? inputs : channels).push_back(quote(name));
  }
  const auto say = [&](const std::vector<std::string>& names, const char* one, const char* more) {
    constexpr std::ptrdiff_t shown = 8;
    const std::ptrdiff_t count = std::ssize(names);
    if (count == 0) return;
    reading.assumptions.push_back(fmt::format(
        "{}{} {}", fmt::join(names.begin(), names.begin() + std::min(shown, count), ", "),
        count > shown ? fmt::format(" and {} more", count - shown) : "", count > 1 ? more : one));
  };
  if (measured.table.array != nullptr || measured.vectors.size() > 1) {
    say(channels, "is a channel", "are channels");
    say(inputs, "is an input", "are inputs");
  }
}

Found find_arrays(const ArrayFile& arrays, const Measured& measured, const NamedArray& times,
                  FileReading& reading) {
  Found found;
  const auto inputs = find_texts(arrays, "inputs");
  found.labels = find_texts(arrays, "runs");
  if (const auto& [name, x] = measured.table; x != nullptr) {
    // Nothing may still have as many channels or runs as it likes.
    if (x->values.empty())
      throw Error(fmt::format("{} is empty: {}", name, shape_text(x->shape)),
                  "it holds the measurements");
    auto channels = find_texts(arrays, "channels");
    // They name what x holds, and another array only where they could.
    if (csv_internal::lower_case(name) != "x" && !fits(*x, channels.size())) channels.clear();
    const TimedView view = view_arrays(
        *times.array, *x, {size_if_any(found.labels), size_if_any(channels), arrays.is_matlab},
        times.name, name);
    found.times = view.times;
    found.runs = view.values.run.size;
    add_columns(view.values,
                names_or(channels, "x", view.values.channel.size,
                         measured.vectors.empty() || found.runs > 1),
                found.measured);
  } else {
    found.times = view_times(*times.array, times.name);
  }
  if (const NumberArray* u = find_numbers(arrays, "u"); u != nullptr && !u->values.empty()) {
    const ArrayView view =
        view_arrays(*times.array, *u, {found.runs, size_if_any(inputs), arrays.is_matlab},
                    times.name, "u")
            .values;
    add_columns(view, names_or(inputs, "u", view.channel.size, false), found.driven);
  }
  if (found.runs == 1) add_vectors(measured, found.times, found, reading);
  return found;
}

/// Times for arrays that have none of their own.
NumberArray counted_times(const NumberArray& x, const SampleClock& clock) {
  const std::size_t rank = x.shape.size();
  const std::size_t samples = is_vector(x) ? x.values.size()
                              : rank == 3  ? x.shape[1]
                              : rank == 0  ? 1
                                           : *std::max_element(x.shape.begin(), x.shape.end());
  NumberArray times{{samples}, {}};
  for (std::size_t k = 0; k < samples; ++k) times.values.push_back(clock.at(static_cast<Index>(k)));
  return times;
}

Trajectory take_run(const Found& found, const ColumnChoice& choice, std::size_t run,
                    std::string label) {
  const ArrayView& times = found.times;
  const std::size_t of_times = times.run.size > 1 ? run : 0;
  const std::size_t samples = samples_of(times, of_times);
  const auto count = static_cast<Index>(samples);
  Vector t(count);
  for (Index k = 0; k < count; ++k) {
    t[k] = times.at(of_times, static_cast<std::size_t>(k), 0);
    if (std::isnan(t[k]))
      throw Error(fmt::format("run {}: time {} of {} is missing", quote(label), k + 1, samples),
                  "only at the end of a run may times be NaN");
  }
  const std::size_t measured = found.measured.size();
  const auto gather = [&](const std::vector<std::size_t>& columns) {
    std::vector<const Column*> wanted;
    for (const std::size_t c : columns)
      wanted.push_back(c < measured ? &found.measured[c] : &found.driven[c - measured]);
    Matrix values(static_cast<Index>(columns.size()), count);
    for (Index k = 0; k < count; ++k)
      for (std::size_t c = 0; c < wanted.size(); ++c)
        values(static_cast<Index>(c), k) =
            wanted[c]->view.at(run, static_cast<std::size_t>(k), wanted[c]->channel);
    return values;
  };
  Matrix states = gather(choice.channels), inputs = gather(choice.inputs);
  return Trajectory(std::move(label), std::move(t), std::move(states), std::move(inputs));
}

}  // namespace

bool is_data_name(const std::string& name, const ReadOptions& options) {
  if (name == options.time || name == "channels" || name == "inputs" || name == "runs") return true;
  const std::string lower = csv_internal::lower_case(name);
  return lower == "t" || lower == "time" || lower == "x" || lower == "u";
}

bool needs_other_names(const ArrayFile& arrays, const ReadOptions& options) {
  return !options.variable.empty() || find_name(arrays.numbers, "x") == arrays.numbers.end() ||
         !has_times(arrays, options);
}

namespace {

void append_found(const Found& found, const ReadOptions& options,
                  const csv_internal::FilePlace& place) {
  const auto measured = names_of(found.measured), driven = names_of(found.driven);
  const ColumnChoice choice =
      choose_columns(measured, driven, options, place.reading.file, place.layout);
  place.reading.columns = measured;
  place.reading.columns.insert(place.reading.columns.end(), driven.begin(), driven.end());
  const std::size_t count = found.runs;
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
  if (table.shape.size() != 2 || table.shape[1] < 2 || table.values.empty()) return true;
  return csv_internal::NumberTable{table.values.data(), table.shape[0], table.shape[1],
                                   table.shape[1], 1}
      .increases(0);
}

/// Says what stands in the file and is not read, so that nothing is lost in silence.
void note_unused(const ArrayFile& arrays, std::set<std::string> used, FileReading& reading) {
  used.insert({"channels", "inputs", "runs"});
  if (const auto u = find_name(arrays.numbers, "u"); u != arrays.numbers.end())
    used.insert(u->first);
  const std::string rest = described(arrays, used);
  if (!rest.empty()) reading.assumptions.push_back("not used: " + rest);
}

/// Arrays with names: with the times beside them, times that are counted, or as one table.
void append_named(const ArrayFile& arrays, const std::string& variable,
                  std::optional<SampleClock> clock, const ReadOptions& options,
                  const csv_internal::FilePlace& place) {
  FileReading& reading = place.reading;
  const bool is_chosen = !variable.empty();
  const NumberArray* chosen = is_chosen ? &arrays.numbers.at(variable) : nullptr;
  NamedArray times;
  if (has_times(arrays, options) && !clock) times = find_times(arrays, options);
  // Times beside an array that was asked for, unless that is a table with its own.
  if (is_chosen && times.array != nullptr &&
      !(options.columns.empty() && chosen != times.array && is_vector(*times.array) &&
        fits(*chosen, times.array->values.size())))
    times = {};
  std::string clock_name;
  if (times.array == nullptr && !clock) clock = clock_in_file(arrays, options, reading, clock_name);
  std::optional<std::size_t> samples;
  if (times.array != nullptr && is_vector(*times.array))
    samples = times.array->values.size();
  else if (times.array == nullptr && options.columns.empty())
    samples = counted_samples(arrays);
  Measured measured;
  if (is_chosen)
    (is_vector(*chosen) ? measured.vectors.emplace_back() : measured.table) = {variable, chosen};
  else
    measured = find_measurements(arrays, samples, reading);

  const NamedArray first =
      measured.table.array != nullptr ? measured.table : measured.vectors.front();
  const bool is_plain = !is_chosen && first.array == find_numbers(arrays, "x");
  NumberArray counted;
  if (times.array == nullptr && clock && options.columns.empty() &&
      (is_plain || !measured.vectors.empty())) {
    counted = counted_times(*first.array, *clock);
    times = {"the times", &counted};
    reading.time_kind = "counted";
    reading.interval = clock->interval();
  } else if (times.array != nullptr) {
    reading.time = times.name;
    reading.time_kind = "numbers";
  } else if (!clock && options.columns.empty() && (is_plain || measured.vectors.size() > 1)) {
    find_times(arrays, options);  // which says what is missing
  }
  std::set<std::string> used{clock_name, first.name};
  if (times.array != nullptr) {
    const Found found = find_arrays(arrays, measured, times, reading);
    std::set<const double*> read;
    for (const auto* columns : {&found.measured, &found.driven})
      for (const Column& column : *columns) read.insert(column.view.values);
    for (const auto& [name, array] : measured.vectors)
      if (read.contains(array->values.data())) used.insert(name);
    used.insert(times.name);
    if (!is_chosen) note_unused(arrays, std::move(used), reading);
    return append_found(found, options, place);
  }
  if (!is_chosen) note_unused(arrays, std::move(used), reading);
  csv_internal::append_table(table_view(*first.array, clock.has_value(), options, reading), {},
                             clock, options, place);
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
  const ArrayChoice choice = choose_arrays(arrays, options, reading);
  if (choice.group.empty()) return append_named(arrays, choice.variable, clock, options, place);
  append_named(within(arrays, choice.group), choice.variable, clock, options, place);
  if (const std::string rest = outside(arrays, choice.group);
      options.variable.empty() && !rest.empty())
    reading.assumptions.push_back("not used outside it: " + rest);
}

Vector times_of(const ArrayFile& arrays, const ReadOptions& options) {
  ArrayView times;
  ArrayFile inner;
  if (const auto table = arrays.numbers.find(""); table != arrays.numbers.end()) {
    times = table->second.shape.size() == 1 ? view_times(table->second, "the array")
                                            : find_in_table(table->second).times;
  } else {
    FileReading ignored;
    const ArrayChoice choice = choose_arrays(arrays, options, ignored);
    if (!choice.group.empty()) inner = within(arrays, choice.group);
    const auto [name, array] = find_times(choice.group.empty() ? arrays : inner, options);
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
