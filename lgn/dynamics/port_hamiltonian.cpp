#include "lgn/dynamics/port_hamiltonian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/lyapunov.h"
#include "lgn/dynamics/triangle_internal.h"

namespace lgn {
namespace {

/// An orthogonal U and w with UᵀJU block diagonal, [[0, w], [−w, 0]], for a skew J.
struct SkewForm {
  Matrix u;
  Vector w;
};

SkewForm skew_form(const Matrix& j) {
  const Index n = j.rows();
  const RealSchur schur = real_schur(j);
  const double small = 1e-14 * norm1(j);
  std::vector<Index> pairs, singles;
  for (Index k = 0; k < n; ++k) {
    if (k + 1 < n && std::abs(schur.t(k + 1, k)) > small) {
      pairs.push_back(k);
      ++k;
    } else {
      singles.push_back(k);
    }
  }
  SkewForm result{Matrix(n, n), Vector::Zero(n / 2)};
  Index next = 0;
  for (const Index k : pairs) {
    result.w[next / 2] = 0.5 * (schur.t(k, k + 1) - schur.t(k + 1, k));
    result.u.middleCols(next, 2) = schur.u.middleCols(k, 2);
    next += 2;
  }
  for (const Index k : singles) result.u.col(next++) = schur.u.col(k);
  return result;
}

Matrix skew_part_of(const Matrix& a) { return 0.5 * (a - a.transpose()); }

}  // namespace

void check_passivity(const SquareSystem& system, const PassivityCertificate& certificate) {
  const auto& [a, b, c, d] = system;
  const auto& [q, l] = certificate;
  const Index n = a.rows(), m = b.cols();
  const auto refuse = [](const std::string& why) {
    throw Error("the model claims to be passive, and its certificate does not prove it: " + why,
                "its numbers were changed after it was fitted; fit it again");
  };
  if (c.rows() != m || q.rows() != n || q.cols() != n || l.rows() != n + m)
    refuse("sizes do not match");
  constexpr double rounding = 1e-9;
  const auto size = [](const Matrix& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; };
  if (size(q - q.transpose()) > rounding * size(q) || !(symmetric_eigenvalues(q)[0] > 0))
    refuse("the storage is not positive definite");
  const Matrix qa = q * a, qb = q * b, through = d.size() > 0 ? d : Matrix::Zero(m, m);
  const Matrix product = l * l.transpose();
  const auto differs = [&](const Matrix& x, const Matrix& y, double scale) {
    return !(size(x - y) <= rounding * scale);
  };
  if (differs(-symmetric_part(qa), product.topLeftCorner(n, n), size(qa)))
    refuse("A does not lose the energy that it says");
  if (differs(0.5 * (c.transpose() - qb), product.topRightCorner(n, m),
              std::max(size(c), size(qb))))
    refuse("B and C do not belong to the same ports");
  if (differs(symmetric_part(through), product.bottomRightCorner(m, m), size(through)))
    refuse("D does not lose the power that it says");
}

PortHamiltonianStructure::PortHamiltonianStructure(Index states, Index ports, bool feedthrough)
    : n_(states), m_(ports), feedthrough_(feedthrough) {
  if (states < 1 || ports < 1) throw Error("a passive system has states and ports");
}

Index PortHamiltonianStructure::parameters() const {
  return n_ / 2 + 2 * n_ * m_ + (feedthrough_ ? m_ * m_ : 0);
}

Index PortHamiltonianStructure::free_parameters() const {
  // Without feedthrough C B is symmetric.
  return 2 * n_ * m_ + (feedthrough_ ? m_ * m_ : -m_ * (m_ - 1) / 2);
}

PortHamiltonianStructure::Parts PortHamiltonianStructure::parts(const Vector& theta) const {
  Parts result{Matrix::Zero(n_, n_), {}, {}, Matrix::Zero(m_, m_), Matrix::Zero(m_, m_)};
  for (Index k = 0; k < n_ / 2; ++k) {
    result.j(2 * k, 2 * k + 1) = theta[k];
    result.j(2 * k + 1, 2 * k) = -theta[k];
  }
  result.g = theta.segment(n_ / 2, n_ * m_).reshaped(n_, m_);
  result.upper = theta.segment(n_ / 2 + n_ * m_, n_ * m_).reshaped(n_, m_);
  if (!feedthrough_) return result;
  Index next = n_ / 2 + 2 * n_ * m_;
  for (Index k = 0; k < m_; ++k)
    for (Index i = k; i < m_; ++i) result.lower(i, k) = theta[next++];
  for (Index k = 0; k < m_; ++k)
    for (Index i = k + 1; i < m_; ++i) {
      result.skew(i, k) = theta[next++];
      result.skew(k, i) = -result.skew(i, k);
    }
  return result;
}

Vector PortHamiltonianStructure::pack(const Vector& w, const Matrix& g, const Matrix& upper,
                                      const Matrix& lower, const Matrix& skew) const {
  Vector theta(parameters());
  theta.head(n_ / 2) = w;
  theta.segment(n_ / 2, n_ * m_) = g.reshaped();
  theta.segment(n_ / 2 + n_ * m_, n_ * m_) = upper.reshaped();
  if (!feedthrough_) return theta;
  Index next = n_ / 2 + 2 * n_ * m_;
  for (Index k = 0; k < m_; ++k)
    for (Index i = k; i < m_; ++i) theta[next++] = lower(i, k);
  for (Index k = 0; k < m_; ++k)
    for (Index i = k + 1; i < m_; ++i) theta[next++] = skew(i, k);
  return theta;
}

std::vector<std::string> PortHamiltonianStructure::parameter_names() const {
  std::vector<std::string> names;
  for (Index k = 0; k < n_ / 2; ++k) names.push_back(fmt::format("w{}", k + 1));
  const auto add = [&](const char* name, Index i, Index k) {
    names.push_back(fmt::format("{}{},{}", name, i + 1, k + 1));
  };
  for (const char* name : {"G", "L"})
    for (Index k = 0; k < m_; ++k)
      for (Index i = 0; i < n_; ++i) add(name, i, k);
  for (Index k = 0; k < m_ && feedthrough_; ++k)
    for (Index i = k; i < m_; ++i) add("L", n_ + i, k);
  for (Index k = 0; k < m_ && feedthrough_; ++k)
    for (Index i = k + 1; i < m_; ++i) add("N", i, k);
  return names;
}

SquareSystem PortHamiltonianStructure::system(const Vector& theta) const {
  const auto [j, g, upper, lower, skew] = parts(theta);
  const Matrix p = upper * lower.transpose();
  SquareSystem result{j - upper * upper.transpose(), g - p, (g + p).transpose(), {}};
  if (feedthrough_) result.d = lower * lower.transpose() + skew;
  return result;
}

SquareSystem PortHamiltonianStructure::system_change(const Vector& theta,
                                                     const Vector& delta) const {
  const Parts at = parts(theta), by = parts(delta);
  const Matrix r = by.upper * at.upper.transpose();
  const Matrix p = by.upper * at.lower.transpose() + at.upper * by.lower.transpose();
  const Matrix s = by.lower * at.lower.transpose();
  SquareSystem result{by.j - r - r.transpose(), by.g - p, (by.g + p).transpose(), {}};
  if (feedthrough_) result.d = s + s.transpose() + by.skew;
  return result;
}

PassivityCertificate PortHamiltonianStructure::certificate(const Vector& theta) const {
  const Parts at = parts(theta);
  Matrix factor(n_ + m_, m_);
  factor << at.upper, at.lower;
  return {Matrix::Identity(n_, n_), std::move(factor)};
}

std::optional<Vector> PortHamiltonianStructure::parameters_of(const SquareSystem& system) const {
  if (!feedthrough_) return {};
  const auto storage = least_storage(system);
  if (!storage) return {};
  // x̃ = Kᵀ x with K Kᵀ = Q.
  const Matrix root = cholesky(*storage);
  if (!root.allFinite()) return {};
  const auto turned = [&](const Matrix& x) -> Matrix { return root.transpose() * x; };
  const auto back = [&](const Matrix& x) -> Matrix {
    return solve_lower(root, x.transpose()).transpose();
  };
  const Matrix a = back(turned(system.a)), b = turned(system.b), c = back(system.c);
  const SkewForm form = skew_form(skew_part_of(a));
  const Matrix lower = cholesky(symmetric_part(system.d));
  const Matrix p = 0.5 * (c.transpose() - b);
  Vector theta = pack(form.w, form.u.transpose() * (0.5 * (c.transpose() + b)),
                      form.u.transpose() * solve_lower(lower, p.transpose()).transpose(), lower,
                      skew_part_of(system.d));
  if (!theta.allFinite()) return {};
  return theta;
}

Observation PortHamiltonianStructure::observation(const Vector& theta) const {
  return Observation(system(theta).c);
}

Matrix PortHamiltonianStructure::generator(const Vector& theta) const { return system(theta).a; }

Vector PortHamiltonianStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result = Vector::Zero(parameters());
  for (Index k = 0; k < n_ / 2; ++k) result[k] = g(2 * k, 2 * k + 1) - g(2 * k + 1, 2 * k);
  result.segment(n_ / 2 + n_ * m_, n_ * m_) =
      (-(g + g.transpose()) * parts(theta).upper).reshaped();
  return result;
}

