#include "lgn/dynamics/metric.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/lyapunov.h"
#include "lgn/dynamics/log_scale.h"
#include "lgn/dynamics/triangle_internal.h"

namespace lgn {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Eigenvectors better conditioned than this give the modal energy without asking for another.
constexpr double good_modes = 1e3;

// Parameters: the lower triangle, column by column.

Matrix lower(const Eigen::Ref<const Vector>& entries, Index n) {
  Matrix l = Matrix::Zero(n, n);
  Index k = 0;
  for_lower(n, [&](Index i, Index j) { l(i, j) = entries[k++]; });
  return l;
}

Vector entries_of(const Matrix& l) {
  Vector entries(l.rows() * (l.rows() + 1) / 2);
  Index k = 0;
  for_lower(l.rows(), [&](Index i, Index j) { entries[k++] = l(i, j); });
  return entries;
}

// Energies of a known generator.

/// D, powers of two, for which D⁻¹AD has rows and columns of nearly equal norm (Osborne's sweeps).
/// The diagonal counts: a channel that only drives others, or is only driven, is scaled until that
/// coupling is no larger than its own rate, not until it vanishes.
Vector balancing(Matrix a) {
  constexpr int sweeps = 30;
  Vector d = Vector::Ones(a.rows());
  bool changed = true;
  for (int sweep = 0; sweep < sweeps && changed; ++sweep) {
    changed = false;
    for (Index i = 0; i < a.rows(); ++i) {
      const double column = a.col(i).norm(), row = a.row(i).norm();
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (factor == 1) continue;
      a.col(i) *= factor;
      a.row(i) /= factor;
      d[i] *= factor;
      changed = true;
    }
  }
  return d;
}

/// Largest over smallest eigenvalue; infinite where Q is not positive definite.
double condition_of(const Matrix& q) {
  const double infinite = std::numeric_limits<double>::infinity();
  if (!q.allFinite()) return infinite;
  const Vector values = symmetric_eigenvalues(q);
  return values[0] > 0 ? values[q.rows() - 1] / values[0] : infinite;
}

/// Whether Q certifies A: it is positive definite beyond rounding, and its energy does not grow by
/// more than the rounding of A and Q may feign.
bool certifies(const Matrix& a, const Matrix& q) {
  const double n = static_cast<double>(a.rows()), condition = condition_of(q);
  if (!(100 * n * epsilon * condition < 1)) return false;
  const Matrix root = cholesky(q);
  const double size = solve_lower(root, (root.transpose() * a).transpose()).norm();  // ‖LᵀAL⁻ᵀ‖
  return energy_growth_rate(a, q) <= 10 * n * epsilon * std::sqrt(condition) * (size + a.norm());
}

std::optional<Matrix> lyapunov_energy(const Matrix& a) {
  try {
    const Matrix q = solve_lyapunov(a, Matrix::Identity(a.rows(), a.cols()));
    if (certifies(a, q)) return q;
  } catch (const Error&) {
    // Poles that mirror each other: undamped ones, or A is not stable.
  }
  return std::nullopt;
}

/// find_metric for balanced channels, any scale.
std::optional<Matrix> balanced_metric(const Matrix& a) {
  const Eigensystem modes = eigensystem(a);
  const double n = static_cast<double>(a.rows());
  // Wᴴ = V⁻¹: a computed pole is known to n ε ‖A‖ ‖w‖.
  for (Index k = 0; k < a.rows(); ++k)
    if (modes.values[k].real() > 10 * n * epsilon * a.norm() * modes.left.col(k).norm())
      return std::nullopt;
  Matrix modal = symmetric_part((modes.left * modes.left.adjoint()).real());
  const bool found = certifies(a, modal);
  const double condition = condition_of(modal);
  if (found && condition <= good_modes * good_modes) return modal;
  const auto other = lyapunov_energy(a);
  if (other && (!found || condition_of(*other) < condition)) return other;
  if (found) return modal;
  return std::nullopt;
}

/// A with every pole at or right of −δ, relative to ‖A‖, mirrored or moved to the left of it.
Matrix move_left(const Matrix& a, double delta) {
  RealSchur schur = real_schur(a);
  const double least = delta * a.norm();
  for (Index k = 0; k < a.rows(); ++k) {
    const double re = schur.values[k].real();
    if (re > -least) schur.t(k, k) += -std::max(std::abs(re), least) - re;
  }
  return schur.u * schur.t * schur.u.transpose();
}

}  // namespace

std::optional<Matrix> find_metric(const Matrix& a) {
  if (a.rows() != a.cols()) throw Error("an energy needs a square matrix");
  if (!a.allFinite()) throw Error("an energy needs finite entries");
  if (a.size() == 0) return Matrix(0, 0);
  const Vector d = balancing(a), inverse = d.cwiseInverse();
  auto q = balanced_metric(inverse.asDiagonal() * a * d.asDiagonal());
  if (!q) return std::nullopt;
  *q = (inverse.asDiagonal() * *q * inverse.asDiagonal()).eval();
  const Matrix root = cholesky(*q);
  *q *= std::exp(-2 * root.diagonal().array().log().mean());
  return q;
}

// metric

std::vector<std::string> MetricStructure::parameter_names() const {
  auto names = skew_.names();
  for (auto& name : names) name.front() = 'J';
  for_lower(n_, [&](Index i, Index j) { names.push_back(fmt::format("L{},{}", i + 1, j + 1)); });
  for_lower(n_, [&](Index i, Index j) {
    names.push_back(i == j ? fmt::format("g{}", i + 1) : fmt::format("G{},{}", i + 1, j + 1));
  });
  return names;
}

