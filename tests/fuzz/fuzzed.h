#pragma once

#include <string>
#include <string_view>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_file.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/arrays/arrays_dataset_internal.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "lgn/data/csv/time_stamp_internal.h"
#include "lgn/data/data_file.h"
#include "lgn/data/inspection.h"
#include "lgn/data/time_units_internal.h"

namespace lgn::fuzz {

/// Named arrays up to a dataset that is looked at, and their times alone; an Error is as good as data.
inline void read_named(const ArrayFile& file, const ReadOptions& options) {
  try {
    inspect(dataset_of(file, options));
  } catch (const Error&) {
  }
  try {
    array_internal::times_of(file, options);
  } catch (const Error&) {
  }
}

/// Reads bytes that may be anything as a file of the format, as it is and each of its first arrays and their groups by name.
inline void read_arrays(std::string_view bytes, ArrayFormat format) {
  ArrayFile file;
  try {
    file = decode_arrays(bytes, format);
  } catch (const Error&) {
    return;
  }
  read_named(file, {});
  std::size_t tried = 0;
  for (const auto& [name, array] : file.numbers) {
    constexpr std::size_t most = 4;
    if (++tried > most) break;
    read_named(file, {.variable = name});
    read_named(file, {.rate = "1kHz", .variable = name.substr(0, name.find_last_of("./"))});
  }
}

/// Reads a file, and looks at what it holds.
template <class Read>
void read_and_inspect(const std::string& path, const ReadOptions& options, Read read) {
  Reading reading;
  try {
    inspect(read({path}, options, &reading));
  } catch (const Error&) {
  }
  reading.line();
}

/// The same for a file that is read as text, whatever it holds, with its own times and without, and with the comma that is a point.
inline void read_text(const std::string& path) {
  const auto read = [](const std::vector<std::string>& paths, const ReadOptions& options,
                       Reading* reading) { return read_csv(paths, options, reading); };
  read_and_inspect(path, {}, read);
  read_and_inspect(path, {.rate = "1kHz", .date_order = "dmy"}, read);
  read_and_inspect(path, {.decimal_comma = true}, read);
}

/// The same for a file of any format.
inline void read_file(const std::string& path) {
  const auto read = [](const std::vector<std::string>& paths, const ReadOptions& options,
                       Reading* reading) { return read_data(paths, options, reading); };
  read_and_inspect(path, {}, read);
  read_and_inspect(path, {.dt = "10ms"}, read);
}

/// The parts of the reader of text that see one cell or one line.
inline void read_times_and_units(std::string_view text) {
  using namespace csv_internal;
  for (const DateOrder order : {DateOrder::unknown, DateOrder::dmy, DateOrder::mdy, DateOrder::ymd})
    parse_time_stamp(text, order);
  split_unit(text);
  is_time_name(text);
  clock_in_line(text);
  double value = 0;
  for (const char point : {'.', ','}) parse_grouped_number(text, point, value);
  try {
    clock_of(std::string(text), {}, "s");
  } catch (const Error&) {
  }
  try {
    clock_of({}, std::string(text), "ms");
  } catch (const Error&) {
  }
}

}  // namespace lgn::fuzz
