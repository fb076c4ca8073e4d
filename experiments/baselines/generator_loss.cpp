#include "experiments/baselines/generator_loss.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "experiments/baselines/even_step.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/exponential.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/training/trajectory_loss.h"

namespace lgn::studies {
namespace {

/// P = I + hA (I + hA/2 (I + hA/3 (I + hA/4))), and the adjoint of A ↦ P.
class RungeKuttaMap {
 public:
  RungeKuttaMap(const Matrix& a, double step) : ha_(step * a), step_(step) {
    const Matrix identity = Matrix::Identity(a.rows(), a.cols());
    nested_[3] = identity + ha_ / 4;
    for (std::size_t k = 3; k > 0; --k)
      nested_[k - 1] = identity + ha_ * nested_[k] / static_cast<double>(k);
  }
  const Matrix& value() const { return nested_[0]; }
  /// ∂ℓ/∂A for pull = ∂ℓ/∂P.
  Matrix adjoint(Matrix pull) const {
    Matrix by_a = Matrix::Zero(ha_.rows(), ha_.cols());
    for (std::size_t k = 1; k < 4; ++k) {
      pull /= static_cast<double>(k);
      by_a += pull * nested_[k].transpose();
      pull = (ha_.transpose() * pull).eval();
    }
    return step_ * (by_a + pull / 4);
  }

 private:
  Matrix ha_;
  double step_;
  std::vector<Matrix> nested_ = std::vector<Matrix>(4);  ///< P first, the innermost bracket last
};

/// X_1 … X_τ from X_0 for a step map P, and what ‖X_k − Y_k‖² says of P.
class Windows {
 public:
  Windows(const Dataset& data, const WindowOptions& options)
      : n_(data.dimension()),
        steps_(options.steps),
        map_(options.map),
        step_(common_step(data)),
        samples_(stack(data, options.steps)) {
    values_ = static_cast<double>(samples_.cols() * n_ * steps_);
    if (samples_.cols() <= samples_.rows()) return;
    // ‖M Q‖ = ‖M‖ for an orthogonal Q, so Rᵀ of samplesᵀ = QR stands for all windows.
    samples_ = qr_triangle(samples_.transpose()).transpose();
  }

  double evaluate(const Matrix& a, Matrix& gradient) const {
    if (map_ == StepMap::rk4) {
      const RungeKuttaMap map(a, step_);
      const double loss = back_through(map.value(), gradient);
      gradient = map.adjoint(gradient);
      return loss;
    }
    const Exponential map(step_ * a);
    const double loss = back_through(map.value(), gradient);
    gradient = step_ * map.adjoint(gradient);
    return loss;
  }

 private:
  /// One window in every column, the samples of a window below one another.
  static Matrix stack(const Dataset& data, Index steps) {
    if (steps < 1) throw Error("a window needs at least one step");
    const Index n = data.dimension();
    Index windows = 0;
    for (const Trajectory& run : data.runs()) windows += std::max<Index>(run.samples() - steps, 0);
    if (windows == 0) throw Error("no run is as long as a window", "use fewer steps");
    Matrix stacked(n * (steps + 1), windows);
    Index column = 0;
    for (const Trajectory& run : data.runs())
      for (Index k = 0; k + steps < run.samples(); ++k)
        stacked.col(column++) = run.states().middleCols(k, steps + 1).reshaped();
    return stacked;
  }

  auto sample(Index k) const { return samples_.middleRows(k * n_, n_); }

  /// The loss, and ∂ℓ/∂P in `gradient`.
  double back_through(const Matrix& p, Matrix& gradient) const {
    std::vector<Matrix> states{sample(0)};
    for (Index k = 1; k <= steps_; ++k) states.emplace_back(p * states.back());
    double loss = 0;
    gradient = Matrix::Zero(n_, n_);
    Matrix pull = Matrix::Zero(n_, samples_.cols());
    for (Index k = steps_; k > 0; --k) {
      const Matrix residual = states[static_cast<std::size_t>(k)] - sample(k);
      loss += residual.squaredNorm() / values_;
      pull = (p.transpose() * pull).eval();
      pull += 2 / values_ * residual;
      gradient += pull * states[static_cast<std::size_t>(k - 1)].transpose();
    }
    return loss;
  }

  Index n_, steps_;
  StepMap map_;
  double step_;
  Matrix samples_;
  double values_ = 0;  ///< predicted ones
};

}  // namespace

GeneratorLoss trajectory_loss(const Dataset& data) {
  const auto full = std::make_shared<const FullStructure>(data.dimension());
  const auto loss = std::make_shared<const TrajectoryLoss>(data, *full);
  const double values = static_cast<double>(data.present());
  // The structure goes along, because the loss refers to it.
  return
      [loss, full, values, x0 = measured_initial_states(data)](const Matrix& a, Matrix& gradient) {
        const LossGradient found = loss->gradient(full->project(a), x0);
        gradient = found.theta.reshaped(a.rows(), a.cols()) / values;
        return found.loss / values;
      };
}

Matrix step_map(StepMap map, const Matrix& a, double step) {
  return map == StepMap::rk4 ? RungeKuttaMap(a, step).value() : exponential(step * a);
}

Matrix roll_out(StepMap map, const Matrix& a, const Vector& x0, double step, Index samples) {
  const Matrix p = step_map(map, a, step);
  Matrix states(x0.size(), samples);
  if (samples > 0) states.col(0) = x0;
  for (Index k = 1; k < samples; ++k) states.col(k) = p * states.col(k - 1);
  return states;
}

GeneratorLoss window_loss(const Dataset& data, const WindowOptions& options) {
  const auto windows = std::make_shared<const Windows>(data, options);
  return [windows](const Matrix& a, Matrix& gradient) { return windows->evaluate(a, gradient); };
}

}  // namespace lgn::studies
