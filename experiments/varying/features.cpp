#include "experiments/varying/features.h"

#include <cmath>
#include <memory>

#include "experiments/varying/truth.h"
#include "lgn/core/median.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/magnus_flow.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/training/training.h"
#include "lgn/physics/metrics.h"

namespace lgn::studies {
namespace {

using SharedStructure = std::shared_ptr<const ModulatedStructure>;

FourierFeatures draw_features(Random& random) {
  constexpr Index frequencies = 25;
  return FourierFeatures::draw(frequencies, 0.1, 10, random);
}

SharedStructure draw_structure(Random& random, bool full) {
  std::shared_ptr<const ConstantStructure> base = std::make_shared<SdStructure>(2);
  if (full) base = std::make_shared<FullStructure>(2);
  return std::make_shared<const ModulatedStructure>(
      base, std::make_shared<FourierFeatures>(draw_features(random)),
      std::vector<std::vector<Index>>{}, ModulatedStructure::Link::softplus);
}

/// The paper's protocol for the k-th seed.
FitOptions protocol(const FeaturesOptions& features, int k) {
  constexpr int epochs = 3000;
  FitOptions options;
  options.estimate_initial_states = false;
  options.magnus.method = features.method;
  options.adam = {
      .learning_rate = 1e-2, .epochs = epochs, .epsilon = 1e-8, .clip = 1, .patience = 200};
  if (features.observe)
    options.observe = [&features, k](const FitProgress& progress) {
      return features.observe(k * epochs + progress.step, progress.nrmse);
    };
  return options;
}

Fit fit_likelihood(const Dataset& data, const SharedStructure& structure) {
  FitOptions known;
  known.estimate_initial_states = false;
  const Fit constant = estimate(data, structure->shared_base(), known);
  Matrix c = Matrix::Zero(structure->entries(), structure->basis().size());
  c.col(0) = structure->course_values(constant.theta);
  return maximum_likelihood(data, structure, {.theta = {structure->theta_of({}, c)}}, known);
}

/// The states at test_times(), in the steps that the fit was made with.
Matrix predict(const Fit& fit, bool single_steps) {
  const Vector times = test_times(), x0{{1, 0}};
  if (!single_steps) return fit.propagate(x0, times);
  const MagnusPlan nodes(*fit.structure, even_grid(times, find_magnus_scheme(fit.magnus.method)));
  return MagnusFlow(nodes, fit.theta).states(x0).reshaped(2, times.size());
}

}  // namespace

double FeaturesStudy::median() const {
  return lgn::median(std::vector<double>(test.begin(), test.end()));
}

double FeaturesStudy::deviation() const {
  return std::sqrt((test.array() - mean()).square().sum() /
                   std::max(1.0, static_cast<double>(test.size() - 1)));
}

Vector feature_frequencies(std::uint64_t seed) {
  Random random(seed);
  return draw_features(random).frequencies();
}

FeaturesStudy study_features(const FeaturesOptions& options) {
  const Dataset data = PaperOscillator{}.run(training_times());
  const Index samples = data.runs()[0].samples();
  FeaturesStudy study;
  study.train = study.test = study.beyond = Vector::Zero(options.seeds);
  for (int k = 0; k < options.seeds; ++k) {
    Random random(static_cast<std::uint64_t>(k + 1));
    const SharedStructure structure = draw_structure(random, options.full);
    const Vector theta = random_courses(*structure, random);
    Fit fit;
    study.seconds += seconds_of([&] {
                       fit = options.likelihood
                                 ? fit_likelihood(data, structure)
                                 : train_varying(data, structure, theta, protocol(options, k));
                     }) /
                     options.seeds;
    const Matrix states = predict(fit, !options.likelihood);
    study.parameters = structure->parameters();
    if (k == 0) study.first = states;
    study.train[k] = nrmse(states.leftCols(samples), test_states().leftCols(samples));
    study.test[k] = nrmse(states, test_states());
    const Index after = states.cols() - samples;
    study.beyond[k] = nrmse(states.rightCols(after), test_states().rightCols(after));
  }
  return study;
}

}  // namespace lgn::studies
