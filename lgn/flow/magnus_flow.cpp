#include "lgn/flow/magnus_flow.h"

#include <utility>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/flow/magnus_kernel_internal.h"

namespace lgn {

MagnusPlan::MagnusPlan(const Structure& structure, MagnusGrid grid)
    : structure_(structure), grid_(std::move(grid)) {
  std::vector<double> times;
  for (std::size_t s = 0; s < grid_.steps.size(); ++s) {
    const MagnusStep& step = grid_.steps[s];
    // A step that begins with a node where the last one ended with one shares it.
    const bool shared = s > 0 && step.scheme == grid_.steps[s - 1].scheme &&
                        step.scheme->nodes.front() == 0 && step.scheme->nodes.back() == 1;
    first_node_.push_back(static_cast<Index>(times.size()) - (shared ? 1 : 0));
    for (std::size_t i = shared ? 1 : 0; i < step.scheme->nodes.size(); ++i)
      times.push_back(step.begin + step.scheme->nodes[i] * step.length);
  }
  times_ = Eigen::Map<const Vector>(times.data(), static_cast<Index>(times.size()));
  sampled_ = structure.sample(times_);
}

/// The walk over all steps, for matrices of fixed or dynamic size.
template <int N>
class MagnusFlow::Kernel {
 public:
  using Square = Eigen::Matrix<double, N, N>;

  explicit Kernel(const MagnusFlow& flow)
      : plan_(flow.plan_),
        grid_(*flow.plan_.grid()),
        course_(*flow.course_),
        n_(flow.plan_.structure().dimension()),
        kernel_(n_) {}

  /// M: number of states, or dynamic.
  template <int M>
  Matrix states(const Matrix& starts) {
    using States = Eigen::Matrix<double, N, M>;
    Matrix result(grid_.times.size() * n_, starts.cols());
    States x = starts;
    result.topRows(n_) = x;
    for (Index k = 0; k + 1 < grid_.times.size(); ++k) {
      for (std::size_t s = begin(k); s < begin(k + 1); ++s) {
        prepare(s);
        for (const Square& omega : omega_) ExponentAction<N>(omega).advance(x);
      }
      result.middleRows((k + 1) * n_, n_) = x;
    }
    return result;
  }

  template <int M>
  Gradient adjoint(const Matrix& states, const Matrix& pull) {
    using States = Eigen::Matrix<double, N, M>;
    Matrix gradients = Matrix::Zero(n_, n_ * plan_.times().size());
    std::vector<States> before, kept;
    std::vector<Square> omega_pull;
    States back = pull.bottomRows(n_);
    for (Index k = grid_.times.size() - 1; k-- > 0;) {
      // The states before each exponential, then the way back.
      before.assign(1, states.middleRows(k * n_, n_));
      for (std::size_t s = begin(k); s < begin(k + 1); ++s) {
        if (begin(k) + 1 == begin(k + 1) && grid_.steps[s].scheme->exponents.size() == 1) break;
        prepare(s);
        for (const Square& omega : omega_) {
          before.push_back(before.back());
          ExponentAction<N>(omega).advance(before.back());
        }
      }
      auto x = before.size();
      if (x > 1) --x;  // the last is where the next interval begins
      for (std::size_t s = begin(k + 1); s-- > begin(k);) {
        prepare(s);
        omega_pull.assign(omega_.size(), Square::Zero(n_, n_));
        for (std::size_t e = omega_.size(); e-- > 0;)
          ExponentAction<N>(omega_[e]).retreat(before[--x], back, omega_pull[e], kept);
        kernel_.pull(*grid_.steps[s].scheme, grid_.steps[s].length, omega_pull,
                     gradients.middleCols(plan_.first_node(s) * n_, width(s)));
      }
      back += pull.middleRows(k * n_, n_);
    }
    return {course_.pullback(gradients), back};
  }

