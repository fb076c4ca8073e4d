#include "lgn/identify/training/training.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/horizons.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/training/trajectory_loss.h"

namespace lgn {
namespace {

/// A horizon shorter than the whole run only has to show the way: few epochs, and a coarse end.
constexpr int stage_epochs = 600;
constexpr double stage_smallest_rate = 2e-4;

/// Initial states of the windows of `data` cut to `samples`: the state that the last stage found at the
/// same time, where it had a window there, else the measured one.
Matrix carried_over(const Dataset& windows, const Dataset& previous,
                    const Matrix& previous_states) {
  Matrix x0 = measured_initial_states(windows);
  std::size_t p = 0;
  for (std::size_t w = 0; w < windows.runs().size(); ++w) {
    const auto& window = windows.runs()[w];
    const auto same_time = [&](std::size_t candidate) {
      const auto& other = previous.runs()[candidate];
      return other.label() == window.label() && other.times()[0] == window.times()[0];
    };
    std::size_t found = p;
    const auto before = [&](std::size_t candidate) {
      const auto& other = previous.runs()[candidate];
      return other.label() != window.label() || other.times()[0] < window.times()[0];
    };
    while (found < previous.runs().size() && before(found)) ++found;
    if (found == previous.runs().size() || !same_time(found)) continue;
    p = found;
    x0.col(static_cast<Index>(w)) = previous_states.col(static_cast<Index>(found));
  }
  return x0;
}

/// Adam on (z, X) with θ = θ₀ + scale ∘ z and initial states X₀ = diag(sizes) X.
struct Stage {
  const Structure& structure;
  const TrajectoryLoss loss;
  const double values;  ///< samples present
  const Vector origin, scale, sizes;
  const bool learn_initial_states;

