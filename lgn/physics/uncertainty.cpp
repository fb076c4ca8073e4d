#include "lgn/physics/uncertainty.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/inverse_root.h"
#include "lgn/dynamics/affine.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn {
namespace {

/// [Re g, Im g] of the change of a pole with each parameter, p × 2.
Matrix pole_gradient(const ComplexVector& left, const ComplexVector& right,
                     const Matrix& directions) {
  const Index n = right.size(), p = directions.rows() / n;
  const ComplexVector moved = directions * right;  // E_q v below one another
  const ComplexVector change = moved.reshaped(n, p).transpose() * left.conjugate();
  Matrix gradient(p, 2);
  gradient << change.real(), change.imag();
  return gradient;
}

Eigen::Matrix2d unknown() { return Eigen::Matrix2d::Identity() * infinity; }

}  // namespace

Information find_information(const Matrix& a, const Matrix& directions, const Dataset& data,
                             const Vector& noise, const std::optional<Matrix>& initial_states) {
  const AffineStructure tangent(a, directions);
  return {information_matrix(data, tangent, Vector::Zero(tangent.parameters()), noise,
                             {.initial_states = initial_states}),
          directions};
}

PoleCovariances pole_covariances(const Matrix& a, const Information& information) {
  const Eigensystem system = eigensystem(a);
  const Matrix root =
      information.root.size() > 0 ? information.root : inverse_root(information.matrix);
  PoleCovariances result;
  for (Index k = 0; k < a.rows(); ++k) {
    const Matrix gradient =
        pole_gradient(system.left.col(k), system.right.col(k), information.directions);
    bool open = !gradient.allFinite();
    for (Index q = 0; q < root.rows() && !open; ++q)
      open = information.matrix(q, q) <= 0 && gradient.row(q).cwiseAbs().maxCoeff() > 0;
    const Matrix turned = root.transpose() * gradient;
    result.push_back(open ? unknown() : Eigen::Matrix2d(turned.transpose() * turned));
  }
  return result;
}

void set_errors(std::vector<Mode>& modes, const PoleCovariances& covariances, double duration,
                double factor) {
  for (std::size_t k = 0; k < modes.size(); ++k) {
    Mode& mode = modes[k];
    const Eigen::Matrix2d c = factor * factor * covariances[k];
    const double re = mode.pole.real(), im = mode.pole.imag(), size = std::abs(mode.pole);
    const auto error = [&](double along_re, double along_im) {
      const Eigen::Vector2d g(along_re, along_im);
      return std::sqrt(std::max(0.0, g.dot(c * g)));
    };
    Mode::Errors se;
    se.re = std::sqrt(c(0, 0));
    se.im = std::sqrt(c(1, 1));
    se.natural_frequency = size > 0 ? error(re / size, im / size) : se.re;
    se.frequency_hz = size > 0 ? se.natural_frequency * mode.frequency_hz / size : std::nan("");
    // ζ = −Re/|λ|: dζ = −Im/|λ|³ (Im dRe − Re dIm).
    se.damping_ratio =
        size > 0 ? std::abs(im) / (size * size * size) * error(im, -re) : std::nan("");
    se.time_constant = re != 0 ? se.re / (re * re) : std::nan("");
    const double both = se.re * se.im;
    se.correlation = both > 0 && std::isfinite(both) ? std::clamp(c(0, 1) / both, -1.0, 1.0) : 0.0;
    mode.se = se;
    const double uncertainty = std::hypot(se.re, se.im);
    const double resolution = 2 * std::numbers::pi / duration;
    mode.identifiable = uncertainty <= 0.5 * std::max(size, resolution);
    if (!*mode.identifiable) {
      mode.reason = std::isfinite(uncertainty)
                        ? fmt::format("standard error {:.2g} exceeds half of |λ|", uncertainty)
                        : std::string("not observable in these data");
    }
  }
}

double interval_factor(double confidence, double freedom) {
  // The normal quantile by Newton's method, then Student's by Cornish and Fisher's expansion.
  double z = 1;
  for (int k = 0; k < 60; ++k) {
    const double density = std::sqrt(2 / std::numbers::pi) * std::exp(-0.5 * z * z);
    z -= std::clamp((std::erf(z / std::numbers::sqrt2) - confidence) / density, -1.0, 1.0);
  }
  const double nu = std::max(freedom, 2.0), z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * nu) + (5 * z5 + 16 * z3 + 3 * z) / (96 * nu * nu);
}

}  // namespace lgn