  Matrix jacobian(const Matrix& starts) {
    const Index p = plan_.structure().parameters(), samples = grid_.times.size();
    Matrix result(p * starts.cols(), samples * n_);
    for (Index r = 0; r < starts.cols(); ++r) {
      Matrix derivatives = Matrix::Zero(p, n_);  // ∂x_i/∂θ_q at row q, column i
      Vector x = starts.col(r);
      for (Index k = 0; k < samples; ++k) {
        for (Index i = 0; i < n_; ++i)
          result.col(i * samples + k).segment(r * p, p) = derivatives.col(i);
        if (k + 1 == samples) break;
        for (std::size_t s = begin(k); s < begin(k + 1); ++s) advance(s, x, derivatives);
      }
    }
    return result;
  }

  Matrix tangent(const Vector& delta, const Matrix& starts) {
    const Matrix changes = course_.pushforward(delta);
    Matrix result(grid_.times.size() * n_, starts.cols());
    result.topRows(n_).setZero();
    Matrix x = starts, moved = Matrix::Zero(n_, starts.cols());
    std::vector<Square> omega_moves;
    for (Index k = 0; k + 1 < grid_.times.size(); ++k) {
      for (std::size_t s = begin(k); s < begin(k + 1); ++s) {
        prepare(s);
        kernel_.tangent(*grid_.steps[s].scheme, grid_.steps[s].length,
                        changes.middleCols(plan_.first_node(s) * n_, width(s)), omega_moves);
        for (std::size_t e = 0; e < omega_.size(); ++e)
          ExponentAction<N>(omega_[e]).advance(omega_moves[e], x, moved);
      }
      result.middleRows((k + 1) * n_, n_) = moved;
    }
    return result;
  }

  Matrix adjoint_x0(const Matrix& pull) {
    Matrix back = pull.bottomRows(n_);
    for (Index k = grid_.times.size() - 1; k-- > 0;) {
      for (std::size_t s = begin(k + 1); s-- > begin(k);) {
        prepare(s);
        for (std::size_t e = omega_.size(); e-- > 0;)
          ExponentAction<N>(Square(omega_[e].transpose())).advance(back);
      }
      back += pull.middleRows(k * n_, n_);
    }
    return back;
  }

 private:
  std::size_t begin(Index k) const { return grid_.first[static_cast<std::size_t>(k)]; }
  Index width(std::size_t s) const {
    return static_cast<Index>(grid_.steps[s].scheme->nodes.size()) * n_;
  }

  /// The exponents of step s.
  double magnus_jacobian_work() const {
    const double n = static_cast<double>(n_);
    return n * magnus_step_work(n_) + 10 * n * static_cast<double>(plan_.structure().parameters());
  }

  void prepare(std::size_t s) {
    stop_point(step_work_);
    kernel_.exponents(*grid_.steps[s].scheme, grid_.steps[s].length,
                      course_.generators().middleCols(plan_.first_node(s) * n_, width(s)), omega_);
  }

  /// Moves x and its derivatives by step s: the adjoint of the step for every unit vector at its end
  /// gives the derivative of x by A at the nodes, and that of θ from there.
  void advance(std::size_t s, Vector& x, Matrix& derivatives) {
    prepare(s);
    stop_point(jacobian_work_);
    const MagnusStep& step = grid_.steps[s];
    std::vector<Vector> before{x};
    for (const Square& omega : omega_) {
      before.push_back(before.back());
      ExponentAction<N>(omega).advance(before.back());
    }
    Matrix back = Matrix::Identity(n_, n_);
    // Row j n + a, column b of an exponent's is ∂x_j/∂Ω_ab.
    std::vector<Matrix> pulled(omega_.size());
    for (std::size_t e = omega_.size(); e-- > 0;) pulled[e] = retreat(omega_[e], before[e], back);
    Matrix gradients = Matrix::Zero(n_, width(s) * n_);
    std::vector<Square> one(omega_.size());
    for (Index j = 0; j < n_; ++j) {
      for (std::size_t e = 0; e < omega_.size(); ++e) one[e] = pulled[e].middleRows(j * n_, n_);
      kernel_.pull(*step.scheme, step.length, one, gradients.middleCols(j * width(s), width(s)));
    }
    derivatives = derivatives * back;
    for (std::size_t i = 0; i < step.scheme->nodes.size(); ++i) {
      Matrix at_node(n_, n_ * n_);
      for (Index j = 0; j < n_; ++j)
        at_node.middleCols(j * n_, n_) =
            gradients.middleCols(j * width(s) + static_cast<Index>(i) * n_, n_);
      derivatives += course_.pullback_at(plan_.first_node(s) + static_cast<Index>(i), at_node);
    }
    x = before.back();
  }

