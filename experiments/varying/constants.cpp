#include "experiments/varying/constants.h"

#include <cmath>

#include "experiments/identification/data.h"
#include "experiments/varying/truth.h"
#include "lgn/identify.h"

namespace lgn::studies {

ConstantsStudy study_constants(const ConstantsOptions& options) {
  const PaperOscillator truth;
  constexpr double end = 20;
  const auto samples = static_cast<Index>(std::round(end / options.step));
  Random random(options.seed);
  const Vector times =
      options.uneven ? uneven_times(end, samples, random) : even_times(options.step, samples);
  FitOptions settings;
  settings.structure = "parametric:ltv-oscillator";
  settings.start = {{"omega2", 1.2}, {"gamma0", 0.35}, {"a", 0.15}, {"omega_d", 1.1}};
  settings.magnus.method = options.method;
  if (options.single) settings.magnus.most_substeps = 1;
  const Model model = identify(truth.run(times), settings);

  ConstantsStudy study;
  study.errors.resize(4);
  const Vector values{{1, truth.gamma, truth.modulation, truth.frequency}};
  for (Index k = 0; k < 4; ++k)
    study.errors[k] =
        std::abs(model.parameters[static_cast<std::size_t>(k)].value(0, 0) - values[k]);
  const Vector test = training_times();
  const Matrix error =
      simulate(model, model.starts.col(0), test) - test_states().leftCols(test.size());
  study.rmse = error.norm() / std::sqrt(static_cast<double>(error.size()));
  study.seconds = model.fit.seconds;
  return study;
}

}  // namespace lgn::studies
