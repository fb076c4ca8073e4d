#include "lgn/flow/exponential.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"

extern "C" void dlacn2_(const int* n, double* v, double* x, int* sign, double* estimate, int* task,
                        int* state);

namespace lgn {
namespace {

using Combination = TaylorScheme::Combination;

/// Above this norm a power of A could overflow, so A is halved first.
constexpr double largest_norm = 0x1p100;

/// Estimates ‖XY‖₁ from a few products with vectors (LAPACK's dlacn2), never forming XY.
double estimate_product_norm(const Matrix& x, const Matrix& y) {
  const int n = static_cast<int>(x.rows());
  Vector v(n), w(n);
  Eigen::VectorXi sign(n);
  std::array<int, 3> state{};
  double estimate = 0;
  for (int task = 0;;) {
    dlacn2_(&n, v.data(), w.data(), sign.data(), &estimate, &task, state.data());
    if (task == 0) return estimate;
    if (task == 1) {
      w = (x * (y * w)).eval();
    } else {
      w = (y.transpose() * (x.transpose() * w)).eval();
    }
  }
}

double root(double norm, int k) { return std::pow(norm, 1.0 / k); }

/// Number of halvings that bring `size` down to `radius`.
int halvings(double size, double radius) {
  return size > radius ? static_cast<int>(std::ceil(std::log2(size / radius))) : 0;
}

/// log2 of ‖|scale A|^k‖₁, or an upper bound on it that is at most `enough`. The products
/// |A|ᵀ⋯|A|ᵀ1 are a power iteration: once their growth is steady, the rest is extrapolated.
double log2_absolute_power(const Matrix& a, double scale, int k, double enough) {
  const double norm = norm1(a);
  const double base = k * std::log2(norm * scale);
  if (base <= enough) return base;
  const Matrix magnitude = a.cwiseAbs() / norm;
  Vector sums = Vector::Ones(a.rows()), next(a.rows());
  double growth = 0, total = 0;  // total: log2 ‖(|A|/‖A‖)^done‖
  for (int done = 1; done <= k; ++done) {
    next.noalias() = magnitude.transpose() * sums;
    const double largest = next.maxCoeff();
    if (largest == 0) return -std::numeric_limits<double>::infinity();
    total += std::log2(largest);
    // ‖X^k‖ ≤ ‖X^j‖^⌊k/j⌋ for ‖X‖ = 1
    if (base + (k / done) * total <= enough) return enough;
    if (std::abs(largest - growth) <= 1e-3 * largest)
      return base + total + (k - done) * std::log2(largest);
    growth = largest;
    sums = next / largest;
  }
  return base + total;
}

/// Extra halvings that rounding asks for. Terms of the series that cancel in A^k do not in |A|^k,
/// and leave their roundings behind: |scale A| may grow by at most this factor from power to power,
/// (‖|A|^(m+1)‖ / ‖A‖)^(1/m). Less is no better, since every squaring doubles the error so far.
constexpr double largest_growth = 6;

int extra_halvings(const Matrix& a, double scale, int degree) {
  const double norm = scale * norm1(a);
  if (norm == 0) return 0;
  const double allowed = std::log2(norm) + degree * std::log2(largest_growth);
  const double excess = log2_absolute_power(a, scale, degree + 1, allowed) - allowed;
  return excess > 0 ? static_cast<int>(std::ceil(excess / degree)) : 0;
}

/// Σ c_i R_i over the registers; the identity (i = 0) only when asked for.
Matrix combine(const Combination& c, const std::vector<Matrix>& r, bool identity) {
  std::array<double, TaylorScheme::registers> w{};
  std::array<const Matrix*, TaylorScheme::registers> m{};
  std::size_t terms = 0;
  for (std::size_t i = 1; i < r.size(); ++i)
    if (c[i] != 0) {
      w[terms] = c[i];
      m[terms++] = &r[i];
    }
  Matrix sum(r[1].rows(), r[1].cols());
  switch (terms) {
    case 1:
      sum = w[0] * *m[0];
      break;
    case 2:
      sum = w[0] * *m[0] + w[1] * *m[1];
      break;
    case 3:
      sum = w[0] * *m[0] + w[1] * *m[1] + w[2] * *m[2];
      break;
    default:
      sum = w[0] * *m[0] + w[1] * *m[1] + w[2] * *m[2] + w[3] * *m[3];
      for (std::size_t k = 4; k < terms; ++k) sum += w[k] * *m[k];
  }
  if (identity) sum.diagonal().array() += c[0];
  return sum;
}

/// Index of the register that a combination is, or 0 when it is a true combination.
std::size_t plain_register(const Combination& c) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c[i] == 0) continue;
    if (c[i] != 1 || i == 0 || found != 0) return 0;
    found = i;
  }
  return found;
}

}  // namespace

