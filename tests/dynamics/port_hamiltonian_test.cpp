#include "lgn/dynamics/port_hamiltonian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/identify/training/gradient_check.h"

namespace lgn::testing {
namespace {

constexpr double rounding = 2.220446049250313e-16;

SquareSystem with_zero_d(SquareSystem system) {
  if (system.d.size() == 0) system.d.setZero(system.b.cols(), system.b.cols());
  return system;
}

/// Random θ of all sizes; how many systems are not passive at some of a few random frequencies. Rounding of the
/// resolvent is ε times its condition, which near a resonance is that of 1/Re λ.
int violations(int count, std::uint64_t seed) {
  Random random(seed);
  int found = 0;
  for (int k = 0; k < count; ++k) {
    const Index n = 1 + k % 6, m = 1 + k % 3;
    const PortHamiltonianStructure structure(n, m, k % 2 == 0);
    const double size = std::pow(10.0, 2 * std::sin(k));
    const SquareSystem system =
        with_zero_d(structure.system(size * structure.random_start(random)));
    const ComplexVector poles = eigenvalues(system.a);
    for (int f = 0; f < 3; ++f) {
      const Complex pole = poles[(k + f) % n];
      const double frequency = std::abs(pole.imag()) + pole.real() * random.normals(1)[0];
      const double distance = (Complex(0, frequency) - poles.array()).abs().minCoeff();
      const double scale = system.d.norm() + system.b.norm() * system.c.norm() / distance;
      const double condition = 1 + system.a.norm() / distance;
      found += least_real_part(system, frequency) < -100 * rounding * condition * scale ? 1 : 0;
    }
    if (eigenvalues(system.a).real().maxCoeff() > 100 * rounding * system.a.norm()) ++found;
  }
  return found;
}

TEST(PortHamiltonian, IsPassiveForEveryParameterValue) { EXPECT_EQ(violations(3000, 1), 0); }

TEST(PortHamiltonian, IsPassiveForEveryOfManyParameterValuesSlow) {
  EXPECT_EQ(violations(100'000, 2), 0);
}

TEST(PortHamiltonian, MovesAsItsDerivativesSay) {
  Random random(3);
  for (const bool feedthrough : {false, true}) {
    const PortHamiltonianStructure structure(5, 2, feedthrough);
    const Vector theta = structure.random_start(random), delta = structure.random_start(random);
    ASSERT_EQ(structure.parameter_names().size(), static_cast<std::size_t>(theta.size()));
    // All entries are quadratic in θ: central differences are exact but for rounding.
    constexpr double h = 0.5, tolerance = 1e-13;
    const SquareSystem ahead = with_zero_d(structure.system(theta + h * delta)),
                       behind = with_zero_d(structure.system(theta - h * delta)),
                       change = with_zero_d(structure.system_change(theta, delta));
    EXPECT_LE(((ahead.a - behind.a) / (2 * h) - change.a).norm(), tolerance * change.a.norm());
    EXPECT_LE(((ahead.b - behind.b) / (2 * h) - change.b).norm(), tolerance * change.b.norm());
    EXPECT_LE(((ahead.c - behind.c) / (2 * h) - change.c).norm(), tolerance * change.c.norm());
    EXPECT_LE(((ahead.d - behind.d) / (2 * h) - change.d).norm(),
              tolerance * (1 + change.d.norm()));
    const Matrix g = random.normals(5, 5);
    const double there = structure.pullback(theta, g).dot(delta),
                 here = g.cwiseProduct(structure.pushforward(theta, delta)).sum();
    EXPECT_NEAR(there, here, tolerance * std::abs(here) * 10);
    const Matrix projected = structure.generator(structure.project(g));
    EXPECT_LE((structure.generator(structure.project(projected)) - projected).norm(),
              1e-13 * projected.norm());
  }
}

/// Any coordinates of a strictly passive system.
SquareSystem strictly_passive(Index n, Index m, std::uint64_t seed) {
  Random random(seed);
  const PortHamiltonianStructure structure(n, m, true);
  SquareSystem system = structure.system(structure.random_start(random));
  system.a.diagonal().array() -= 0.1;
  system.d.diagonal().array() += 0.1;
  const Matrix t = random.normals(n, n) + 3 * Matrix::Identity(n, n);
  const Matrix inverse = t.inverse();
  return {t * system.a * inverse, t * system.b, system.c * inverse, system.d};
}

ComplexMatrix response(const SquareSystem& s, double frequency) {
  ComplexMatrix shifted = -s.a.cast<Complex>();
  shifted.diagonal().array() += Complex(0, frequency);
  return s.c.cast<Complex>() * shifted.inverse() * s.b.cast<Complex>() + s.d.cast<Complex>();
}

TEST(PortHamiltonian, HoldsEveryStrictlyPassiveSystem) {
  for (const Index n : {1, 2, 3, 6, 9})
    for (const Index m : {1, 2, 3}) {
      const SquareSystem wanted = strictly_passive(n, m, static_cast<std::uint64_t>(10 * n + m));
      const PortHamiltonianStructure structure(n, m, true);
      const auto theta = structure.parameters_of(wanted);
      ASSERT_TRUE(theta) << n << " states, " << m << " ports";
      const SquareSystem found = structure.system(*theta);
      // The Riccati equation is solved to 1e-12, and some digits are lost in its conditioning.
      for (const double frequency : {0.0, 0.3, 1.0, 5.0})
        EXPECT_LE((response(found, frequency) - response(wanted, frequency)).norm(),
                  1e-7 * response(wanted, frequency).norm())
            << n << " states, " << m << " ports";
      EXPECT_NO_THROW(check_passivity(found, structure.certificate(*theta)));
    }
}

TEST(PortHamiltonian, HasNoParametersOfWhatIsNotPassive) {
  SquareSystem system = strictly_passive(4, 2, 5);
  const PortHamiltonianStructure structure(4, 2, true);
  EXPECT_TRUE(structure.parameters_of(system));
  SquareSystem reversed = system;
  reversed.c = -system.c;
  EXPECT_LT(least_real_part(reversed, 0), 0);
  EXPECT_FALSE(structure.parameters_of(reversed));
  system.d.diagonal().array() -= 100;
  EXPECT_FALSE(structure.parameters_of(system));
}

TEST(PassivityCertificate, ProvesNothingElse) {
  Random random(6);
  const PortHamiltonianStructure structure(4, 2, true);
  const Vector theta = structure.random_start(random);
  const SquareSystem system = structure.system(theta);
  const PassivityCertificate proof = structure.certificate(theta);
  EXPECT_NO_THROW(check_passivity(system, proof));
  for (Matrix SquareSystem::*part :
       {&SquareSystem::a, &SquareSystem::b, &SquareSystem::c, &SquareSystem::d}) {
    SquareSystem changed = system;
    (changed.*part)(0, 0) += 1e-6;
    EXPECT_THROW(check_passivity(changed, proof), Error);
  }
  PassivityCertificate other = proof;
  other.factor(0, 0) += 1e-3;
  EXPECT_THROW(check_passivity(system, other), Error);
  other = proof;
  other.storage = -other.storage;
  EXPECT_THROW(check_passivity(system, other), Error);
  other.storage.resize(3, 3);
  EXPECT_THROW(check_passivity(system, other), Error);
}

}  // namespace
}  // namespace lgn::testing
