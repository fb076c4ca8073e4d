#include "lgn/dynamics/scaled_sd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/dynamics/systems.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

/// A member comes back entry by entry: a logarithm and an exponential lose ε |τ| each, the least
/// squares n ε |τ|.
void expect_member(const Matrix& a) {
  const ScaledSdStructure s(a.rows());
  const Vector theta = s.project(a);
  const Matrix member = s.generator(theta);
  const double largest_log = 1 + theta.tail(a.rows() - 1).cwiseAbs().maxCoeff();
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i)
      EXPECT_LE(std::abs(member(i, j) - a(i, j)),
                10 * static_cast<double>(a.rows()) * epsilon * largest_log * std::abs(a(i, j)))
          << i << ", " << j << "\n"
          << a << "\n"
          << member;
}

TEST(ScaledSd, HoldsAnRlcCircuitInVoltsAndAmperes) {
  // C v̇ = i, L i̇ = −v − R i with C = 1 µF, L = 1 mH, R = 5 Ω.
  const double c = 1e-6, l = 1e-3, r = 5;
  const Matrix a{{0, 1 / c}, {-1 / l, -r / l}};
  expect_member(a);
  const ScaledSdStructure s(2);
  const Vector theta = s.project(a);
  // ω = 1/√(LC), R/L, and one ampere is √(L/C) volts; see above for the bound, |τ| < 4.
  const double allowed = 10 * 2 * epsilon * 5;
  EXPECT_NEAR(theta[0], 1 / std::sqrt(l * c), allowed / std::sqrt(l * c));
  EXPECT_EQ(theta[1], 0);
  EXPECT_EQ(theta[2], r / l);
  EXPECT_NEAR(std::exp(theta[3]), std::sqrt(c / l), allowed * std::sqrt(c / l));
  // The energy ½Cv² + ½Li², scaled to a determinant of one.
  const Matrix q = *s.energy(theta) * std::sqrt(c * l);
  EXPECT_LE((q - Matrix{{c, 0}, {0, l}}).norm(), 2 * allowed * l);
}

TEST(ScaledSd, HoldsAnOscillatorInPositionAndVelocity) {
  expect_member(oscillator(50).a);
  expect_member(rlc(50, 3).a);
}

TEST(ScaledSd, HoldsALadderOverDecades) {
  const Vector r{{1e3, 10, 0.1, 47}}, l{{1e-6, 1e-3, 1, 2e-4}}, c{{1e-9, 1e-2, 1e-5, 3e-7}};
  expect_member(ladder(r, l, c).a);
}

TEST(ScaledSd, HoldsMembersTiedByWeakCouplings) {
  // Two pairs of channels, fast inside, tied by a coupling 1e-9 of that: its ratio must count as
  // well.
  const Vector scale{{1, 1e3, 1e-4, 10}};
  Matrix m = Matrix::Zero(4, 4);
  m(0, 1) = 1;
  m(2, 3) = 0.7;
  m(1, 2) = 1e-9;
  m(0, 3) = -3e-12;
  m = (m - m.transpose()).eval();
  expect_member(scale.asDiagonal() * m * scale.cwiseInverse().asDiagonal());
}

TEST(ScaledSd, ChannelsWithoutATieKeepTheirScale) {
  const ScaledSdStructure s(3);
  // Channel 2 and 1 pull the same way, channel 3 is alone.
  const Matrix a{{-1, 5, 0}, {2, -1, 0}, {0, 0, -2}};
  const Vector theta = s.project(a);
  EXPECT_TRUE(theta.tail(2) == Vector::Zero(2));
  EXPECT_EQ(theta[0], 1.5);  // the nearest skew part of (5, 2)
}

TEST(ScaledSd, ProjectionIsNearAPerturbedMember) {
  Random random(21);
  for (const double noise : {1e-9, 1e-6, 1e-3}) {
    const ScaledSdStructure s(5);
    Vector theta = random.normals(s.parameters());
    theta.segment(10, 5) = theta.segment(10, 5).cwiseAbs();
    const Matrix a = s.generator(theta), off = noise * a.norm() * random.normals(5, 5);
    // First order: a relative error e of the pairs moves τ by e, so A by e ‖A‖ times the number of
    // ties that share it; twenty entries of the noise, each felt at most by all n = 5 channels.
    EXPECT_LE((s.generator(s.project(a + off)) - a).norm(), 20 * 5 * off.norm());
  }
}

TEST(ScaledSd, NamedValuesRebuildTheGenerator) {
  const ScaledSdStructure s(4);
  Random random(22);
  const Vector theta = random.normals(s.parameters());
  const auto values = s.named_values(theta);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0].name, "S");
  EXPECT_EQ(values[1].name, "d");
  EXPECT_EQ(values[2].name, "scale");
  const Vector d = values[1].value, scale = values[2].value;
  EXPECT_EQ(scale[0], 1);
  EXPECT_TRUE((d.array() >= 0).all());
  const Matrix sd = values[0].value - d.asDiagonal().toDenseMatrix();
  // Two products per entry.
  EXPECT_LE(
      (s.generator(theta) - scale.asDiagonal() * sd * scale.cwiseInverse().asDiagonal()).norm(),
      4 * epsilon * s.generator(theta).norm());
}

TEST(ScaledSd, BoundsAreZeroForDampingOnly) {
  const Vector bounds = ScaledSdStructure(2).lower_bounds();
  EXPECT_TRUE(std::isinf(bounds[0]) && std::isinf(bounds[3]));
  EXPECT_TRUE(bounds[1] == 0 && bounds[2] == 0);
}

TEST(ScaledSd, TypicalParametersCarryTheUnitsOfTheChannels) {
  const Vector typical = ScaledSdStructure(3).typical_parameters(Vector{{2, 2e-6, 5}});
  EXPECT_TRUE(typical.head(6) == Vector::Ones(6));
  EXPECT_NEAR(typical[6], std::log(1e6), 10 * epsilon * 14);
  EXPECT_EQ(typical[7], 1);  // a ratio below e still moves by one
}

}  // namespace
}  // namespace lgn::testing
