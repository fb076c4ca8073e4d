#include "lgn/physics/response_figures.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr Complex i_unit(0, 1);

/// One pair of a transfer function along the imaginary axis.
class Pair {
 public:
  explicit Pair(TransferFunction transfer) : transfer_(std::move(transfer)) {}

  struct Local {
    Complex value, slope;  ///< H, and dH/dω
    ComplexVector moves;   ///< along R
  };
  Complex value(double omega) const { return transfer_.value({0, omega})(0, 0); }
  Local at(double omega) const {
    const auto point = transfer_.on_axis(omega);
    return {point.value(0, 0), i_unit * point.slope(0, 0), transfer_.moves(point, 0, 0)};
  }
  const TransferFunction& transfer() const { return transfer_; }
  bool known() const { return transfer_.errors().known(); }
  /// How far the nearest pole is: what H changes over.
  double distance(double omega) const {
    return (transfer_.poles().array() - Complex(0, omega)).abs().minCoeff();
  }

 private:
  TransferFunction transfer_;
};

Estimated with_moves(double value, const Vector& moves) {
  return {value, moves.size() > 0 ? moves.norm() : nan};
}

/// Re(conj(a) b) for all b: how |a|²/2 moves.
Vector along(const Complex& a, const ComplexVector& moves) { return (std::conj(a) * moves).real(); }

/// Where f changes its sign between low and high.
double bisect(const std::function<double(double)>& f, double low, double high) {
  const bool rising = f(low) < 0;
  for (int k = 0; k < 100 && high - low > 1e-14 * high; ++k) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// The largest value of f between low and high, where there is one maximum, by the golden section.
double highest(const std::function<double(double)>& f, double low, double high) {
  constexpr double ratio = 0.618033988749895;
  double a = high - ratio * (high - low), b = low + ratio * (high - low), at_a = f(a), at_b = f(b);
  for (int k = 0; k < 60; ++k) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = f(a = high - ratio * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = f(b = low + ratio * (high - low));
    }
  }
  return 0.5 * (low + high);
}

/// The maximum at ω moves as d|H|²/dω = 0 says; derivatives along the axis by central differences, a thousandth of the
/// distance to the nearest pole to each side, which is exact to 1e-6 of their size.
Estimated moved_peak(const Pair& pair, double omega) {
  if (!pair.known()) return {omega, nan};
  const double h = std::min(1e-3 * pair.distance(omega), 0.5 * omega);
  const Pair::Local before = pair.at(omega - h), after = pair.at(omega + h);
  const auto slope = [](const Pair::Local& p) { return (std::conj(p.value) * p.slope).real(); };
  const double bend = (slope(after) - slope(before)) / (2 * h);
  const Vector pull =
      (along(after.value, after.moves) - along(before.value, before.moves)) / (2 * h);
  return {omega, pull.norm() / std::abs(bend)};
}

void find_peak(const Pair& pair, const Vector& omega, const Vector& sizes, ResponseFigures& out) {
  Index best = 0;
  for (Index k = 1; k < sizes.size(); ++k)
    if (sizes[k] > sizes[best] || !std::isfinite(sizes[best])) best = k;
  const double at_rest = std::abs(out.static_gain.value);
  if (best == 0 && std::isfinite(at_rest)) {
    out.peak = {at_rest, out.static_gain.error};
    out.peak_frequency = {0, nan};
    return;
  }
  const bool inside = best > 0 && best + 1 < omega.size();
  const double at = inside ? highest([&](double w) { return std::abs(pair.value(w)); },
                                     omega[best - 1], omega[best + 1])
                           : omega[best];
  const Pair::Local local = pair.at(at);
  out.peak =
      with_moves(std::abs(local.value), along(local.value, local.moves) / std::abs(local.value));
  out.peak_frequency = inside ? moved_peak(pair, at) : Estimated{at, nan};
}

void find_bandwidth(const Pair& pair, const Vector& omega, const Vector& sizes,
                    ResponseFigures& out) {
  const double gain = std::abs(out.static_gain.value), level = gain / std::numbers::sqrt2;
  // Nothing to fall from where the gain may as well be zero.
  const bool there = gain > 1e-9 * sizes.maxCoeff() && !(gain < 2 * out.static_gain.error);
  if (!there || !std::isfinite(gain) || !(sizes[0] > level)) return;
  for (Index k = 1; k < omega.size(); ++k) {
    if (!(sizes[k] < level)) continue;
    const double at =
        bisect([&](double w) { return std::abs(pair.value(w)) - level; }, omega[k - 1], omega[k]);
    const Pair::Local local = pair.at(at), rest = pair.at(0);
    Vector moves;
    if (pair.known())
      moves = -(along(local.value, local.moves) - 0.5 * along(rest.value, rest.moves)) /
              (std::conj(local.value) * local.slope).real();
    out.bandwidth = with_moves(at, moves);
    return;
  }
}

