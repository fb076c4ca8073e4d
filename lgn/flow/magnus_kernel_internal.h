#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "lgn/flow/exponential.h"
#include "lgn/flow/magnus_scheme.h"
#include "lgn/flow/taylor_action.h"

namespace lgn {

/// About as many nanoseconds as a step takes, its exponents and their action on a few states, as stop_point() counts.
inline double magnus_step_work(Index n) {
  return n == 2 ? 700 : 3000 + 30 * static_cast<double>(n * n * n);
}

/// The exponents of one step and their adjoint, for n × n matrices of fixed or dynamic size.
template <int N>
class MagnusKernel {
 public:
  using Square = Eigen::Matrix<double, N, N>;

  explicit MagnusKernel(Index n) : n_(n) {
    registers_.fill(Square::Zero(n, n));
    pulled_.fill(Square::Zero(n, n));
    left_ = right_ = left_pull_ = right_pull_ = Square::Zero(n, n);
  }

  /// Fills the registers from A at the nodes (side by side in `a`), then each exponent.
  template <class Generators>
  void exponents(const MagnusScheme& scheme, double h, const Generators& a,
                 std::vector<Square>& omega) {
    const std::size_t samples = scheme.nodes.size();
    for (std::size_t i = 0; i < samples; ++i)
      registers_[i] = h * a.template block<N, N>(0, static_cast<Index>(i) * n_, n_, n_);
    for (std::size_t c = 0; c < scheme.commutators.size(); ++c) {
      combine(scheme.commutators[c].left, samples + c, left_);
      combine(scheme.commutators[c].right, samples + c, right_);
      registers_[samples + c].noalias() = left_ * right_;
      registers_[samples + c].noalias() -= right_ * left_;
    }
    omega.resize(scheme.exponents.size(), Square::Zero(n_, n_));
    for (std::size_t e = 0; e < omega.size(); ++e)
      combine(scheme.exponents[e], samples + scheme.commutators.size(), omega[e]);
  }

  /// The changes of the exponents for changes of A at the nodes (side by side in `da`), after exponents() of the same
  /// step.
  template <class Changes>
  void tangent(const MagnusScheme& scheme, double h, const Changes& da,
               std::vector<Square>& omega_moves) {
    const std::size_t samples = scheme.nodes.size();
    for (std::size_t i = 0; i < samples; ++i)
      pulled_[i] = h * da.template block<N, N>(0, static_cast<Index>(i) * n_, n_, n_);
    for (std::size_t c = 0; c < scheme.commutators.size(); ++c) {
      const auto& commutator = scheme.commutators[c];
      combine(commutator.left, samples + c, left_);
      combine(commutator.right, samples + c, right_);
      combine(pulled_, commutator.left, samples + c, left_pull_);
      combine(pulled_, commutator.right, samples + c, right_pull_);
      // R = LM − ML.
      pulled_[samples + c].noalias() = left_pull_ * right_ + left_ * right_pull_;
      pulled_[samples + c].noalias() -= right_pull_ * left_ + right_ * left_pull_;
    }
    omega_moves.resize(scheme.exponents.size(), Square::Zero(n_, n_));
    for (std::size_t e = 0; e < omega_moves.size(); ++e)
      combine(pulled_, scheme.exponents[e], samples + scheme.commutators.size(), omega_moves[e]);
  }

