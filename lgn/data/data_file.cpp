#include "lgn/data/data_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/core/number_text.h"
#include "lgn/core/output_file.h"
#include "lgn/core/setting.h"
#include "lgn/data/arrays/array_file.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/arrays/arrays_dataset_internal.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/rest.h"
#include "lgn/data/sound_internal.h"
#include "lgn/data/time_units_internal.h"
#include "lgn/data/windows.h"

namespace lgn {
namespace {

using csv_internal::InputFile;

/// What goes wrong in a file gets its name.
template <class F>
auto in_file(const std::string& name, F action) {
  try {
    return action();
  } catch (const Error& error) {
    throw Error(error.problem(), error.help(), Location{name, 0, 0});
  } catch (const std::bad_alloc&) {
    throw Error("its numbers need more memory than there is", "read a part of the data",
                Location{name, 0, 0});
  } catch (const std::length_error&) {
    throw Error("it is larger than memory can be", "the file is damaged", Location{name, 0, 0});
  }
}

ArrayFile read_arrays(InputFile& file, ArrayFormat format, const ReadOptions& options) {
  const std::string bytes = file.read_all();
  try {
    return decode_arrays(bytes, format);
  } catch (const Error&) {
    // What stands beside the data may be damaged, or more than memory holds.
    ArrayFile arrays = decode_arrays(bytes, format, [&](const std::string& name) {
      return array_internal::is_data_name(name, options);
    });
    if (format == ArrayFormat::npy || array_internal::needs_other_names(arrays, options)) throw;
    return arrays;
  }
}

/// The format that the ending tells; none for CSV.
/// In lower case, without its dot.
std::string ending_of(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == path.npos || path[dot] != '.') return {};
  std::string ending = path.substr(dot + 1);
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return ending;
}

std::optional<ArrayFormat> format_of_name(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == "npy") return ArrayFormat::npy;
  if (ending == "npz") return ArrayFormat::npz;
  if (ending == "mat") return ArrayFormat::mat5;
  if (ending == "h5" || ending == "hdf5") return ArrayFormat::hdf5;
  return std::nullopt;
}

/// MAT v5 counts bytes in 32 bits with a sign.
bool is_large(const ArrayFile& arrays) {
  constexpr std::size_t most = (std::size_t{1} << 31) - 4096;
  return std::any_of(arrays.numbers.begin(), arrays.numbers.end(), [](const auto& named) {
    return named.second.values.size() > most / sizeof(double);
  });
}

/// All samples of all files.
Dataset read_all(const std::vector<std::string>& paths, const ReadOptions& options,
                 Reading& reading) {
  return csv_internal::read_files(
      paths,
      [&](const std::string& path, const csv_internal::FilePlace& place) {
        InputFile file(path);
        FileReading& understood = place.reading;
        understood.compression = file.unpack();
        const std::string_view first_bytes = file.peek(kFormatBytes);
        const auto format = find_array_format(first_bytes);
        const bool is_sound = !format && csv_internal::is_sound(first_bytes);
        if (!format) in_file(file.name(), [&] { refuse_mat4(first_bytes); });
        if (!format && !is_sound)
          return csv_internal::read_csv_file(std::move(file), csv_internal::kBlockBytes, options,
                                             place);
        if (!understood.compression.empty())
          understood.assumptions.push_back("packed by " + understood.compression);
        in_file(file.name(), [&] {
          if (is_sound) return csv_internal::append_sound(file.read_all(), options, place);
          understood.format = format_name(*format);
          array_internal::append_runs(read_arrays(file, *format, options), options, place);
        });
      },
      &reading);
}

