#include "lgn/data/arrays/array_measurements_internal.h"

#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

using csv_internal::lower_case;
using csv_internal::quote;
using csv_internal::SampleClock;

/// Arrays beside x that may hold measurements: all with more than one number, but for times and inputs.
std::vector<NamedArray> others_than_x(const ArrayFile& arrays) {
  const auto x = find_name(arrays.numbers, "x");
  std::vector<NamedArray> direct, nested;
  for (auto entry = arrays.numbers.begin(); entry != arrays.numbers.end(); ++entry) {
    const auto& [name, array] = *entry;
    // A capital T beside times is a temperature, or a force.
    const bool is_time =
        (is_vector(array) || lower_case(name) == "t" || lower_case(name) == "time") &&
        csv_internal::is_time_name(csv_internal::split_unit(name).name) &&
        !(name == "T" && arrays.numbers.contains("t"));
    if (entry == x || array.values.size() < 2 || is_time || lower_case(name) == "u") continue;
    (is_path(arrays, name) ? nested : direct).push_back({name, &array});
  }
  return direct.empty() && x == arrays.numbers.end() ? nested : direct;
}

}  // namespace

bool is_vector(const NumberArray& array) {
  return std::count_if(array.shape.begin(), array.shape.end(),
                       [](std::size_t n) { return n != 1; }) == 1;
}

bool fits(const NumberArray& array, std::size_t samples) {
  return std::find(array.shape.begin(), array.shape.end(), samples) != array.shape.end();
}

Measured find_measurements(const ArrayFile& arrays, std::optional<std::size_t> samples,
                           FileReading& reading) {
  const std::vector<NamedArray> others = others_than_x(arrays);
  Measured found;
  std::vector<NamedArray> tables;
  for (const NamedArray& other : others) {
    if (samples && is_vector(*other.array) && other.array->values.size() == *samples)
      found.vectors.push_back(other);
    else if (!samples || (!is_vector(*other.array) && fits(*other.array, *samples)))
      tables.push_back(other);
  }
  if (const NumberArray* x = find_numbers(arrays, "x")) {
    found.table = {find_name(arrays.numbers, "x")->first, x};
    return found;
  }
  // One that does not fit is worth a message that says so.
  if (others.size() == 1 && found.vectors.empty()) tables = others;
  if (tables.size() == 1) found.table = tables.front();
  const bool is_one = tables.size() + found.vectors.size() == 1;
  if (tables.size() == 1 || is_one)
    reading.assumptions.push_back(
        fmt::format("{} holds the measurements",
                    quote(tables.empty() ? found.vectors.front().name : tables.front().name)));
  if (tables.size() == 1 || (tables.empty() && !found.vectors.empty())) return found;
  if (others.size() > 1)
    throw Error(
        "no array x, and several others",
        fmt::format("name the one to read with {}; {}", setting("variable"), contents(arrays)));
  throw Error("no array x", "it holds the measurements; " + contents(arrays));
}

std::optional<std::size_t> counted_samples(const ArrayFile& arrays) {
  const auto longest = [](const NumberArray& array) -> std::optional<std::size_t> {
    if (array.shape.empty() || array.shape.size() > 2) return std::nullopt;
    return *std::max_element(array.shape.begin(), array.shape.end());
  };
  if (const auto x = find_name(arrays.numbers, "x"); x != arrays.numbers.end())
    return longest(x->second);
  std::vector<std::size_t> lengths;
  std::vector<const NumberArray*> tables;
  for (const NamedArray& other : others_than_x(arrays))
    if (is_vector(*other.array))
      lengths.push_back(other.array->values.size());
    else
      tables.push_back(other.array);
  if (tables.size() == 1) return longest(*tables.front());
  const bool is_agreed =
      !lengths.empty() && tables.empty() &&
      std::count(lengths.begin(), lengths.end(), lengths.front()) == std::ssize(lengths);
  return is_agreed ? std::optional(lengths.front()) : std::nullopt;
}

std::optional<SampleClock> clock_in_file(const ArrayFile& arrays, const ReadOptions& options,
                                         FileReading& reading, std::string& name) {
  for (const auto& [key, array] : arrays.numbers) {
    if (array.values.size() != 1) continue;
    const auto clock =
        csv_internal::clock_in_line(fmt::format("{}={}", lower_case(key), array.values[0]));
    if (!clock) continue;
    const auto unit = csv_internal::scale_to({"s"}, options.time_unit);
    const SampleClock found{clock->numerator * unit.numerator,
                            clock->denominator * unit.denominator};
    reading.assumptions.push_back(fmt::format("samples are {:.6g} {} apart, as {} says",
                                              found.interval(), options.time_unit, quote(key)));
    name = key;
    return found;
  }
  return std::nullopt;
}

}  // namespace lgn::array_internal