  /// For ∂ℓ/∂Ω_e = pull[e], after exponents() of the same step: ∂ℓ/∂A at the nodes, side by side,
  /// added to `g`.
  template <class Gradients>
  void pull(const MagnusScheme& scheme, double h, const std::vector<Square>& pull, Gradients&& g) {
    const std::size_t samples = scheme.nodes.size(), all = samples + scheme.commutators.size();
    for (std::size_t i = 0; i < all; ++i) pulled_[i].setZero();
    for (std::size_t e = 0; e < pull.size(); ++e) spread(scheme.exponents[e], all, pull[e]);
    for (std::size_t c = scheme.commutators.size(); c-- > 0;) {
      const auto& commutator = scheme.commutators[c];
      const Square& back = pulled_[samples + c];
      combine(commutator.left, samples + c, left_);
      combine(commutator.right, samples + c, right_);
      // R = LM − ML.
      left_pull_.noalias() = back * right_.transpose();
      left_pull_.noalias() -= right_.transpose() * back;
      right_pull_.noalias() = left_.transpose() * back;
      right_pull_.noalias() -= back * left_.transpose();
      spread(commutator.left, samples + c, left_pull_);
      spread(commutator.right, samples + c, right_pull_);
    }
    for (std::size_t i = 0; i < samples; ++i)
      g.template block<N, N>(0, static_cast<Index>(i) * n_, n_, n_) += h * pulled_[i];
  }

 private:
  using Registers = std::array<Square, MagnusScheme::registers>;

  static void combine(const Registers& from, const MagnusScheme::Combination& weights,
                      std::size_t count, Square& result) {
    result.setZero();
    for (std::size_t i = 0; i < count; ++i)
      if (weights[i] != 0) result += weights[i] * from[i];
  }
  void combine(const MagnusScheme::Combination& weights, std::size_t count, Square& result) const {
    combine(registers_, weights, count, result);
  }
  void spread(const MagnusScheme::Combination& weights, std::size_t count, const Square& pull) {
    for (std::size_t i = 0; i < count; ++i)
      if (weights[i] != 0) pulled_[i] += weights[i] * pull;
  }

  Index n_;
  Registers registers_;
  Registers pulled_;  ///< of the adjoint, or the changes of the tangent
  Square left_, right_, left_pull_, right_pull_;
};

/// Size of an exponent beyond which exp(Ω) is formed as a matrix: its series would take too many pieces.
constexpr double stiff = 30;

/// What a step's exponential does to few states: by its series, or as a matrix where Ω is large.
template <int N>
class ExponentAction {
 public:
  using Square = Eigen::Matrix<double, N, N>;

  explicit ExponentAction(const Square& omega)
      : omega_(omega), series_(1.0, std::min(stiff, size(omega))) {
    if (size(omega) > stiff) matrix_ = std::make_unique<Exponential>(Matrix(omega));
  }

  const TaylorAction* series() const { return matrix_ ? nullptr : &series_; }
  const Exponential& matrix() const { return *matrix_; }

  /// X ← exp(Ω) X.
  template <class States>
  void advance(States& x) const {
    if (matrix_)
      x = (matrix_->value() * x).eval();
    else
      series_.advance(omega_, x);
  }
  /// (X, ∂X) ← (exp(Ω) X, exp(Ω) ∂X + L(Ω, ∂Ω) X).
  void advance(const Square& omega_move, Matrix& x, Matrix& moved) const {
    if (matrix_) {
      moved = (matrix_->value() * moved + matrix_->derivative(Matrix(omega_move)) * x).eval();
      x = (matrix_->value() * x).eval();
      return;
    }
    for (int s = 0; s < series_.substeps; ++s) {
      Matrix term = x, moved_term = moved;
      for (int j = 1; j <= series_.terms; ++j) {
        const double factor = series_.h / j;
        moved_term = (factor * (omega_ * moved_term + omega_move * term)).eval();
        moved += moved_term;
        term = (factor * (omega_ * term)).eval();
        x += term;
      }
    }
  }
  /// As TaylorAction::retreat.
  template <class States>
  void retreat(const States& x, States& adjoint, Square& generator,
               std::vector<States>& kept) const {
    if (!matrix_) return series_.retreat(omega_, x, adjoint, generator, kept);
    generator += matrix_->adjoint(adjoint * x.transpose());
    adjoint = (matrix_->value().transpose() * adjoint).eval();
  }

 private:
  static double size(const Square& omega) { return omega.cwiseAbs().colwise().sum().maxCoeff(); }

  const Square& omega_;
  TaylorAction series_;
  std::unique_ptr<const Exponential> matrix_;
};

}  // namespace lgn
