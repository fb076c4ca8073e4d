#include "experiments/comparison/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "experiments/baselines/adam_generator.h"
#include "experiments/baselines/lbfgs_generator.h"
#include "experiments/baselines/linear_id.h"
#include "experiments/baselines/port_hamiltonian.h"
#include "experiments/baselines/softplus_sd.h"
#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/residuals.h"
#include "lgn/model/warnings.h"
#include "lgn/version.h"

namespace lgn::studies {
namespace {

/// What a baseline found, and how.
struct Finding {
  Matrix generator;
  std::string method;
  int iterations = 0;
  bool converged = true;
};

Model model_of(const Finding& found, const ConstantStructure& structure, const Dataset& data,
               const FitOptions& options) {
  Model model;
  model.version = version;
  model.structure = structure.name();
  model.method = found.method;
  model.channels = data.channels();
  model.time_unit = options.time_unit;
  model.guarantee = structure.guarantee();
  model.a = found.generator;
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  const FullStructure full(model.dimension());
  Fit fit{std::make_shared<FullStructure>(full), found.method, full.project(model.a)};
  fit.initial_states = initial_states_of(full, fit.theta, data, options.estimate_initial_states);
  model.starts = fit.initial_states;
  FitFacts facts;
  facts.residuals = find_residuals(fit, data);
  facts.values = data.present();
  facts.unknowns =
      structure.free_parameters() + (options.estimate_initial_states ? model.starts.size() : 0);
  model.fit.nrmse_train = facts.residuals.nrmse();
  model.fit.numbers_in_a = structure.free_parameters();
  model.fit.iterations = found.iterations;
  model.fit.converged = found.converged;
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  model.warnings = find_warnings(model, facts);
  return model;
}

Finding finding_of(const TrainedGenerator& found, const std::string& method) {
  return {found.generator, method, found.evaluations, !found.stopped};
}

/// Watches a training that reports the number of a step and its loss, a mean square.
std::function<bool(int, double)> watched(const FitOptions& options, const std::string& task,
                                         int steps, const Dataset& data) {
  const FitObserver observe = with_limit(options.observe, options.max_seconds);
  if (!observe) return {};
  return [observe, task, steps, size = amplitude(data)](int step, double loss) {
    return observe({task, step, steps, std::sqrt(loss) / size});
  };
}

Model fit_linear_id(const Dataset& data, const FitOptions& options) {
  return model_of({linear_id(data), "differences"}, FullStructure(data.dimension()), data, options);
}

Model fit_lgn_sd(const Dataset& data, const FitOptions& options) {
  const SoftplusSdStructure structure(data.dimension());
  AdamTraining training;
  training.observe = watched(options, "training", training.epochs, data);
  Random random(options.seed);
  const TrainedGenerator found =
      train_adam(trajectory_loss(data), structure, structure.random_start(random), training);
  return model_of(finding_of(found, "adam"), structure, data, options);
}

Model fit_symoden(const Dataset& data, const FitOptions& options) {
  const PortHamiltonianStructure structure(data.dimension());
  LbfgsTraining training;
  training.seed = options.seed;
  training.lbfgs.loss_tolerance = 1e-15;  // as in the paper's appendix
  training.lbfgs.observe =
      watched(options, "training", training.restarts * training.lbfgs.max_evaluations, data);
  const TrainedGenerator found = train_lbfgs(window_loss(data), structure, training);
  return model_of(finding_of(found, "lbfgs"), structure, data, options);
}

/// A name without the method behind its @, and that method; auto where there is none.
std::pair<std::string, std::string> parts_of(const std::string& name) {
  const auto at = name.find('@');
  if (at == std::string::npos) return {name, "auto"};
  return {name.substr(0, at), name.substr(at + 1)};
}

const Baseline* find_baseline(const std::string& name) {
  const auto found = std::find_if(baselines().begin(), baselines().end(),
                                  [&](const Baseline& one) { return one.name == name; });
  return found == baselines().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<Baseline>& baselines() {
  static const std::vector<Baseline> all{
      {"linear-id", "regression on central differences", fit_linear_id},
      {"lgn-sd", "the paper's own training of S - diag(d) by Adam", fit_lgn_sd},
      {"symoden", "Dissipative SymODEN, linear, by L-BFGS", fit_symoden}};
  return all;
}

void check_method_name(const std::string& name) {
  if (find_baseline(name) != nullptr) return;
  const auto [structure, method] = parts_of(name);
  const auto& known = structure_names();
  if (structure != "auto" && std::find(known.begin(), known.end(), structure) == known.end()) {
    std::vector<std::string> others;
    for (const auto& baseline : baselines()) others.push_back(baseline.name);
    throw Error(fmt::format("unknown method \"{}\"", name),
                fmt::format("methods are {}; auto, {}, each with @METHOD where wanted",
                            fmt::join(others, ", "), fmt::join(known, ", ")));
  }
  FitOptions checked;
  set_option(checked, "method", method);
}

Model fit_method(const std::string& name, const Dataset& data, const FitOptions& options) {
  if (const Baseline* baseline = find_baseline(name)) return baseline->fit(data, options);
  check_method_name(name);
  FitOptions settings = options;
  const auto [structure, method] = parts_of(name);
  settings.structure = structure;
  set_option(settings, "method", method);
  settings.holdout = 0;
  return identify(data, settings);
}

}  // namespace lgn::studies