Matrix MetricStructure::l(const Vector& theta) const {
  return lower(theta.segment(skew_.size(), triangle()), n_);
}

Matrix MetricStructure::g(const Vector& theta) const {
  Matrix g = lower(theta.tail(triangle()), n_);
  g.diagonal() = g.diagonal().unaryExpr(&from_log_scale).eval();
  return g;
}

Matrix MetricStructure::q(const Vector& theta) const {
  const Matrix root = g(theta);
  return symmetric_part(root * root.transpose());
}

Matrix MetricStructure::j_minus_r(const Vector& theta) const {
  const Matrix root = l(theta);
  Matrix k = -symmetric_part(root * root.transpose());
  skew_.add_to(k, theta.head(skew_.size()));
  return k;
}

Matrix MetricStructure::generator(const Vector& theta) const { return j_minus_r(theta) * q(theta); }

Vector MetricStructure::pullback(const Vector& theta, const Matrix& gradient) const {
  const Matrix by_k = gradient * q(theta), by_q = j_minus_r(theta).transpose() * gradient;
  Vector result(parameters());
  skew_.pullback(by_k, result.head(skew_.size()));
  result.segment(skew_.size(), triangle()) = entries_of(-(by_k + by_k.transpose()) * l(theta));
  Matrix by_g = (by_q + by_q.transpose()) * g(theta);
  const Matrix logs = lower(theta.tail(triangle()), n_);
  by_g.diagonal().array() *= logs.diagonal().unaryExpr(&log_scale_slope).array();
  result.tail(triangle()) = entries_of(by_g);
  return result;
}

Matrix MetricStructure::pushforward(const Vector& theta, const Vector& delta) const {
  const Matrix half_r = l(delta) * l(theta).transpose();
  Matrix dk = -(half_r + half_r.transpose());
  skew_.add_to(dk, delta.head(skew_.size()));
  const Matrix logs = lower(theta.tail(triangle()), n_);
  Matrix dg = lower(delta.tail(triangle()), n_);
  dg.diagonal().array() *= logs.diagonal().unaryExpr(&log_scale_slope).array();
  const Matrix half_q = dg * g(theta).transpose();
  return dk * q(theta) + j_minus_r(theta) * (half_q + half_q.transpose());
}

Vector MetricStructure::project(const Matrix& target) const {
  Matrix a = target;
  auto metric = find_metric(a);
  if (!metric) {
    const Vector d = balancing(a), inverse = d.cwiseInverse();
    const Matrix balanced = inverse.asDiagonal() * a * d.asDiagonal();
    // With δ ≥ ‖A‖ the Schur form outweighs its own off-diagonal part, so the search ends.
    for (double delta = std::sqrt(epsilon); !metric; delta *= 100) {
      a = d.asDiagonal() * move_left(balanced, delta) * inverse.asDiagonal();
      metric = find_metric(a);
    }
  }
  const Matrix root = cholesky(*metric);  // G
  // In the coordinates y = Gᵀx of the energy ½‖y‖² the generator is M = GᵀAG⁻ᵀ. There its symmetric
  // part is negative up to rounding, which is clipped; J and R are those of M, taken back by G⁻ᵀ ·
  // G⁻¹.
  const Matrix m = solve_lower(root, (root.transpose() * a).transpose()).transpose();
  const SymmetricEigen damping = symmetric_eigen(-symmetric_part(m));
  const Matrix factor = damping.vectors * damping.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  // R = FFᵀ with F = G⁻ᵀ factor; Fᵀ = (orthogonal)(upper) gives L = upperᵀ, even where R is
  // singular.
  const Matrix f = solve_lower_transposed(root, factor);
  const Matrix upper = qr_triangle(f.transpose());
  const Matrix half = solve_lower_transposed(root, 0.5 * (m - m.transpose()));
  const Matrix j = solve_lower_transposed(root, half.transpose());  // (G⁻ᵀ M_skew G⁻¹)ᵀ = −J
  Vector theta(parameters());
  skew_.project(-j, theta.head(skew_.size()));
  theta.segment(skew_.size(), triangle()) = entries_of(upper.transpose());
  Matrix logs = root;
  logs.diagonal() = logs.diagonal().array().log();
  theta.tail(triangle()) = entries_of(logs);
  return theta;
}

Vector MetricStructure::random_start(Random& random) const {
  Vector theta = start_spread * random.normals(parameters());
  Matrix root = l(theta);
  root.diagonal().array() += std::sqrt(start_spread);
  theta.segment(skew_.size(), triangle()) = entries_of(root);
  return theta;
}

std::vector<NamedValue> MetricStructure::named_values(const Vector& theta) const {
  const Matrix root = l(theta);
  return {{"J", skew_.matrix(theta.head(skew_.size()))},
          {"R", symmetric_part(root * root.transpose())},
          {"Q", q(theta)}};
}

std::optional<Matrix> MetricStructure::energy(const Vector& theta) const { return q(theta); }

Vector MetricStructure::typical_parameters(const Vector& channel_sizes) const {
  const Vector logs = channel_sizes.array().log() - channel_sizes.array().log().mean();
  const Vector sizes = logs.array().exp();
  const Vector ones = Vector::Ones(n_);
  Vector typical(parameters());
  Index k = 0;
  for (Index i = 0; i < n_; ++i)
    for (Index j = i + 1; j < n_; ++j) typical[k++] = sizes[i] * sizes[j];
  typical.segment(k, triangle()) = entries_of(sizes * ones.transpose());
  Matrix roots = sizes.cwiseInverse() * ones.transpose();
  roots.diagonal() = logs.cwiseAbs().cwiseMax(1.0);
  typical.tail(triangle()) = entries_of(roots);
  return typical;
}

}  // namespace lgn