void find_gain_margin(const Pair& pair, const Vector& omega, const ComplexVector& values,
                      ResponseFigures& out) {
  for (Index k = 1; k < omega.size(); ++k) {
    const double before = values[k - 1].imag(), after = values[k].imag();
    if (!((before < 0) != (after < 0)) || !(values[k - 1].real() < 0 && values[k].real() < 0))
      continue;
    const double at =
        bisect([&](double w) { return pair.value(w).imag(); }, omega[k - 1], omega[k]);
    const Pair::Local local = pair.at(at);
    const double margin = 1 / std::abs(local.value);
    if (!std::isfinite(margin) ||
        !(std::isnan(out.gain_margin.value) ||
          std::abs(std::log(margin)) < std::abs(std::log(out.gain_margin.value))))
      continue;
    Vector shift, moves;
    if (pair.known()) {
      shift = -local.moves.imag() / local.slope.imag();
      // H is real there: 1/|H| = −1/Re H.
      moves = margin * margin * (local.moves.real() + local.slope.real() * shift);
    }
    out.gain_margin = with_moves(margin, moves);
    out.gain_crossing = with_moves(at, shift);
  }
}

void find_phase_margin(const Pair& pair, const Vector& omega, const Vector& sizes,
                       ResponseFigures& out) {
  for (Index k = 1; k < omega.size(); ++k) {
    if ((sizes[k - 1] < 1) == (sizes[k] < 1)) continue;
    const double at =
        bisect([&](double w) { return std::abs(pair.value(w)) - 1; }, omega[k - 1], omega[k]);
    const Pair::Local local = pair.at(at);
    const double angle = std::arg(-local.value);
    if (!(std::isnan(out.phase_margin.value) || std::abs(angle) < std::abs(out.phase_margin.value)))
      continue;
    Vector shift, moves;
    if (pair.known()) {
      shift = -along(local.value, local.moves) / (std::conj(local.value) * local.slope).real();
      moves = (local.moves / local.value).imag() + (local.slope / local.value).imag() * shift;
    }
    out.phase_margin = with_moves(angle, moves);
    out.phase_crossing = with_moves(at, shift);
  }
}

/// A zero with errors from how vᵀ H u, which is zero there, moves and rises.
EstimatedZero zero_at(const TransferFunction& transfer, Complex z, const ComplexVector& v,
                      const ComplexVector& u) {
  EstimatedZero result{z};
  if (!transfer.errors().known()) return result;
  const auto point = transfer.at(z);
  ComplexVector moved = ComplexVector::Zero(transfer.errors().root.cols());
  for (Index j = 0; j < u.size(); ++j)
    for (Index i = 0; i < v.size(); ++i) moved += v[i] * u[j] * transfer.moves(point, i, j);
  const ComplexVector raised = point.slope * u;
  const Complex rise = v.cwiseProduct(raised).sum();
  const ComplexVector shift = -moved / rise;
  if (!shift.allFinite()) return result;
  result.re_error = shift.real().norm();
  result.im_error = shift.imag().norm();
  return result;
}

}  // namespace

std::vector<ResponseFigures> response_figures(const TransferFunction& transfer,
                                              const Vector& omega) {
  const Index l = transfer.system().outputs(), m = transfer.system().inputs();
  std::vector<ComplexVector> curves(static_cast<std::size_t>(l * m), ComplexVector(omega.size()));
  for (Index k = 0; k < omega.size(); ++k) {
    stop_point(static_cast<double>(transfer.system().a.size() * m));
    const ComplexMatrix value = transfer.value({0, omega[k]});
    for (Index p = 0; p < l * m; ++p) curves[static_cast<std::size_t>(p)][k] = value(p % l, p / l);
  }
  std::vector<ResponseFigures> result;
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < l; ++i) {
      stop_point(1e6);
      const ComplexVector& values = curves[static_cast<std::size_t>(j * l + i)];
      const Vector sizes = values.cwiseAbs();
      const Pair pair(transfer.pair(i, j));
      ResponseFigures out{i, j, {}, {}, {}, {}, {}, {}, {}, {}, {}};
      const Pair::Local rest = pair.at(0);
      if (std::isfinite(rest.value.real())) {
        // What rounding leaves of a zero is one.
        const bool nothing = std::abs(rest.value) < 1e-13 * sizes.maxCoeff();
        out.static_gain = with_moves(nothing ? 0.0 : rest.value.real(), rest.moves.real());
      }
      find_peak(pair, omega, sizes, out);
      find_bandwidth(pair, omega, sizes, out);
      find_gain_margin(pair, omega, values, out);
      find_phase_margin(pair, omega, sizes, out);
      const ComplexVector one = ComplexVector::Ones(1);
      for (const Complex& z : transmission_zeros(pair.transfer().system()))
        out.zeros.push_back(zero_at(pair.transfer(), z, one, one));
      result.push_back(std::move(out));
    }
  return result;
}

std::vector<EstimatedZero> estimated_zeros(const TransferFunction& transfer) {
  std::vector<EstimatedZero> result;
  const Index m = transfer.system().inputs();
  for (const Complex& z : transmission_zeros(transfer.system())) {
    if (m != transfer.system().outputs()) {
      result.push_back({z});
      continue;
    }
    // Next to a zero H⁻¹ is u vᵀ over a small number: its largest column and row are u and v.
    const double aside = 1e-8 * std::max(std::abs(z), transfer.poles().cwiseAbs().maxCoeff());
    const ComplexMatrix inverse = complex_inverse(transfer.at(z + aside).value).value;
    Index row = 0, column = 0;
    inverse.cwiseAbs().maxCoeff(&row, &column);
    const ComplexVector u = inverse.col(column), v = inverse.row(row).transpose();
    result.push_back(zero_at(transfer, z, v / v.norm(), u / u.norm()));
  }
  return result;
}

}  // namespace lgn
