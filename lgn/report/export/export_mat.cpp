#include "lgn/data/arrays/array_file.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"

namespace lgn {
namespace {

/// A matrix; n × m × K where it is K of them side by side.
NumberArray numbers(const Matrix& matrix, Index count = 1) {
  const Index columns = matrix.cols() / count;
  NumberArray array;
  for (const Index size : {matrix.rows(), columns, count})
    array.shape.push_back(static_cast<std::size_t>(size));
  if (count == 1) array.shape.pop_back();
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < columns; ++j)
      for (Index k = 0; k < count; ++k) array.values.push_back(matrix(i, k * columns + j));
  return array;
}

/// Single numbers in a list beside their names, which need not be MATLAB's; matrices by name.
void add_parameters(const Model& model, ArrayFile& file) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const NamedValue& parameter : model.parameters) {
    if (parameter.shape == NamedValue::Shape::scalar) {
      names.push_back(parameter.name);
      values.push_back(parameter.value(0, 0));
    } else if (is_function_name(parameter.name)) {
      file.numbers["parameter_" + parameter.name] = numbers(parameter.value);
    }
  }
  if (names.empty()) return;
  file.texts["parameter_names"] = names;
  file.numbers["parameter_values"] = {{values.size(), 1}, values};
}

}  // namespace

std::string mat_file(const Model& model) {
  export_internal::check_linear(model);
  ArrayFile file;
  file.numbers["A"] = numbers(model.a);
  if (model.hidden()) file.numbers["C"] = numbers(model.c);
  file.numbers["starts"] = numbers(model.starts);
  if (model.starts.cols() > 0) file.numbers["x0"] = numbers(Matrix(model.starts.col(0)));
  if (model.offset.size() > 0) file.numbers["offset"] = numbers(model.offset);
  if (model.drive.active()) {
    file.numbers["B"] = numbers(model.drive.b);
    if (model.drive.d.size() > 0) file.numbers["D"] = numbers(model.drive.d);
    file.numbers["delay"] = {{1, 1}, {model.drive.timing.delay}};
    file.texts["inputs"] = model.inputs;
    file.texts["hold"] = {hold_name(model.drive.timing.hold)};
  }
  const auto [re, im] = export_internal::poles(model);
  file.numbers["poles_re"] = numbers(re);
  file.numbers["poles_im"] = numbers(im);
  file.texts["channels"] = model.channels;
  file.texts["time_unit"] = {model.time_unit};
  file.texts["structure"] = {model.structure};
  add_parameters(model, file);
  if (model.variation) {
    const ModelVariation& variation = *model.variation;
    file.numbers["theta"] = numbers(variation.theta);
    file.texts["theta_names"] = variation.structure->parameter_names();
    file.numbers["course_t"] = numbers(variation.course.times);
    file.numbers["course_A"] = numbers(variation.course.generators, variation.course.times.size());
  }
  return encode_arrays(file, ArrayFormat::mat5);
}

}  // namespace lgn
