#include <algorithm>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn {
namespace {

constexpr double kPadding = std::numeric_limits<double>::quiet_NaN();

std::size_t longest(const Dataset& data) {
  Index samples = 0;
  for (const auto& run : data.runs()) samples = std::max(samples, run.samples());
  return static_cast<std::size_t>(samples);
}

bool have_same_times(const Dataset& data) {
  const Vector& first = data.runs().front().times();
  return std::all_of(data.runs().begin(), data.runs().end(), [&](const Trajectory& run) {
    return run.samples() == first.size() && run.times() == first;
  });
}

/// Room for `width` numbers of every sample of every run; one run needs no index of its own.
NumberArray padded(const Dataset& data, std::size_t width) {
  const std::size_t runs = data.runs().size(), samples = longest(data);
  NumberArray array;
  array.shape = {samples, width};
  if (runs > 1) array.shape.insert(array.shape.begin(), runs);
  array.values.assign(runs * samples * width, kPadding);
  return array;
}

/// A sample is a column of the matrix and stands together in the array, too.
NumberArray gather(const Dataset& data, std::size_t width,
                   const Matrix& (Trajectory::*matrix)() const) {
  NumberArray array = padded(data, width);
  auto to = array.values.begin();
  const auto run_size = static_cast<std::ptrdiff_t>(longest(data) * width);
  for (const auto& run : data.runs()) {
    const Matrix& from = (run.*matrix)();
    std::copy_n(from.data(), from.size(), to);
    to += run_size;
  }
  return array;
}

NumberArray times(const Dataset& data) {
  NumberArray array;
  if (have_same_times(data)) {
    const Vector& t = data.runs().front().times();
    array = {{longest(data)}, {t.data(), t.data() + t.size()}};
    return array;
  }
  array = padded(data, 1);
  array.shape.pop_back();
  auto to = array.values.begin();
  for (const auto& run : data.runs()) {
    std::copy_n(run.times().data(), run.samples(), to);
    to += static_cast<std::ptrdiff_t>(longest(data));
  }
  return array;
}

}  // namespace

ArrayFile arrays_of(const Dataset& data) {
  ArrayFile arrays;
  arrays.numbers["t"] = times(data);
  arrays.numbers["x"] = gather(data, data.channels().size(), &Trajectory::states);
  arrays.texts["channels"] = data.channels();
  if (!data.inputs().empty()) {
    arrays.numbers["u"] = gather(data, data.inputs().size(), &Trajectory::inputs);
    arrays.texts["inputs"] = data.inputs();
  }
  if (data.runs().size() > 1) {
    std::vector<std::string> labels;
    for (const auto& run : data.runs()) labels.push_back(run.label());
    arrays.texts["runs"] = csv_internal::made_unique(std::move(labels));
  }
  return arrays;
}

ArrayFile table_of(const Dataset& data) {
  if (!data.inputs().empty())
    throw Error("an NPY file cannot tell inputs from channels", "write an NPZ file");
  const std::size_t width = 1 + data.channels().size();
  ArrayFile arrays;
  NumberArray& array = arrays.numbers[""] = padded(data, width);
  const std::size_t run_size = longest(data) * width;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const Trajectory& run = data.runs()[r];
    double* to = array.values.data() + r * run_size;
    for (Index k = 0; k < run.samples(); ++k, to += width) {
      to[0] = run.times()[k];
      std::copy_n(run.states().col(k).data(), data.dimension(), to + 1);
    }
  }
  return arrays;
}

}  // namespace lgn
