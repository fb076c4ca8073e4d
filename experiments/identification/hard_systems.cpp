#include "experiments/identification/hard_systems.h"

#include <cmath>
#include <numbers>

namespace lgn::studies {
namespace {

constexpr double pi = std::numbers::pi;

System named(Matrix a, const char* letter, bool common_unit) {
  System system{"full", {}, std::move(a), {}, {}, common_unit};
  for (Index c = 1; c <= system.a.rows(); ++c)
    system.channels.push_back(letter + std::to_string(c));
  return system;
}

Matrix tridiagonal(Index n, double lower, double middle, double upper) {
  Matrix a = Matrix::Zero(n, n);
  a.diagonal(-1).setConstant(lower);
  a.diagonal().setConstant(middle);
  a.diagonal(1).setConstant(upper);
  return a;
}

}  // namespace

HardSystem heated_rod() {
  constexpr Index points = 100;
  const double rate = std::pow((points + 1) / pi, 2);
  return {"heated rod", named(tridiagonal(points, rate, -2 * rate, rate), "u", true), 4, 0.01};
}

HardSystem shear_building() {
  constexpr Index floors = 24;
  constexpr double stiffness_per_mass = 2500, damping_ratio = 0.005, at = 2 * pi;
  Matrix k = tridiagonal(floors, -1, 2, -1);
  k(floors - 1, floors - 1) = 1;  // nothing above the roof
  k *= stiffness_per_mass;
  // Rayleigh's damping c = αm + βk has the ratio α/2ω + βω/2.
  const Matrix c = 2 * damping_ratio * (at * Matrix::Identity(floors, floors) + k / at);
  constexpr double millimetres = 1e3;  // in a metre
  Matrix a = Matrix::Zero(2 * floors, 2 * floors);
  a.topRightCorner(floors, floors).diagonal().setConstant(millimetres);
  a.bottomLeftCorner(floors, floors) = -k / millimetres;
  a.bottomRightCorner(floors, floors) = -c;
  System system = named(std::move(a), "x", false);
  for (Index f = 0; f < floors; ++f)
    system.channels[static_cast<std::size_t>(floors + f)] = "v" + std::to_string(f + 1);
  return {"shear building", std::move(system), 10, 0.02};
}

HardSystem advection_diffusion() {
  constexpr Index points = 60;
  constexpr double cells = points + 1, diffusivity = 1.0 / 20;
  constexpr double spread = diffusivity * cells * cells, drift = 0.5 * cells;
  return {"advection and diffusion",
          named(tridiagonal(points, spread + drift, -2 * spread, spread - drift), "u", true), 1.5,
          0.005};
}

}  // namespace lgn::studies
