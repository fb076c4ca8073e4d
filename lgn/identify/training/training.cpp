#include "lgn/identify/training/training.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/horizons.h"
#include "lgn/identify/likelihood/starts.h"
#include "lgn/identify/training/trajectory_loss.h"

namespace lgn {
namespace {

/// A horizon shorter than the whole run only has to show the way: few epochs, and a coarse end.
constexpr int stage_epochs = 600;
constexpr double stage_smallest_rate = 2e-4;

/// Starts of the windows of `data` cut to `samples`: the state that the last stage found at the
/// same time, where it had a window there, else the measured one.
Matrix starts_from(const Dataset& windows, const Dataset& previous, const Matrix& previous_starts) {
  Matrix starts = measured_starts(windows);
  std::size_t p = 0;
  for (std::size_t w = 0; w < windows.runs().size(); ++w) {
    const auto& window = windows.runs()[w];
    const auto same_start = [&](std::size_t candidate) {
      const auto& other = previous.runs()[candidate];
      return other.label() == window.label() && other.times()[0] == window.times()[0];
    };
    std::size_t found = p;
    const auto before = [&](std::size_t candidate) {
      const auto& other = previous.runs()[candidate];
      return other.label() != window.label() || other.times()[0] < window.times()[0];
    };
    while (found < previous.runs().size() && before(found)) ++found;
    if (found == previous.runs().size() || !same_start(found)) continue;
    p = found;
    starts.col(static_cast<Index>(w)) = previous_starts.col(static_cast<Index>(found));
  }
  return starts;
}

/// One stage: Adam on (z, X) with θ = θ₀ + scale ∘ z and starts X₀ = diag(sizes) X.
struct Stage {
  const Structure& structure;
  const TrajectoryLoss loss;
  const double values;  ///< samples present
  const Vector origin, scale, sizes;
  const bool learn_starts;

  Vector theta(const Vector& x) const { return origin + scale.cwiseProduct(x.head(origin.size())); }
  Matrix starts(const Vector& x, const Matrix& fixed) const {
    if (!learn_starts) return fixed;
    return sizes.asDiagonal() *
           x.tail(x.size() - origin.size()).reshaped(fixed.rows(), fixed.cols());
  }
  AdamResult run(const Matrix& first_starts, const AdamOptions& options) const {
    const Index parameters = origin.size();
    Vector x0 = Vector::Zero(parameters + (learn_starts ? first_starts.size() : 0));
    Vector lower = Vector::Constant(x0.size(), -std::numeric_limits<double>::infinity());
    lower.head(parameters) = (structure.lower_bounds() - origin).cwiseQuotient(scale);
    if (learn_starts)
      x0.tail(first_starts.size()) = (sizes.cwiseInverse().asDiagonal() * first_starts).reshaped();
    const Objective objective = [&](const Vector& x, Vector& gradient) {
      const Vector t = theta(x);
      const LossGradient g = loss.gradient(structure.generator(t), starts(x, first_starts));
      gradient.head(parameters) = scale.cwiseProduct(structure.pullback(t, g.generator)) / values;
      if (learn_starts)
        gradient.tail(first_starts.size()) = (sizes.asDiagonal() * g.starts).reshaped() / values;
      return g.loss / values;
    };
    return minimize_adam(objective, x0, lower, options);
  }
};

/// A law's constants have units, so its start comes from the data: the law nearest to an
/// unstructured generator trained on the shortest horizon.
Vector law_start(const Dataset& data, const Structure& law, const TrainingOptions& options) {
  TrainingOptions quick = options;
  quick.theta.reset();
  quick.adam.epochs = stage_epochs;
  quick.estimate_starts = true;
  quick.stage += ", law";
  const Index window = horizons(data).front();
  return law.project(
      train(cut_windows(data, window), FullStructure(data.dimension()), quick).generator);
}

}  // namespace

Trained train(const Dataset& original, const Structure& structure, const TrainingOptions& options) {
  if (structure.dimension() != original.dimension())
    throw Error("the structure and the data have different numbers of states");
  if (amplitude(original) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  const double rate = structure.scales_with_time() ? typical_rate(original) : 1.0;
  const Dataset data = rescale_time(original, rate);
  const Vector sizes = structure.common_unit()
                           ? Vector::Constant(data.dimension(), amplitude(data)).eval()
                           : channel_amplitudes(data);

  Random random(options.seed);
  Vector theta, scale = structure.typical_parameters(sizes);
  if (options.theta) {
    theta = structure.scales_with_time()
                ? structure.project(structure.generator(*options.theta) / rate)
                : *options.theta;
  } else if (structure.scales_with_time()) {
    theta = scale.cwiseProduct(structure.random_start(random));
  } else {
    theta = law_start(data, structure, options);
  }
  if (!structure.scales_with_time()) scale = theta.cwiseAbs().cwiseMax(0.1);

  Trained result;
  const auto lengths = horizons(data);
  std::optional<Dataset> previous;
  Matrix starts;
  FitProgress progress;
  int stage_number = 0;
  for (const Index length : lengths) {
    const bool last = length == lengths.back();
    const Dataset windows = last ? data : cut_windows(data, length);
    starts = previous && options.estimate_starts ? starts_from(windows, *previous, starts)
                                                 : measured_starts(windows);
    AdamOptions adam = options.adam;
    if (!last) {
      adam.epochs = std::min(adam.epochs, stage_epochs);
      adam.smallest_rate = std::max(adam.smallest_rate, stage_smallest_rate);
    }
    progress.task = fmt::format("training, horizon {} of {}", ++stage_number, lengths.size());
    progress.steps = adam.epochs;
    const std::string stage_name = options.stage + ", " + progress.task;
    if (options.checkpoint) {
      if (Vector packed; options.checkpoint->restore(stage_name, packed))
        adam.resume = AdamState::unpack(packed);
      adam.keep = [&, stage_name](const AdamState& state) {
        options.checkpoint->keep(stage_name, state.pack());
      };
    }
    adam.observe = [&](int epoch, double loss) {
      progress.step = epoch;
      progress.nrmse = std::sqrt(loss);
      return !options.observe || options.observe(progress);
    };
    const Stage stage{structure,
                      TrajectoryLoss(windows, sizes.cwiseAbs2().cwiseInverse()),
                      static_cast<double>(windows.present()),
                      theta,
                      scale,
                      sizes,
                      options.estimate_starts};
    const AdamResult fit = stage.run(starts, adam);
    theta = stage.theta(fit.x);
    starts = stage.starts(fit.x, starts);
    result.iterations += fit.epochs;
    result.converged = last && fit.converged;
    result.stopped = fit.stopped;
    if (fit.stopped && !last) {
      starts = measured_starts(data);
      break;
    }
    previous = windows;
  }
  result.generator = rate * structure.generator(theta);
  result.theta = structure.scales_with_time() ? structure.project(result.generator) : theta;
  result.starts = starts;
  if (!result.generator.allFinite() || !result.starts.allFinite())
    throw NotIdentified("training did not find a finite trajectory",
                        "try another --seed or a structure that cannot grow, such as sd");
  return result;
}

}  // namespace lgn