Exponential::Exponential(const Matrix& a) : Exponential(a, WithoutSquaring{}) {
  squares_.reserve(static_cast<std::size_t>(scaling_) + 1);
  for (int k = 0; k < scaling_; ++k) {
    Matrix square(a.rows(), a.cols());
    square.noalias() = squares_.back() * squares_.back();
    squares_.push_back(std::move(square));
  }
}

Matrix exponential(const Matrix& a) {
  Exponential e(a, Exponential::WithoutSquaring{});
  Matrix value = std::move(e.squares_.back()), square = std::move(e.register_.back());
  for (int k = 0; k < e.scaling_; ++k) {
    square.noalias() = value * value;
    value.swap(square);
  }
  return value;
}

Exponential::Exponential(const Matrix& a, WithoutSquaring) {
  if (a.rows() != a.cols()) throw Error("the exponential needs a square matrix");
  const double norm = norm1(a);
  if (!std::isfinite(norm)) throw Error("the exponential needs finite entries");
  register_ = {Matrix(), a};
  const auto schemes = taylor_schemes();
  const auto small = std::find_if(schemes.begin(), schemes.end(),
                                  [&](const TaylorScheme& s) { return norm <= s.radius; });
  scheme_ = small != schemes.end() ? &*small : &schemes.back();
  left_.resize(scheme_->products.size());
  right_.resize(scheme_->products.size());
  if (small == schemes.end()) choose_scaling();
  for (std::size_t k = register_.size() - 2; k < scheme_->products.size(); ++k) multiply(k);
  squares_.push_back(combine(scheme_->result, register_, true));
}

/// Leaves A/2^s, its square and its cube in the registers: they are the scheme's first two
/// products.
void Exponential::choose_scaling() {
  const int first = halvings(norm1(register_[1]), largest_norm);
  if (first > 0) register_[1] *= std::ldexp(1.0, -first);
  multiply(0);
  multiply(1);
  const Matrix &a2 = register_[2], &a3 = register_[3];
  const double d2 = root(norm1(a2), 2), d3 = root(norm1(a3), 3);
  // Every power from m + 1 on is a product of k-th and (k+1)-th powers, so max(d_k, d_(k+1)) may
  // stand for ‖A‖.
  double size = std::max(d2, d3);
  if (size > scheme_->radius) {
    const double d4 = root(estimate_product_norm(a2, a2), 4);
    const double d5 = root(estimate_product_norm(a2, a3), 5);
    size = std::min({size, std::max(d3, d4), std::max(d4, d5)});
  }
  int more = halvings(size, scheme_->radius);
  more += extra_halvings(register_[1], std::ldexp(1.0, -more), scheme_->degree);
  if (more > 0)
    for (int power = 1; power <= 3; ++power)
      register_[static_cast<std::size_t>(power)] *= std::ldexp(1.0, -power * more);
  scaling_ = first + more;
}

const Matrix& Exponential::factor(const Combination& c, Matrix& storage) {
  if (const std::size_t plain = plain_register(c)) return register_[plain];
  if (storage.size() == 0) storage = combine(c, register_, true);
  return storage;
}

void Exponential::multiply(std::size_t product) {
  const auto& [left, right] = scheme_->products[product];
  const Matrix& x = factor(left, left_[product]);
  const Matrix& y = left == right ? x : factor(right, right_[product]);
  Matrix result(x.rows(), x.cols());
  result.noalias() = x * y;
  register_.push_back(std::move(result));
}

Matrix Exponential::derivative(const Matrix& direction) const {
  const Index n = register_[1].rows();
  if (direction.rows() != n || direction.cols() != n)
    throw Error("the direction of a derivative must have the size of the matrix");
  // d(XY) = dX Y + X dY
  const auto product_rule = [&](const Matrix& dx, const Matrix& y, const Matrix& x,
                                const Matrix& dy) {
    Matrix d(n, n);
    d.noalias() = dx * y;
    d.noalias() += x * dy;
    return d;
  };
  std::vector<Matrix> d{Matrix(), std::ldexp(1.0, -scaling_) * direction};
  for (std::size_t k = 0; k < scheme_->products.size(); ++k) {
    const auto& [left, right] = scheme_->products[k];
    const std::size_t l = plain_register(left), r = plain_register(right);
    const Matrix& x = l ? register_[l] : left_[k];
    const Matrix& y = r ? register_[r] : left == right ? x : right_[k];
    Matrix dx_storage, dy_storage;
    if (!l) dx_storage = combine(left, d, false);
    if (!r && left != right) dy_storage = combine(right, d, false);
    const Matrix& dx = l ? d[l] : dx_storage;
    const Matrix& dy = r ? d[r] : left == right ? dx : dy_storage;
    Matrix dproduct = product_rule(dx, y, x, dy);
    d.push_back(std::move(dproduct));
  }
  Matrix result = combine(scheme_->result, d, false);
  for (std::size_t k = 0; k + 1 < squares_.size(); ++k)
    result = product_rule(result, squares_[k], squares_[k], result);
  return result;
}

Matrix Exponential::adjoint(const Matrix& g) const { return derivative(g.transpose()).transpose(); }

}  // namespace lgn
