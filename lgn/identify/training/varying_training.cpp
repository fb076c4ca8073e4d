#include "lgn/identify/training/varying_training.h"

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/identify/likelihood/starts.h"
#include "lgn/identify/training/trajectory_loss.h"

namespace lgn {
namespace {

/// A run, and the nodes of its steps.
struct Lesson {
  Matrix target, present;  ///< samples below one another; zero and 0 where missing
  MagnusNodes nodes;
};

std::vector<std::unique_ptr<const Lesson>> lessons_of(const Dataset& data,
                                                      const VaryingStructure& structure,
                                                      const MagnusScheme& scheme) {
  std::vector<std::unique_ptr<const Lesson>> lessons;
  for (const auto& run : data.runs()) {
    const auto missing = run.states().array().isNaN();
    const Matrix target = missing.select(0.0, run.states());
    const Matrix present = missing.select(0.0, Matrix::Ones(target.rows(), target.cols()));
    lessons.push_back(std::make_unique<const Lesson>(
        Lesson{target.reshaped(), present.reshaped(),
               MagnusNodes(structure, even_grid(run.times(), scheme))}));
  }
  return lessons;
}

}  // namespace

Vector random_courses(const ModulatedStructure& structure, Random& random) {
  const double width = 1 / std::sqrt(static_cast<double>(structure.basis().size() - 1));
  Vector theta(structure.parameters());
  for (double& value : theta) value = width * (2 * random.uniform() - 1);
  return theta;
}

VaryingFit train_varying(const Dataset& data, std::shared_ptr<const VaryingStructure> structure,
                         const Vector& theta, const TrainingOptions& options,
                         const MagnusOptions& magnus) {
  const Index n = data.dimension(), p = structure->parameters();
  const auto runs = static_cast<Index>(data.runs().size());
  const auto lessons = lessons_of(data, *structure, find_magnus_scheme(magnus.method));
  const double values = static_cast<double>(data.present());
  const Matrix measured = measured_starts(data);
  const auto starts_in = [&](const Vector& x) -> Matrix {
    return options.estimate_starts ? Matrix(x.tail(n * runs).reshaped(n, runs)) : measured;
  };
  const Objective loss = [&](const Vector& x, Vector& gradient) {
    const Matrix starts = starts_in(x);
    gradient.setZero(x.size());
    double sum = 0;
    for (Index r = 0; r < runs; ++r) {
      const Lesson& lesson = *lessons[static_cast<std::size_t>(r)];
      const MagnusFlow flow(lesson.nodes, x.head(p));
      const Matrix states = flow.states(starts.col(r));
      const Matrix error = (states - lesson.target).cwiseProduct(lesson.present);
      sum += error.squaredNorm();
      const auto pulled = flow.adjoint(states, 2 / values * error);
      gradient.head(p) += pulled.theta;
      if (options.estimate_starts) gradient.segment(p + r * n, n) = pulled.starts;
    }
    return sum / values;
  };
  Vector x = theta;
  Vector lower = structure->lower_bounds();
  if (options.estimate_starts) {
    const Vector free = Vector::Constant(n * runs, -std::numeric_limits<double>::infinity());
    x = (Vector(p + n * runs) << theta, measured.reshaped()).finished();
    lower = (Vector(p + n * runs) << structure->lower_bounds(), free).finished();
  }
  AdamOptions adam = options.adam;
  FitProgress progress;
  progress.task = "training";
  progress.steps = adam.epochs;
  const double size = amplitude(data);
  adam.observe = [&](int epoch, double value) {
    progress.step = epoch;
    progress.nrmse = std::sqrt(value) / size;
    return !options.observe || options.observe(progress);
  };
  if (options.checkpoint != nullptr) {
    if (Vector packed; options.checkpoint->restore(options.stage, packed))
      adam.resume = AdamState::unpack(packed);
    adam.keep = [&](const AdamState& state) {
      options.checkpoint->keep(options.stage, state.pack());
    };
  }
  const AdamResult found = minimize_adam(loss, x, lower, adam);
  if (!std::isfinite(found.loss))
    throw NotIdentified("training did not find a finite trajectory",
                        "try another --seed or a structure that cannot grow, such as ltv-sd");
  VaryingFit result{structure, "adam", found.x.head(p), starts_in(found.x)};
  result.magnus = magnus;
  result.iterations = found.epochs;
  result.converged = found.converged;
  result.stopped = found.stopped;
  return result;
}

}  // namespace lgn
