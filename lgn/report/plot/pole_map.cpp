#include "lgn/report/plot/pole_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "lgn/physics/uncertainty.h"

namespace lgn {
namespace {

constexpr Stroke grid_line{0.8, false, true};

/// What the map shows, margins included.
struct Window {
  double left, right, low, high;

  double reach() const { return std::hypot(std::max(-left, right), high); }
};

Window window_of(const std::vector<Mode>& modes) {
  double left = 0, right = 0, high = 0;
  for (const auto& mode : modes) {
    left = std::min(left, mode.pole.real());
    right = std::max(right, mode.pole.real());
    high = std::max(high, std::abs(mode.pole.imag()));
  }
  // A quarter of the ellipses' width matters more than the poles' where these sit on a line.
  const double size = std::max({right - left, 0.05 * high, 1e-12});
  if (high == 0) high = size;
  return {left - 0.12 * size, right + 0.12 * size, -0.05 * high, 1.12 * high};
}

/// 1, 2 or 5 times a power of ten, so that a length holds about four of them.
double round_step(double length) {
  const double raw = length / 4, decade = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= raw) return factor * decade;
  return 10 * decade;
}

/// Circles of constant natural frequency in the left half plane.
void draw_frequencies(Plot& plot, const Window& window, const std::string& unit) {
  constexpr Index points = 121;
  const double step = round_step(window.reach());
  for (double omega = step; omega < window.reach(); omega += step) {
    Vector re(points), im(points);
    for (Index k = 0; k < points; ++k) {
      const double angle = std::numbers::pi / 2 * (1 + static_cast<double>(k) / (points - 1));
      re[k] = omega * std::cos(angle);
      im[k] = omega * std::sin(angle);
    }
    plot.line(re, im, 0, "", grid_line);
    if (omega < window.high) plot.note(0, omega, fmt::format("{:.4g} rad/{}", omega, unit));
  }
}

/// Rays of constant damping ratio that cross the window.
void draw_damping(Plot& plot, const Window& window) {
  int drawn = 0;
  double before = 0;
  for (const double zeta :
       {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99}) {
    const double slope = std::sqrt(1 - zeta * zeta) / zeta;  // −Im/Re
    const double at_top = window.high / slope;
    // Rays that would lie on one another, or on the axis, help nobody.
    const double place = std::atan2(at_top / -window.left, 1);
    if (place < before + 0.12 || drawn == 7) continue;
    before = place;
    ++drawn;
    const double length = 1.5 * window.reach();
    plot.line(Vector{{0, -length * zeta}}, Vector{{0, length * slope * zeta}}, 0, "", grid_line);
    const bool leaves_above = at_top < -window.left;
    const double re = leaves_above ? -0.93 * at_top : 0.985 * window.left;
    plot.note(re, -re * slope, fmt::format("ζ {:g}", zeta));
  }
}

}  // namespace

Matrix confidence_ellipse(const Mode& mode, double confidence) {
  if (!mode.se || !std::isfinite(mode.se->re) || !std::isfinite(mode.se->im)) return {};
  constexpr Index points = 61;
  // A pole that can move only along one axis is in an interval, not in an ellipse.
  constexpr double many = 1e9;
  const bool line = mode.se->re == 0 || mode.se->im == 0;
  const double radius =
      line ? interval_factor(confidence, many) : std::sqrt(-2 * std::log1p(-confidence));
  const double rho = std::isfinite(mode.se->correlation) ? mode.se->correlation : 0;
  Matrix ellipse(2, points);
  for (Index k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / (points - 1);
    const double u = radius * std::cos(angle), v = radius * std::sin(angle);
    ellipse(0, k) = mode.pole.real() + mode.se->re * u;
    ellipse(1, k) = mode.pole.imag() + mode.se->im * (rho * u + std::sqrt(1 - rho * rho) * v);
  }
  return ellipse;
}

Plot pole_map(const Model& model) {
  const Window window = window_of(model.modes);
  Plot plot("Poles of " + model.modes_of() + ", upper half plane",
            fmt::format("Re λ [1/{}]", model.time_unit),
            fmt::format("Im λ [rad/{}]", model.time_unit), 720, 420);
  plot.range_x(window.left, window.right).range_y(window.low, window.high);
  draw_frequencies(plot, window, model.time_unit);
  draw_damping(plot, window);
  plot.line(Vector::Zero(2), Vector{{window.low, window.high}}, 0, "", {1, true, true});
  std::vector<double> re[2], im[2];
  bool ellipses = false;
  for (const auto& mode : model.modes) {
    if (mode.pole.imag() < 0) continue;
    const bool open = mode.identifiable && !*mode.identifiable;
    re[open].push_back(mode.pole.real());
    im[open].push_back(mode.pole.imag());
    const Matrix ellipse = open ? Matrix() : confidence_ellipse(mode, model.fit.confidence);
    if (ellipse.size() == 0) continue;
    plot.line(ellipse.row(0).transpose(), ellipse.row(1).transpose(), 2,
              ellipses ? "" : fmt::format("{:.4g}% confidence region", 100 * model.fit.confidence),
              {1.2});
    ellipses = true;
  }
  const auto vector = [](const std::vector<double>& list) -> Vector {
    return Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size()));
  };
  if (!re[0].empty()) plot.crosses(vector(re[0]), vector(im[0]), 1, "pole");
  if (!re[1].empty()) plot.circles(vector(re[1]), vector(im[1]), 4, "not determined");
  return plot;
}

}  // namespace lgn
