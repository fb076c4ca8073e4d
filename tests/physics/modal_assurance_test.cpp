#include "lgn/physics/modal_assurance.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "lgn/core/random.h"

namespace lgn {
namespace {

constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

ComplexVector random_shape(Random& random, Index channels) {
  ComplexVector shape(channels);
  shape.real() = random.normals(channels);
  shape.imag() = random.normals(channels);
  return shape;
}

TEST(ModalAssurance, ForgetsScaleAndPhase) {
  Random random(1);
  const ComplexVector a = random_shape(random, 5), b = random_shape(random, 5);
  const Complex factor = std::polar(3.0, 1.0);
  EXPECT_NEAR(modal_assurance(a, factor * a), 1, kRounding);
  EXPECT_NEAR(modal_assurance(a, factor * b), modal_assurance(a, b), kRounding);
  EXPECT_NEAR(modal_assurance(b, a), modal_assurance(a, b), kRounding);
  EXPECT_EQ(modal_assurance(ComplexVector::Unit(3, 0), ComplexVector::Unit(3, 1)), 0);
  EXPECT_EQ(modal_assurance(a, ComplexVector::Zero(5)), 0);
  // Real shapes at 60°.
  EXPECT_NEAR(modal_assurance(ComplexVector{{1.0, 0.0}}, ComplexVector{{0.5, std::sqrt(0.75)}}),
              0.25, kRounding);
}

TEST(ModalAssurance, OfModesIsSymmetricWithOnesOnTheDiagonal) {
  Random random(2);
  std::vector<Mode> modes(3);
  for (Mode& mode : modes) mode.shape = random_shape(random, 4);
  const Matrix all = modal_assurance({&modes[0], &modes[1], &modes[2]});
  EXPECT_LE((all.diagonal() - Vector::Ones(3)).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_EQ((all - all.transpose()).norm(), 0);
  EXPECT_NEAR(all(2, 0), modal_assurance(modes[2].shape, modes[0].shape), kRounding);
}

TEST(PhaseCollinearity, IsOneForStandingAndZeroForTravellingWaves) {
  const ComplexVector standing = std::polar(2.0, 0.7) * ComplexVector{{1.0, -0.5, 0.2}};
  EXPECT_NEAR(phase_collinearity(standing), 1, kRounding);
  ComplexVector travelling(8);
  for (Index k = 0; k < 8; ++k)
    travelling[k] = std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(k) / 8);
  EXPECT_NEAR(phase_collinearity(travelling), 0, kRounding);
  EXPECT_NEAR(phase_collinearity(ComplexVector{{Complex(1, 0), Complex(0, 1)}}), 0, kRounding);
  EXPECT_EQ(phase_collinearity(ComplexVector::Zero(2)), 1);
}

}  // namespace
}  // namespace lgn
