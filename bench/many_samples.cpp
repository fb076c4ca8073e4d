// A million samples of two channels: an oscillation that decays, with 2% noise.

#include <cmath>
#include <memory>
#include <optional>

#include "claim.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/random.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/data_file.h"
#include "lgn/identify.h"

namespace lgn::bench {
namespace {

constexpr Index samples = 1'000'000;

Dataset many_samples_data() {
  constexpr double step = 0.05, omega = 1.3, decay = 1e-4, noise = 0.02;
  Random random(1);
  const Vector times = step * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
  Matrix states(2, samples);
  for (Index k = 0; k < samples; ++k) {
    const double size = std::exp(-decay * times[k]), phase = omega * times[k];
    states.col(k) << size * std::cos(phase), -size * std::sin(phase);
  }
  states += noise * random.normals(2, samples);
  return Dataset({"x1", "x2"}, {Trajectory("1", times, std::move(states))});
}

}  // namespace

Claim many_samples(const std::string& folder, const std::string& structure) {
  const auto data = std::make_shared<const Dataset>(many_samples_data());
  write_numbers(folder, "states", data->runs().front().states());
  const auto model = std::make_shared<std::optional<Model>>();
  FitOptions options;
  options.structure = structure;
  return {[=] { model->emplace(identify(*data, options)); },
          [=] {
            return std::map<std::string, Matrix>{
                {"frequency", Matrix::Constant(1, 1, eigenvalues((*model)->a).imag().maxCoeff())}};
          }};
}

Claim many_samples_read(const std::string& folder, const std::string& ending) {
  const std::string path = folder + "/samples." + ending;
  {
    const Dataset data = many_samples_data();
    write_data(data, path);
  }
  const auto data = std::make_shared<std::optional<Dataset>>();
  return {[=] {
            data->reset();
            data->emplace(read_data({path}));
          },
          [=] {
            return std::map<std::string, Matrix>{{"states", (*data)->runs().front().states()}};
          }};
}

}  // namespace lgn::bench