  Vector theta(const Vector& x) const { return origin + scale.cwiseProduct(x.head(origin.size())); }
  Matrix initial_states(const Vector& x, const Matrix& fixed) const {
    if (!learn_initial_states) return fixed;
    return sizes.asDiagonal() *
           x.tail(x.size() - origin.size()).reshaped(fixed.rows(), fixed.cols());
  }
  AdamResult run(const Matrix& first, const AdamOptions& options) const {
    const Index parameters = origin.size();
    Vector x0 = Vector::Zero(parameters + (learn_initial_states ? first.size() : 0));
    Vector lower = Vector::Constant(x0.size(), -std::numeric_limits<double>::infinity());
    lower.head(parameters) = (structure.lower_bounds() - origin).cwiseQuotient(scale);
    if (learn_initial_states)
      x0.tail(first.size()) = (sizes.cwiseInverse().asDiagonal() * first).reshaped();
    const Objective objective = [&](const Vector& x, Vector& gradient) {
      const LossGradient g = loss.gradient(theta(x), initial_states(x, first));
      gradient.resize(x.size());
      gradient.head(parameters) = scale.cwiseProduct(g.theta) / values;
      if (learn_initial_states)
        gradient.tail(first.size()) = (sizes.asDiagonal() * g.initial_states).reshaped() / values;
      return g.loss / values;
    };
    return minimize_adam(objective, x0, lower, options);
  }
};

/// Adam that reports its progress and keeps its state, under these names.
AdamOptions observed(AdamOptions adam, const FitOptions& options, const std::string& task,
                     double size) {
  const std::string stage = options.stage + ", " + task;
  if (options.checkpoint != nullptr) {
    if (Vector packed; options.checkpoint->restore(stage, packed))
      adam.resume = AdamState::unpack(packed);
    adam.keep = [&options, stage](const AdamState& state) {
      options.checkpoint->keep(stage, state.pack());
    };
  }
  adam.observe = [&options, task, size, epochs = adam.epochs](int epoch, double loss) {
    return !options.observe || options.observe({task, epoch, epochs, std::sqrt(loss) / size});
  };
  return adam;
}

/// A law's constants have units, so its start comes from the data: the law nearest to an
/// unstructured generator trained on the shortest horizon.
Vector law_start(const Dataset& data, const ConstantStructure& law, const FitOptions& options) {
  FitOptions quick = options.in_stage("law");
  quick.adam.epochs = stage_epochs;
  quick.estimate_initial_states = true;
  const Index window = horizons(data).front();
  const auto full = std::make_shared<const FullStructure>(data.dimension());
  return law.project(train(cut_windows(data, window), full, quick).generator());
}

[[noreturn]] void nothing_finite() {
  throw NotIdentified(
      "training did not find a finite trajectory",
      "try another " + setting("seed") + ", or a structure that cannot grow, such as sd or ltv-sd");
}

}  // namespace

Fit train(const Dataset& original, std::shared_ptr<const ConstantStructure> structure,
          const FitOptions& options, const std::optional<Vector>& start) {
  if (structure->dimension() != original.dimension())
    throw Error("the structure and the data have different numbers of states");
  if (amplitude(original) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  const bool scales = structure->scales_with_time();
  const double rate = scales ? typical_rate(original) : 1.0;
  const Dataset data = rescale_time(original, rate);
  const Vector sizes = structure->common_unit()
                           ? Vector::Constant(data.dimension(), amplitude(data)).eval()
                           : channel_amplitudes(data);

  Random random(options.seed);
  Vector theta, scale = structure->typical_parameters(sizes);
  if (start)
    theta = scales ? structure->project(structure->generator(*start) / rate) : *start;
  else if (scales)
    theta = scale.cwiseProduct(structure->random_start(random));
  else
    theta = law_start(data, *structure, options);
  if (!scales) scale = theta.cwiseAbs().cwiseMax(0.1);

  Fit result{structure, "adam"};
  const auto lengths = horizons(data);
  std::optional<Dataset> previous;
  Matrix x0;
  int stage_number = 0;
  for (const Index length : lengths) {
    const bool last = length == lengths.back();
    const Dataset windows = last ? data : cut_windows(data, length);
    x0 = previous && options.estimate_initial_states ? carried_over(windows, *previous, x0)
                                                     : measured_initial_states(windows);
    AdamOptions adam = options.adam;
    if (!last) {
      adam.epochs = std::min(adam.epochs, stage_epochs);
      adam.smallest_rate = std::max(adam.smallest_rate, stage_smallest_rate);
    }
    const std::string task =
        fmt::format("training, horizon {} of {}", ++stage_number, lengths.size());
    const Stage stage{*structure,
                      TrajectoryLoss(windows, *structure, sizes.cwiseAbs2().cwiseInverse()),
                      static_cast<double>(windows.present()),
                      theta,
                      scale,
                      sizes,
                      options.estimate_initial_states};
    AdamResult fit;
    const auto run = [&] { fit = stage.run(x0, observed(adam, options, task, 1)); };
    if (stage_number == 1) {
      run();
    } else if (!unless_stopped(run)) {
      result.stopped = true;
      x0 = measured_initial_states(data);
      break;
    }
    theta = stage.theta(fit.x);
    x0 = stage.initial_states(fit.x, x0);
    result.iterations += fit.epochs;
    result.converged = last && fit.converged;
    result.stopped = fit.stopped;
    if (fit.stopped && !last) {
      x0 = measured_initial_states(data);
      break;
    }
    previous = windows;
  }
  const Matrix a = rate * structure->generator(theta);
  if (!a.allFinite() || !x0.allFinite()) nothing_finite();
  result.theta = scales ? structure->project(a) : theta;
  result.initial_states = x0;
  return result;
}

Fit train_varying(const Dataset& data, std::shared_ptr<const Structure> structure,
                  const Vector& theta, const FitOptions& options) {
  const Matrix measured = measured_initial_states(data);
  const Stage stage{
      *structure,
      TrajectoryLoss(data, *structure, {}, &find_magnus_scheme(options.magnus.method)),
      static_cast<double>(data.present()),
      theta,
      Vector::Ones(theta.size()),
      Vector::Ones(data.dimension()),
      options.estimate_initial_states};
  const AdamResult found =
      stage.run(measured, observed(options.adam, options, "training", amplitude(data)));
  if (!std::isfinite(found.loss)) nothing_finite();
  Fit result{structure, "adam", stage.theta(found.x), stage.initial_states(found.x, measured)};
  result.magnus = options.magnus;
  result.iterations = found.epochs;
  result.converged = found.converged;
  result.stopped = found.stopped;
  return result;
}

Vector random_courses(const ModulatedStructure& structure, Random& random) {
  const double width = 1 / std::sqrt(static_cast<double>(structure.basis().size() - 1));
  Vector theta(structure.parameters());
  for (double& value : theta) value = width * (2 * random.uniform() - 1);
  return theta;
}

}  // namespace lgn