/// The part of the data that the options want.
Dataset cut(Dataset data, const ReadOptions& options, Reading& reading) {
  constexpr double always = std::numeric_limits<double>::infinity();
  const auto& runs = data.runs();
  // Long records are not copied to find that nothing is left out.
  if (options.begin == "auto" && data.inputs().empty() &&
      std::any_of(runs.begin(), runs.end(),
                  [](const Trajectory& run) { return samples_at_rest(run) > 0; })) {
    Index rest = 0;
    Dataset moving = without_rest(data, rest);
    if (rest > 0) {
      const auto& run = moving.runs().front();
      reading.files.front().assumptions.push_back(
          data.runs().size() == 1
              ? fmt::format(
                    "nothing moves before {}, {} samples, which are left out ({} keeps them)",
                    short_number(run.times()[0]), rest, setting("begin", "all"))
              : fmt::format(
                    "nothing moves in the first samples of runs, {} in all, which are left out ({} keeps them)",
                    rest, setting("begin", "all")));
      data = std::move(moving);
    }
  }
  const bool begins = !options.begin.empty() && options.begin != "auto" && options.begin != "all";
  if (!begins && options.end.empty()) return data;
  return between_times(
      data, begins ? csv_internal::time_of(options.begin, "begin", options.time_unit) : -always,
      options.end.empty() ? always : csv_internal::time_of(options.end, "end", options.time_unit));
}

double factor_of(const std::string& word) {
  const auto number = [&](std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
        value == 0)
      throw Error(fmt::format("\"{}\" names no factor", word),
                  "write " + setting("scale", "CH2=0.1") + " or " + setting("scale", "CH2=1/10"));
    return value;
  };
  const std::string_view text = std::string_view(word).substr(word.find('=') + 1);
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return number(text);
  return number(text.substr(0, slash)) / number(text.substr(slash + 1));
}

/// Channels and inputs in the units that the options want.
Dataset in_units(const Dataset& data, const ReadOptions& options) {
  if (options.scale.empty()) return data;
  Vector channels = Vector::Ones(data.dimension()),
         inputs = Vector::Ones(std::ssize(data.inputs()));
  for (const std::string& word : options.scale) {
    const double factor = factor_of(word);
    const std::string name = word.substr(0, std::min(word.find('='), word.size()));
    bool found = false;
    const auto multiply = [&](const std::vector<std::string>& names, Vector& factors) {
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name) {
          factors[static_cast<Index>(k)] *= factor;
          found = true;
        }
    };
    multiply(data.channels(), channels);
    multiply(data.inputs(), inputs);
    if (!found)
      throw Error(fmt::format("there is no \"{}\" to multiply", name),
                  fmt::format("the channels are {}", fmt::join(data.channels(), ", ")));
  }
  std::vector<Trajectory> runs;
  for (const Trajectory& run : data.runs())
    runs.emplace_back(
        run.label(), run.times(), channels.asDiagonal() * run.states(),
        run.inputs().size() > 0 ? Matrix(inputs.asDiagonal() * run.inputs()) : run.inputs());
  return data.with_runs(std::move(runs));
}

}  // namespace

Dataset read_data(const std::vector<std::string>& paths, const ReadOptions& options,
                  Reading* reading) {
  Reading understood;
  Dataset data = in_units(cut(read_all(paths, options, understood), options, understood), options);
  if (reading != nullptr) *reading = std::move(understood);
  return data;
}

Vector read_data_times(const std::string& path, const ReadOptions& options, Reading* reading) {
  InputFile file(path);
  file.unpack();
  const std::string_view first_bytes = file.peek(kFormatBytes);
  const auto format = find_array_format(first_bytes);
  if (!format) in_file(file.name(), [&] { refuse_mat4(first_bytes); });
  if (!format) return csv_internal::read_csv_times(std::move(file), options, reading);
  return in_file(file.name(), [&] {
    return array_internal::times_of(read_arrays(file, *format, options), options);
  });
}

void write_data(const Dataset& data, const std::string& path) {
  const auto format = format_of_name(path);
  if (ending_of(path) == "wav")
    return write_file(path, in_file(path, [&] { return csv_internal::encode_sound(data); }));
  if (!format) return write_csv(data, path);
  const std::string bytes = in_file(path, [&] {
    const ArrayFile arrays = *format == ArrayFormat::npy ? table_of(data) : arrays_of(data);
    const bool is_mat73 = *format == ArrayFormat::mat5 && is_large(arrays);
    return encode_arrays(arrays, is_mat73 ? ArrayFormat::mat73 : *format);
  });
  write_file(path, bytes);
}

void check_data_format(const std::string& path) {
  const auto format = format_of_name(path);
  if (format && !is_available(*format)) in_file(path, [&] { encode_arrays({}, *format); });
}

}  // namespace lgn