  /// For every column λ of `back`: exp(Ω)ᵀλ in its place, and ∂(λᵀ exp(Ω) x)/∂Ω below one another.
  /// Terms as in TaylorAction::retreat, for all columns in one product.
  Matrix retreat(const Square& omega, const Vector& x, Matrix& back) {
    const ExponentAction<N> exponent(omega);
    Matrix result = Matrix::Zero(n_ * n_, n_);
    if (!exponent.series()) {
      for (Index j = 0; j < n_; ++j)
        result.middleRows(j * n_, n_) = exponent.matrix().adjoint(back.col(j) * x.transpose());
      back = exponent.matrix().value().transpose() * back;
      return result;
    }
    const TaylorAction& action = *exponent.series();
    action.keep_terms(omega, x, kept_);
    Matrix backs(n_ * n_, action.terms), terms(n_, action.terms);
    for (int s = action.substeps - 1; s >= 0; --s) {
      const Matrix first = back;
      for (int j = action.terms; j > 0; --j) {
        const double factor = action.h / j;
        backs.col(j - 1) = factor * back.reshaped();
        terms.col(j - 1) = kept_[static_cast<std::size_t>(s * action.terms + j - 1)];
        back = first + factor * (omega.transpose() * back);
      }
      result.noalias() += backs * terms.transpose();
    }
    return result;
  }

  const MagnusPlan& plan_;
  const MagnusGrid& grid_;
  const GeneratorCourse& course_;
  Index n_;
  double step_work_ = magnus_step_work(n_), jacobian_work_ = magnus_jacobian_work();
  MagnusKernel<N> kernel_;
  std::vector<Square> omega_;
  std::vector<Vector> kept_;
};

std::unique_ptr<const Flow> MagnusPlan::at(const Vector& theta) const {
  return std::make_unique<MagnusFlow>(*this, theta);
}

MagnusFlow::MagnusFlow(const MagnusPlan& plan, const Vector& theta)
    : plan_(plan),
      observation_(plan.structure().observation(theta)),
      course_(plan.sampled().course(theta)) {}

MagnusFlow::~MagnusFlow() = default;

Matrix MagnusFlow::states(const Matrix& x0) const {
  const bool pair = plan_.structure().dimension() == 2;
  if (pair && x0.cols() == 1) return Kernel<2>(*this).states<1>(x0);
  if (pair) return Kernel<2>(*this).states<Eigen::Dynamic>(x0);
  return Kernel<Eigen::Dynamic>(*this).states<Eigen::Dynamic>(x0);
}

Matrix MagnusFlow::maps() const {
  const Index n = plan_.structure().dimension();
  return states(Matrix::Identity(n, n));
}

Matrix MagnusFlow::jacobian(const Matrix& x0) const {
  if (plan_.structure().dimension() == 2) return Kernel<2>(*this).jacobian(x0);
  return Kernel<Eigen::Dynamic>(*this).jacobian(x0);
}

Matrix MagnusFlow::tangent(const Vector& delta, const Matrix& x0) const {
  return Kernel<Eigen::Dynamic>(*this).tangent(delta, x0);
}

Flow::Gradient MagnusFlow::adjoint(const Matrix& states, const Matrix& pull) const {
  const bool pair = plan_.structure().dimension() == 2;
  if (pair && states.cols() == 1) return Kernel<2>(*this).adjoint<1>(states, pull);
  if (pair) return Kernel<2>(*this).adjoint<Eigen::Dynamic>(states, pull);
  return Kernel<Eigen::Dynamic>(*this).adjoint<Eigen::Dynamic>(states, pull);
}

Matrix MagnusFlow::adjoint_x0(const Matrix& pull) const {
  return Kernel<Eigen::Dynamic>(*this).adjoint_x0(pull);
}

}  // namespace lgn