Matrix PortHamiltonianStructure::pushforward(const Vector& theta, const Vector& delta) const {
  return system_change(theta, delta).a;
}

Vector PortHamiltonianStructure::project(const Matrix& a) const {
  Vector w(n_ / 2);
  for (Index k = 0; k < w.size(); ++k) w[k] = 0.5 * (a(2 * k, 2 * k + 1) - a(2 * k + 1, 2 * k));
  const auto [values, vectors] = symmetric_eigen(-symmetric_part(a));
  Matrix upper = Matrix::Zero(n_, m_);
  for (Index k = 0; k < std::min(n_, m_); ++k)
    upper.col(k) = std::sqrt(std::max(0.0, values[n_ - 1 - k])) * vectors.col(n_ - 1 - k);
  return pack(w, Matrix::Zero(n_, m_), upper, Matrix::Zero(m_, m_), Matrix::Zero(m_, m_));
}

Vector PortHamiltonianStructure::random_start(Random& random) const {
  return random.normals(parameters());
}

std::vector<NamedValue> PortHamiltonianStructure::named_values(const Vector& theta) const {
  const auto [j, g, upper, lower, skew] = parts(theta);
  std::vector<NamedValue> result{{"J", j}, {"R", upper * upper.transpose()}, {"G", g}};
  if (feedthrough_) {
    result.push_back({"P", upper * lower.transpose()});
    result.push_back({"S", lower * lower.transpose()});
    result.push_back({"N", skew});
  }
  return result;
}

}  // namespace lgn
